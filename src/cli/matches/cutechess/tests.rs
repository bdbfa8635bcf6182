use super::*;

fn translated(line: &str) -> Result<(String, String), String> {
    let words: Vec<&str> = line.split(' ').collect();
    Translation::of(&words).map(|translation| (translation.words.join(" "), translation.remarks.join("; ")))
}

#[test]
fn what_weather_factory_writes_is_understood() {
    let line = "-config discard=true outname=tuner/fastchess_config.json -output format=cutechess \
                -engine cmd=./tuner/e name=e-1 proto=uci option.Hash=8 -engine cmd=./tuner/e name=e-2 proto=uci \
                -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -recover -concurrency 2 \
                -each tc=5.0+0.05 -openings file=tuner/book.epd format=epd order=random plies=16 -repeat 2 -games 2 \
                -rounds 60 -pgnout tuner/games.pgn -srand 7";
    let (words, remarks) = translated(line).expect("all of it can be honoured");
    assert_eq!(
        words,
        "--engine cmd=./tuner/e name=e-1 proto=uci option.Hash=8 --engine cmd=./tuner/e name=e-2 proto=uci \
         --resign moves=3 score_cp=400 --draw after_plies=80 plies=16 score_cp=10 --concurrency 2 --each tc=5.0+0.05 \
         --openings path=tuner/book.epd format=lines order=random plies=16 games=2 --pgnout tuner/games.pgn --seed 7 --games 120 --cutechess"
    );
    assert_eq!(remarks, "");
}

#[test]
fn what_chess_tuning_tools_writes_is_understood() {
    let line = "-concurrency 1 -engine conf=engine1 restart=auto timemargin=20 ponder tc=inf nodes=500 -engine \
                conf=engine2 restart=auto st=0.5 -openings file=b.epd format=epd order=random -resign movecount=3 \
                score=400 twosided=true -tb tables -rounds 5 -games 2 -repeat -recover -debug -pgnout out.pgn \
                --ruleset bell-13";
    let (words, remarks) = translated(line).expect("all of it can be honoured");
    assert!(
        words.contains(
            "--engine conf=engine1 restart=auto timemargin=20 tc=inf nodes=500 --engine conf=engine2 restart=auto st=0.5 "
        ),
        "{words}"
    );
    assert!(words.contains("--resign moves=3 score_cp=400 two_sided=true --tables tables --adjudicate "), "{words}");
    assert!(words.contains(" --debug ") && words.contains("--games 10 --seed "), "{words}");
    assert!(words.ends_with(" --cutechess --ruleset bell-13"), "{words}");
    assert!(["ponder", "-srand"].iter().all(|word| remarks.contains(word)), "{remarks}");
}

#[test]
fn what_is_left_out_is_as_cutechess_has_it() {
    let (words, _) =
        translated("-engine cmd=a -engine cmd=b proto=ugi -each tc=1 -sprt elo0=0 elo1=5 -maxmoves 0 -srand 1")
            .expect("enough");
    assert_eq!(
        words,
        "--engine proto=uci cmd=a --engine cmd=b proto=ugi --each tc=1 --sprt elo0=0 elo1=5 \
         --max-plies 100000 --seed 1 --games 1 --openings-plies 0 --cutechess"
    );
}

#[test]
fn restarts_pgn_cuts_and_repetitions_are_honoured() {
    let line = "-engine cmd=a restart=on -engine cmd=b timemargin=9 -openings file=a.pgn format=pgn plies=6 start=3 -repeat 4 \
                -games 8 -srand 1";
    assert_eq!(
        translated(line).expect("all of it can be honoured").0,
        "--engine proto=uci cmd=a restart=on --engine proto=uci cmd=b timemargin=9 --openings path=a.pgn format=pgn plies=6 start=3 games=4 \
         --seed 1 --games 8 --cutechess"
    );
}

#[test]
fn the_elo_of_a_sequential_test_is_that_of_specs_unless_it_is_named() {
    let said = |line: &str| translated(&format!("-engine cmd=a -engine cmd=b -srand 1 {line}")).expect(line);
    for line in ["-sprt elo0=0 elo1=5", "-sprt elo0=0 elo1=5 -report penta=true"] {
        let (words, remarks) = said(line);
        assert!(
            words.contains("--sprt elo0=0 elo1=5 --") && remarks.contains("-sprt: the Elo is normalized"),
            "{line}"
        );
    }
    let (words, remarks) = said("-sprt elo0=0 elo1=5 model=logistic");
    assert!(words.contains("--sprt elo0=0 elo1=5 model=logistic ") && !remarks.contains("-sprt"), "{words} {remarks}");
}

#[test]
fn what_makes_no_difference_to_two_players_is_taken() {
    let line = "-engine cmd=a -engine cmd=b -srand 1 -tournament gauntlet -force-concurrency";
    let (words, remarks) = translated(line).expect("all of it can be honoured");
    assert!(words.contains(" --force ") && remarks.is_empty(), "{words} {remarks}");
}

#[test]
fn what_cannot_be_honoured_is_named() {
    for (line, word) in [
        ("-openings file=a.bin format=bin", "format=bin"),
        ("-openings file=a.epd side=white", "side=white"),
        ("-repeat 3", "-repeat 3"),
        ("-repeat 0", "even number"),
        ("-noswap", "seats swapped"),
        ("-draw movenumber=1 movecount=2", "score="),
        ("-draw movenumber=1 movecount=2 score=x", "score=x"),
        ("-resign movecount=1 score=2 side=both", "side=both"),
        ("-games many", "-games many"),
        ("-tournament knockout", "knockout"),
        ("-output format=fastchess", "format=fastchess"),
        ("-config file=a.json", "file=a.json"),
        ("-pgnout", "-pgnout"),
    ] {
        let refusal = translated(line).expect_err(line);
        assert!(refusal.contains(word), "{line}: {refusal}");
    }
}

#[test]
fn our_own_words_stay_as_they_are() {
    let own = |line: &str| {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        in_our_words(words.clone()).is_ok_and(|found| found == words)
    };
    assert!(own("reynard match --games 4 --a Searcher=mcts -h") && own("reynard perft -engine"));
}
