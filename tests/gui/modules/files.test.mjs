// Files as the page reads them: games as a tournament writes them, and rulesets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { test } from "node:test";
import { ofText, readFile, tagsOf, writePgn } from "../../../src/gui/assets/game-files.js";
import { join, parse } from "../../../src/gui/assets/setup.js";
import { program } from "../program.mjs";

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
      { name: "more", limits: { nodes: 40 } },
      { name: "less", limits: { nodes: 5 } },
    ],
  }),
);
execFileSync(program, ["tournament", "run", path(folder, "spec.json"), "--out", run, "--quiet"], { stdio: "ignore" });
const file = name => readFile(readFileSync(path(run, name), "utf8"));

test("PGN and the journal tell the same games", () => {
  const [pgn, journal] = ["games.pgn", "journal.jsonl"].map(name => file(name).games);
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
  assert.match(journal[0].title, /^0: more – less$/);
  assert.equal(journal[0].rules.name, "masters-15");
});

test("a ruleset, moves alone, and what is neither", () => {
  assert.deepEqual(readFile('{\n"name": "mine", "extends": "bell-13"\n}'), {
    ruleset: '{\n"name": "mine", "extends": "bell-13"\n}',
  });
  const [game, ...others] = readFile("a3a4 d4d5 (d4e5 b3b4) b3b4").games;
  assert.deepEqual(
    [game.variant, game.read().text(), others.length],
    [null, "1. a3a4 d4d5 (2. d4e5 3. b3b4) 3. b3b4", 0],
  );
  for (const text of ["", "   ", "[1, 2]", '[White "nobody"]']) assert.throws(() => readFile(text), /no games/, text);
});

test("tags say of which game a text is, and what is no text is refused", () => {
  const text = '[Variant "bell-13"]\n[FEN "3/3/7/3F3/GG3GG/GGG/3 g"]\n\n1. a3a4 *\n';
  assert.deepEqual(
    [...tagsOf(text)],
    [
      ["Variant", "bell-13"],
      ["FEN", "3/3/7/3F3/GG3GG/GGG/3 g"],
    ],
  );
  assert.deepEqual([ofText(text).variant, ofText(text).read().start], ["bell-13", "3/3/7/3F3/GG3GG/GGG/3 g"]);
  assert.equal(tagsOf("a3a4 d4d5 [not a tag]").size, 0);
  assert.equal(tagsOf(`${text}\n[Variant "siege"]\n\n1. a3a4 *\n`).get("Variant"), "bell-13", "the first game's");
  assert.throws(() => readFile("\0\u0001ab"), /no text/);
});

test("a game that is saved is read again as it was", () => {
  const [{ read }] = readFile("a3a4 d4d5 (d4e5 b3b4 {sharp}) b3b4").games,
    tree = read();
  tree.start = "3/3/7/3F3/GGGGGGG/GGG/GGG g";
  const text = writePgn("masters-15", tree, {
      players: ["a person", "reynard"],
      result: "p2win",
      reason: "time is up",
    }),
    [game, ...others] = readFile(text).games;
  assert.match(
    text,
    /^\[Event "reynard"\]\n\[Date "\d{4}\.\d\d\.\d\d"\]\n\[White "a person"\]\n\[Black "reynard"\]\n\[Variant "masters-15"\]\n\[FEN /,
  );
  assert.deepEqual(
    [game.title, game.variant, game.result, others.length],
    ["a person – reynard", "masters-15", "0-1: time is up", 0],
  );
  assert.deepEqual([game.read().text(), game.read().start], [tree.text(), tree.start]);
  assert.match(writePgn("solitaire", tree, { players: ["a person"], result: null }), /\[Result "\*"\]\n\n.* \*\n$/);
});

test("position texts come back as they were, those of tracks too", () => {
  for (const text of ["3/3/7/G2F2G/GGGGGGG/GGG/GGG g", "8/8 a hand=5,5 turns=0,0", "p1=0,12 p2=3:2 dice=6+3"])
    assert.equal(join(parse(text)), text);
  assert.deepEqual(parse("p1=0 p2=4 turn=p2").keys, { p1: "0", p2: "4", turn: "p2" });
});
