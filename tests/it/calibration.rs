//! Scores against results: `reynard tournament calibrate`.

use std::collections::BTreeMap;

use reynard::testing::tournament::{Cause, EngineScore, GameRecord};
use serde_json::{Value, json};

use crate::tournament_run::Stage;

fn games(stage: &Stage) -> Vec<GameRecord> {
    stage.journal("out").lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn findings(stage: &Stage, more: &[&str]) -> Vec<Value> {
    let words = [&["calibrate", "out", "--json"], more].concat();
    serde_json::from_str(&stage.good(&words)).unwrap()
}

/// Positions with an opinion by engine, ruleset and seat: won, drawn and lost in the end.
fn recounted(stage: &Stage) -> BTreeMap<(u64, u64, u64), [f64; 3]> {
    let mut counts: BTreeMap<_, [f64; 3]> = BTreeMap::new();
    for game in games(stage) {
        for (index, mv) in game.moves.iter().enumerate() {
            let seat = u64::from(game.mover(index).unwrap());
            let engine = game.fixture.seats[seat as usize] as u64;
            let result = game.ending.winner.map_or(1, |winner| if u64::from(winner) == seat { 0 } else { 2 });
            if let Some(EngineScore::Centipieces(score)) = mv.opinion().score
                && score.abs() <= 20_000
            {
                counts.entry((engine, game.fixture.ruleset as u64, seat)).or_default()[result] += 1.0;
            }
        }
    }
    counts
}

#[test]
fn every_score_is_set_against_the_end_of_its_game() {
    let stage = Stage::with(&[("max_plies", json!(200))]);
    stage.run("out", &["--quiet"]);
    let (found, expected) = (findings(&stage, &[]), recounted(&stage));
    // The engines in their order, the roles by name, the rulesets in their order.
    assert_eq!(found.len(), expected.len());
    let totals = |bins: &Value, which: &str| -> [f64; 3] {
        let sum = |result: usize| {
            let of_bin = |bin: &Value| bin["positions"].as_f64().unwrap() * bin[which][result].as_f64().unwrap();
            bins.as_array().unwrap().iter().map(of_bin).sum()
        };
        [0, 1, 2].map(sum)
    };
    for ((engine, ruleset, seat), counts) in expected {
        let header: Value = serde_json::from_str(stage.journal("out").lines().next().unwrap()).unwrap();
        let rules = &header["rulesets"][ruleset as usize];
        let is_meant = |found: &&Value| {
            found["engine"] == header["engines"][engine as usize]
                && found["ruleset"] == rules["label"]
                && found["role"] == rules["seats"][seat as usize]["role"]
        };
        let group = found.iter().find(is_meant).unwrap();
        let observed = totals(&group["bins"], "observed");
        assert!((0..3).all(|result| (observed[result] - counts[result]).abs() < 1e-6), "{group} {counts:?}");
        let positions: f64 = counts.iter().sum();
        assert_eq!(group["positions"].as_f64(), Some(positions));
        assert!((totals(&group["bins"], "predicted").iter().sum::<f64>() - positions).abs() < 1e-6, "{group}");
        assert!(group["log_loss"].as_f64() > Some(0.0) && group["curve"]["scale_cp"].as_f64() >= Some(1.0), "{group}");
    }
    let pooled = findings(&stage, &["--pooled", "--fitted"]);
    assert_eq!(pooled.len(), 4, "two engines, two roles");
    let held_out: u64 = pooled
        .iter()
        .flat_map(|group| group["bins"].as_array().unwrap())
        .map(|bin| bin["positions"].as_u64().unwrap())
        .sum();
    let all: u64 = pooled.iter().map(|group| group["positions"].as_u64().unwrap()).sum();
    assert!(held_out > all / 4 && held_out < all * 3 / 4, "{held_out} of {all}");
    let curves: Vec<Value> = serde_json::from_str(&stage.good(&["calibrate", "out", "--curves"])).unwrap();
    assert!(!curves.is_empty() && 2 * curves.len() <= found.len(), "one for both sides: {curves:?}");
    for curve in curves {
        let engine = if curve["searcher"] == "mcts" { "mcts" } else { "ab" };
        assert!(found.iter().any(|found| found["engine"] == engine && found["ruleset"] == curve["ruleset"]), "{curve}");
        let [won_from, lost_below] = ["won_from", "lost_below"].map(|key| curve[key].as_f64().unwrap());
        assert!(won_from >= lost_below && curve["scale"].as_f64() >= Some(1.0), "{curve}");
        assert_eq!(curve["fingerprint"].as_str().map(str::len), Some(16));
    }
    let text = stage.good(&["calibrate", "out"]);
    assert!(text.contains("log loss") && text.contains("foretold %") && text.contains("mcts"), "{text}");
}

#[test]
fn games_that_scores_have_ended_prove_nothing_about_scores() {
    let resign = json!({"resign": {"moves": 2, "score_cp": 300, "two_sided": false}});
    let stage = Stage::with(&[("adjudication", resign)]);
    stage.run("out", &["--quiet"]);
    let played = games(&stage);
    let proving = played.iter().filter(|game| game.ending.cause != Cause::ResignAdjudication).count() as u64;
    assert!(proving > 0 && proving < played.len() as u64, "{proving}");
    let of_ab = findings(&stage, &["--pooled"]).into_iter().filter(|found| found["engine"] == "ab");
    assert_eq!(of_ab.map(|found| found["games"].as_u64().unwrap()).sum::<u64>(), proving);
    assert!(stage.refused(&["calibrate", "nowhere"]).contains("nowhere"));
}
