// Files as the page reads them: games as a tournament writes them, and rulesets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { after, test } from "node:test";
import { pgnOf, readFile as readBlob } from "../../../src/gui/assets/game-files.js";
import { join, parse } from "../../../src/gui/assets/setup.js";
import { speak } from "../../../src/gui/assets/texts.js";
import { program, served } from "../program.mjs";

speak("en");
after(await served());
const readFile = text => readBlob(new Blob([text]));

const folder = mkdtempSync(path(tmpdir(), "reynard-files-")),
  run = path(folder, "run");
writeFileSync(
  path(folder, "spec.json"),
  JSON.stringify({
    name: "two",
    format: "round-robin",
    pairs: 1,
    rulesets: ["masters-15"],
    openings: { kind: "random", plies: 4 },
    max_plies: 30,
    engines: [
      { name: "sf [dev]", limits: { nodes: 40 } },
      { name: "less", limits: { nodes: 5 } },
    ],
  }),
);
execFileSync(program, ["tournament", "run", path(folder, "spec.json"), "--out", run, "--quiet"], { stdio: "ignore" });
const file = name => readFile(readFileSync(path(run, name)));

test("PGN and the journal tell the same games", async () => {
  const [pgn, journal] = (await Promise.all(["games.pgn", "journal.jsonl"].map(file))).map(({ games }) => games);
  assert.equal(journal.length, 2);
  assert.deepEqual(
    pgn.map(({ title, variant }) => [title, variant]),
    journal.map(({ title, variant }) => [title, variant]),
  );
  const moves = game =>
    game
      .read()
      .line()
      .slice(1)
      .map(({ move }) => move);
  assert.deepEqual(pgn.map(moves), journal.map(moves));
  assert.ok(moves(pgn[0]).length > 8);
  assert.match(journal[0].title, /^0: sf \[dev\] – less$/);
  assert.equal(journal[0].rules.name, "masters-15");
});

test("a ruleset, moves alone, and what is neither", async () => {
  const ruleset = '{\n"name": "mine", "extends": "bell-13"\n}';
  assert.deepEqual(await readFile(ruleset), { ruleset });
  const { games } = await readFile("a3a4 d4d5 (d4e5 b3b4) b3b4"),
    [game] = games;
  assert.deepEqual(
    [game.variant, game.read().text(), games.length],
    [null, "1. a3a4 d4d5 (1... d4e5 2. b3b4) 2. b3b4", 1],
  );
  for (const text of ["", "   ", "[1, 2]", '{"moves": []}'])
    await assert.rejects(readFile(text), /neither|no game/, text);
  await assert.rejects(readFile("1. a3a4 {no end *\n\n1. a3a4 {c} *"), /line 1: the comment '{' that begins here/);
  await assert.rejects(readFile("\0\u0001ab"), /not a text|no text/);
});

test("texts that other readers of the page had misread", async () => {
  const text = [
      '[White "a \\"b\\" \\\\"]\n[Variant "bell-13"]\n[FEN "3/3/7/3F3/GG3GG/GGG/3 g"]\n\n; not a move\n% nor this\n1. a3a4 *',
      '[White "x"]\n[Black "y"]\n\n*',
      "1. a3a4 1-0\n1. d4d5 *",
    ].join("\n\n"),
    { games } = await readFile(text);
  assert.deepEqual(
    games.map(({ title, variant, start, read }) => [title, variant, start, read().text()]),
    [
      ['a "b" \\', "bell-13", "3/3/7/3F3/GG3GG/GGG/3 g", "1. a3a4"],
      ["x – y", null, null, ""],
      ["", null, null, "1. a3a4"],
      ["", null, null, "1. d4d5"],
    ],
  );
});

test("a game that is saved is read again as it was", async () => {
  const {
      games: [{ read }],
    } = await readFile("a3a4 d4d5 (d4e5?! b3b4 {sharp}) b3b4"),
    tree = read();
  tree.root.comment = '}a "comment"\n[White "of two lines"]';
  tree.start = "3/3/7/3F3/GGGGGGG/GGG/GGG g";
  const players = ["a person", "reynard"],
    outcome = { result: "p2win", reason: "time is up" },
    text = pgnOf({ variant: "masters-15", tree: tree.save(), players, outcome }),
    [game, ...others] = (await readFile(text)).games;
  assert.match(
    text,
    /^\[Event "reynard"\]\n\[Date "\d{4}\.\d\d\.\d\d"\]\n\[White "a person"\]\n\[Black "reynard"\]\n\[Variant "masters-15"\]\n\[FEN /,
  );
  assert.deepEqual(
    [game.title, game.variant, game.result, others.length],
    ["a person – reynard", "masters-15", "0-1: time is up", 0],
  );
  assert.deepEqual([game.read().text(), game.read().start], [tree.text(), tree.start]);
  assert.match(
    pgnOf({ variant: "solitaire", tree: tree.save(), players: ["a person"], outcome: null }),
    /\[Result "\*"\]\n\n.* \*\n$/,
  );
});

test("position texts come back as they were, those of tracks too", () => {
  for (const text of ["3/3/7/G2F2G/GGGGGGG/GGG/GGG g", "8/8 a hand=5,5 turns=0,0", "p1=0,12 p2=3:2 dice=6+3"])
    assert.equal(join(parse(text)), text);
  assert.deepEqual(parse("p1=0 p2=4 turn=p2").keys, { p1: "0", p2: "4", turn: "p2" });
});
