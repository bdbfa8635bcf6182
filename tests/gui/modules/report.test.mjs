import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { answers, program, rulesets } from "../program.mjs";
import { read } from "../reader.mjs";

const html = new URL("../../../src/tournament/report/html/", import.meta.url);
const { follow, unpackGame, unpackHead, evaluation, nextMistake, compareCells } = new Function(
  "document",
  `${["game.js", "sort.js"].map(name => readFileSync(new URL(name, html), "utf8")).join("\n")}
  return { follow, unpackGame, unpackHead, evaluation, nextMistake, compareCells };`,
)({ querySelectorAll: () => [] });

// The page and the games of a tournament in every ruleset for two.
const names = (await rulesets()).filter(name => name !== "solitaire" && name !== "solitaire-french");
const { page, games } = played(
  { rulesets: names, engines: [engine("</script><b>", "random"), engine("two", "alphabeta")], pairs: 2, seed: 3 },
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
          score: scoreOf(score),
          depth,
          nodes,
          time_us: times.get(fixture.game)[index],
        })),
      },
    ]);
  return { page: file("report.html"), games: new Map(games) };
}

// A score of the journal: a number of hundredths, `#N` for a mate, or none.
function scoreOf(score) {
  if (score === null) return null;
  return typeof score === "string" ? { mate: true, value: +score.slice(1) } : { mate: false, value: score };
}

// The games as the page has them, with the pieces at every ply.
function shown(page) {
  const part = (from, to) => page.split(from)[1].split(to)[0],
    facts = JSON.parse(part('id="facts">', "</script>")),
    lines = part('id="lines">\n', "</script>").split("\n").filter(Boolean);
  return lines.map(line => {
    const ruleset = facts.rulesets[unpackHead(line).ruleset],
      game = unpackGame(line, ruleset),
      start = game.start === null ? ruleset.pieces : facts.starts[game.start];
    return { ...game, frames: follow(start, game.plies) };
  });
}

// What the engine says of every position of a game: the pieces of each point, and whose turn it is.
async function told(ruleset, moves) {
  const found = await answers([
    `setoption name UCI_Variant value ${ruleset}`,
    "query game",
    ...[...moves, null].flatMap(move => ["query pieces", "query turn", ...(move === null ? [] : [`play ${move}`])]),
  ]);
  const { has_stacks } = JSON.parse(found[0]),
    positions = [];
  for (let at = 1; at < found.length; at += 2)
    positions.push({ pieces: byPoint(JSON.parse(found[at]), has_stacks), turn: found[at + 1] });
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
    assert.deepEqual(
      game.plies.map(({ text }) => text),
      texts,
    );
    const { positions, has_stacks } = await told(ruleset, texts);
    for (const [ply, { pieces, turn }] of positions.entries()) {
      const frame = Object.entries(Object.fromEntries(game.frames[ply])).map(([point, stack]) => [
        point,
        stack.map(({ kind, owner }) => `${kind} of ${owner}`),
      ]);
      assert.deepEqual(ordered(Object.fromEntries(frame), has_stacks), pieces, `${ruleset}, ${game.game}, ply ${ply}`);
      // The dice move in nobody's name.
      const mover = turn === "chance" ? null : +turn.slice(1) - 1;
      if (ply < texts.length) assert.equal(game.plies[ply].seat, mover, `${ruleset}, ${game.game}, ply ${ply}`);
    }
    huffed += game.plies.filter(({ change }) => change.captured.some(({ owner }) => owner === change.mover)).length;
  }
  assert.deepEqual([...seen].sort(), [...names].sort());
  assert.ok(huffed > 0, "no game had a piece huffed, so nothing showed that it is followed");
});

test("the page has what the engines said", () => {
  const mates = [];
  for (const { game, scores, depths, nodes, tenths } of shown(page))
    for (const [index, said] of games.get(game).moves.entries()) {
      assert.deepEqual(
        [scores[index], depths[index], nodes[index], tenths[index]],
        [said.score, said.depth, said.nodes, Math.floor((said.time_us + 50) / 100)],
        `game ${game}, move ${index}`,
      );
      if (said.score?.mate) mates.push(said.score);
    }
  assert.ok(mates.length > 0, "no game had a mate announced");
});

test("the page goes where its reader clicks", () => {
  const [first] = shown(page),
    at = [first.plies.length, 0, 2, 5, 2].map(ply => `${ply} / ${first.plies.length}`);
  assert.deepEqual(read(page), { shown: at, marked: [2, 5] });
});

test("cells are sorted and mistakes found", () => {
  const game = {
    plies: [{ seat: 0 }, { seat: 1 }, { seat: 0 }],
    openingPlies: 1,
    scores: [
      { mate: true, value: 3 },
      { mate: false, value: 0 },
    ],
    mistakes: [2, 3],
  };
  assert.deepEqual(["n/a", "9.5", "−3", "+12 ± 4", "> +10.2", "b", "a"].sort(compareCells), [
    "+12 ± 4",
    "> +10.2",
    "9.5",
    "−3",
    "a",
    "b",
    "n/a",
  ]);
  assert.deepEqual(
    [0, 2, 3].map(ply => nextMistake(game, ply)),
    [2, 3, 2],
  );
  assert.deepEqual(evaluation(game), [
    { ply: 2, value: -1 },
    { ply: 3, value: 0 },
  ]);
});
