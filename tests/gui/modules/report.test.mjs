import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { answers, program, rulesets } from "../program.mjs";
import { unpack } from "../../../src/gui/assets/packed.js";
import { compareCells } from "../../../src/gui/assets/game-list.js";
import { verdictText } from "../../../src/gui/assets/report.js";
import { sentence, speak } from "../../../src/gui/assets/texts.js";

// The page and the games of a tournament in every ruleset for two.
const names = (await rulesets()).filter(name => name !== "solitaire" && name !== "solitaire-french");
const { page, games } = played(
  { rulesets: names, engines: [engine("</script><b>", "random"), engine("16.1", "alphabeta")], pairs: 2, seed: 3 },
  { max_plies: 80, openings: { kind: "random", plies: 2 } },
);

function engine(name, searcher) {
  return { name, options: { Searcher: searcher, Hash: "1" }, limits: { nodes: 60 } };
}

function played(spec, rest = {}) {
  const folder = mkdtempSync(join(tmpdir(), "reynard-report-")),
    out = join(folder, "out");
  writeFileSync(join(folder, "spec.json"), JSON.stringify({ format: "match", ...spec, ...rest }));
  execFileSync(program, ["tournament", "run", join(folder, "spec.json"), "--out", out, "--quiet"], { stdio: "pipe" });
  const file = name => readFileSync(join(out, name), "utf8"),
    lines = name => file(name).trim().split("\n").map(JSON.parse),
    [head, ...records] = lines("journal.jsonl"),
    times = new Map(lines("times.jsonl").map(({ game, move_us }) => [game, move_us])),
    games = records.map(({ fixture, opening, moves }) => [
      fixture.game,
      {
        ruleset: head.rulesets[fixture.ruleset].label,
        opening_moves: opening.moves,
        moves: moves.map(([move, score, depth, nodes], index) => ({
          move,
          score,
          depth,
          nodes,
          time_us: times.get(fixture.game)[index],
        })),
      },
    ]);
  return { page: file("report.html"), games: new Map(games) };
}

// The games as the page has them, with the pieces at every ply.
function shown(page) {
  const part = (from, to) => page.split(from)[1].split(to)[0],
    packed = unpack(part('id="facts">', "</script>"), part('id="lines">', "</script>"));
  return packed.games.map(({ game }) => packed.record(game));
}

// What the engine says of every position of a game: the pieces of each point, and whose turn it is.
async function told(ruleset, moves) {
  const found = await answers([
    `setoption name UCI_Variant value ${ruleset}`,
    "query game",
    ...[...moves, null].flatMap(move => [
      "query pieces",
      "query turn",
      "query fen",
      ...(move === null ? [] : [`play ${move}`]),
    ]),
  ]);
  const { has_stacks } = JSON.parse(found[0]),
    positions = [];
  for (let at = 1; at < found.length; at += 3)
    positions.push({ pieces: byPoint(JSON.parse(found[at]), has_stacks), turn: found[at + 1], fen: found[at + 2] });
  return { positions, has_stacks };
}

// Only in stacks the pieces of a point have an order.
const ordered = (stacks, has_stacks) =>
  Object.fromEntries(
    Object.entries(stacks)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([point, pieces]) => [point, has_stacks ? pieces : [...pieces].sort()]),
  );

function byPoint(pieces, has_stacks) {
  const stacks = {};
  for (const { point, kind, owner, count } of pieces)
    (stacks[point] ??= []).push(...Array(count).fill(`${kind} of ${+owner.slice(1) - 1}`));
  return ordered(stacks, has_stacks);
}

test("the page follows the games of every ruleset", async () => {
  const seen = new Set();
  let huffed = 0;
  for (const game of shown(page)) {
    const { ruleset, opening_moves, moves } = games.get(game.game),
      texts = [...opening_moves, ...moves.map(({ move }) => move)];
    seen.add(ruleset);
    assert.deepEqual([game.ruleset, game.moves], [ruleset, texts]);
    const { positions, has_stacks } = await told(ruleset, texts);
    for (const [ply, { pieces, turn, fen }] of positions.entries()) {
      assert.deepEqual(byPoint(game.frames[ply], has_stacks), pieces, `${ruleset}, ${game.game}, ply ${ply}`);
      assert.equal(game.positions[ply], fen, `${ruleset}, ${game.game}, ply ${ply}`);
      // The dice move in nobody's name.
      const mover = turn === "chance" ? null : +turn.slice(1) - 1;
      if (ply < texts.length) assert.equal(game.movers[ply], mover, `${ruleset}, ${game.game}, ply ${ply}`);
    }
    huffed += game.changes.filter(change => change.captured.some(({ owner }) => owner === change.mover)).length;
  }
  assert.deepEqual([...seen].sort(), [...names].sort());
  assert.ok(huffed > 0, "no game had a piece huffed, so nothing showed that it is followed");
});

test("the page has what the engines said", () => {
  let mates = 0;
  for (const { game, said } of shown(page))
    for (const [index, { score, depth, nodes, time_us }] of games.get(game).moves.entries()) {
      assert.deepEqual(said[index], [score, depth, nodes, time_us], `game ${game}, move ${index}`);
      mates += typeof score === "string";
    }
  assert.ok(mates > 0, "no game had a mate announced");
});

test("cells are sorted", () => {
  assert.deepEqual(["n/a", "9.5", "−3", "+12 ± 4", "> +10.2", "b", "a"].sort(compareCells), [
    "+12 ± 4",
    "> +10.2",
    "9.5",
    "−3",
    "a",
    "b",
    "n/a",
  ]);
  // Nothing is compared by a number that is none.
  const odd = [NaN, 3, "…", 12, ".", undefined, "1.2.3", "1,234.5", "x"],
    sorted = [...odd].sort(compareCells);
  assert.deepEqual(sorted.slice(0, 4), ["1,234.5", 12, 3, "1.2.3"]);
  for (const a of odd) for (const b of odd) assert.equal(compareCells(a, b), -compareCells(b, a) || 0, `${a} and ${b}`);
});

test("a report is said in Dutch, numbers and dates, too", async () => {
  // Titles that people give, and names of engines, options and rulesets stay as they are.
  const part = (from, to) => page.split(from)[1].split(to)[0],
    written = part('id="head">', "</main>")
      .replace(/<(h1|pre|code|noscript|td|time)\b.*?<\/\1>/gs, "")
      .match(/(?<=>)[^<]+(?=<)/g)
      .map(text =>
        text
          .replace(/&quot;/g, '"')
          .replace(/&[lg]t;/g, "")
          .trim(),
      )
      .filter(text => /[a-z]{3}/i.test(text) && !text.includes("one shard"));
  speak("en");
  assert.ok(written.every(text => sentence(text) === text));
  speak("nl");
  const SAME = /^(Elo|nElo|Engine|Engines|Score %|LOS %|Parameters|, p\d|kN\/s|.*script.*)$/;
  assert.deepEqual(
    [...new Set(written.filter(text => sentence(text) === text && !SAME.test(text)))],
    [],
    "what stays in English",
  );
  assert.deepEqual(["+12.3 ± 4.5", "1.5 / 2", "sf 16.1"].map(sentence), ["+12,3 ± 4,5", "1,5 / 2", "sf 16.1"]);
  assert.equal(
    sentence("Elo of a against b over the games: 137.0 ± 61.6"),
    "Elo van a tegen b in de loop van de partijen: 137,0 ± 61,6",
  );
  // Names stay as they are, be they words or numbers.
  assert.equal(
    sentence("Elo of fox against 16.1 over the games: 137.0 ± 61.6"),
    "Elo van fox tegen 16.1 in de loop van de partijen: 137,0 ± 61,6",
  );
  // What a page says that no test has a run for.
  assert.equal(
    sentence(
      "masters-15: the same side won both games of most of the 10 pairs (7 geese, 1 fox). Those say nothing about the " +
        "engines; other openings or limits may tell them apart.",
    ),
    "masters-15: in de meeste van de 10 paren won dezelfde kant beide partijen (7 ganzen, 1 vos). Die zeggen niets over de " +
      "engines; andere openingen of limieten maken misschien verschil.",
  );
  for (const [said, dutch] of [
    [
      "No evidence of a gain: what was found scored 52.0 ± 1.9 % against the start values in a final match of 50 pairs, but " +
        "only 8 pairs were not level, it won 6 of them, and chance alone wins as many in 14.5 % of such matches. The " +
        "result is the start values.",
      "Geen bewijs van winst: wat gevonden is haalde 52,0 ± 1,9 % tegen de beginwaarden in een eindwedstrijd van 50 paren, " +
        "maar slechts 8 paren waren niet gelijk, daarvan won het er 6, en toeval alleen wint er zoveel in 14,5 % van zulke " +
        "wedstrijden. De uitkomst is de beginwaarden.",
    ],
    [
      "A gain for mcts alone: alphabeta won 36 of 40 won openings against perfect play, 39 with the present weights; mcts " +
        "won 25 of 40 won openings against perfect play, 0 with the present weights. The result is what was found for " +
        "mcts alone.",
      "Winst voor mcts alleen: alphabeta won 36 van 40 gewonnen openingen tegen perfect spel, 39 met de huidige gewichten; " +
        "mcts won 25 van 40 gewonnen openingen tegen perfect spel, 0 met de huidige gewichten. De uitkomst is voor mcts wat " +
        "gevonden is.",
    ],
    [
      "A gain for mcts alone: alphabeta scored 62.1 ± 7.9 % against the start values in two matches, together 60 " +
        "pairs (75.2 % at a tenth of the limits, 49.0 % at the limits), but it lost one of them; mcts scored " +
        "70.0 ± 7.0 % against the start values in two matches, together 60 pairs (70.0 % at a tenth of the limits, 70.0 % " +
        "at the limits). The result is what was found for mcts alone.",
      "Winst voor mcts alleen: alphabeta haalde 62,1 ± 7,9 % tegen de beginwaarden in twee wedstrijden, samen 60 " +
        "paren (75,2 % bij een tiende van de limieten, 49,0 % bij de limieten), maar het verloor er een van; mcts haalde " +
        "70,0 ± 7,0 % tegen de beginwaarden in twee wedstrijden, samen 60 paren (70,0 % bij een tiende van de limieten, " +
        "70,0 % bij de limieten). De uitkomst is voor mcts wat gevonden is.",
    ],
    [
      "Of 50 pairs it won 6 and lost 2; 42 were level.",
      "Van 50 paren won het er 6 en verloor het er 2; 42 waren gelijk.",
    ],
  ])
    assert.equal(sentence(said), dutch);
  assert.deepEqual(["geese 17, drawn 3, fox 1", "Pairs of games"].map(sentence), [
    "ganzen 17, remise 3, vos 1",
    "Paren partijen",
  ]);
  assert.equal(sentence("16.1 as geese: 3 won"), "16.1 als ganzen: 3 gewonnen");
  assert.equal(sentence("1,020,000 nodes a move"), "1.020.000 knopen per zet");
  const cells = [...part('id="head">', "</main>").matchAll(/<(td|text)\b[^>]*>(?:<tspan( [^>]*)>)?16\.1</g)];
  assert.ok(cells.length > 10);
  for (const [whole] of cells) assert.match(whole, /translate="no"/);
  assert.deepEqual(["fox side has no legal move", "tigers (fox)"].map(sentence), [
    "geen zet meer: vos",
    "tijgers (vos)",
  ]);
  assert.deepEqual(["12,5", "9,75", "n.v.t."].sort(compareCells), ["12,5", "9,75", "n.v.t."]);
});

test("a headline says whether a result is one, and whether it may be chance", () => {
  speak("en");
  // Of twenty games the last one is half a pair.
  const scores = { a: [0, 1, 2, 6, 0], b: [0, 6, 2, 1, 0] },
    results = (name, points, estimate) => ({ points, games: 20, pairs: scores[name], estimate }),
    engine = (name, points, estimate = {}) => ({ name, overall: { results: results(name, points, estimate) } }),
    text = (running, los, ...others) =>
      verdictText({
        standings: { games: 20, ranking: [0, 1], engines: [engine("a", 12.5, { los }), engine("b", 7.5), ...others] },
        running,
      });
  assert.equal(text(true, 0.97), "a leads b by 11½\u00a0:\u00a06½, LOS 97.0 %");
  assert.equal(text(false, 0.97), "a beat b by 12½\u00a0:\u00a07½, LOS 97.0 %");
  assert.equal(text(false, 0.9), "a scored 12½\u00a0:\u00a07½ against b, which may be chance, LOS 90.0 %");
  assert.equal(text(false, null), "a scored 12½\u00a0:\u00a07½ against b, which may be chance");
  assert.match(text(true, 0.97, engine("c", 0)), /^a leads with 12½ of 20 points/);
  const won = engine("a", 20, { los: null, wilson_elo_low: 150 }),
    standings = { games: 20, ranking: [0, 1], engines: [won, engine("b", 0)] };
  assert.equal(verdictText({ standings, running: false }), "a beat b by 20\u00a0:\u00a00");
  assert.equal(verdictText({ standings: { games: 0 } }), "");
});
