// What moves did and how games ended, in sentences.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ending, faultText, pieceName, told, toldLine } from "../../../src/gui/assets/telling.js";
import { speak, word } from "../../../src/gui/assets/texts.js";
import { fetchJson, look } from "../../../src/gui/assets/server.js";
import { json, rulesets, served } from "../program.mjs";

const hunt = (seats, foxes, fox_side) => ({ seats, rules: { foxes, fox_side }, board: { points: [] } });
const masters = hunt(["geese", "fox"], 1, "fox"),
  siege = hunt(["attackers", "officers"], 2, "officers"),
  hare = hunt(["hunters", "hare"], 1, "hare");
const taken = (mover, count) => {
  const piece = { owner: mover === "p1" ? "p2" : "p1", kind: "goose", count: 1 };
  return { move: "x", mover, path: [], captured: Array(count).fill(piece), placed: [] };
};

test("one is one, some are counted, many are a number", async () => {
  speak("en");
  assert.deepEqual(
    [told(masters, taken("p2", 1)), told(masters, taken("p2", 3)), told(siege, taken("p2", 7)), told(masters, null)],
    ["The fox takes one goose.", "The fox takes three geese.", "The officers take 7 attackers.", ""],
  );
  assert.equal(told(siege, taken("p2", 1)), "The officers take one attacker.");
  speak("nl");
  assert.equal(told(siege, taken("p2", 1)), "De officieren slaan \u00e9\u00e9n aanvaller.");
});

test("a line of moves is told by what each side takes in all, and by its end", () => {
  speak("en");
  const line = [taken("p2", 1), taken("p1", 0), taken("p2", 2)];
  assert.equal(toldLine(masters, { changes: line, reason: "none" }), "The fox takes three geese.");
  assert.equal(
    toldLine(masters, { changes: [taken("p1", 0)], reason: "fox side has no legal move", plies: 3 }),
    "In 2 moves: the fox is trapped.",
  );
  const alone = { ...masters, seats: ["player"] };
  assert.match(toldLine(alone, { changes: [], reason: "no move left", plies: 3 }), /^In 3 moves: /);
  assert.equal(toldLine(masters, { changes: [], reason: "none" }), "");
});

test("an end names the side as one or many", async () => {
  speak("en");
  const said = (game, reason, result = "p1win") =>
    ending({ game, seats: [null, null], mode: "analyse" }, { result, reason });
  assert.equal(said(masters, "fox side has no legal move"), "Won by the geese. The fox is trapped.");
  assert.equal(said(hare, "hare side has no legal move"), "Won by the hunters. The hare is trapped.");
  assert.equal(said(masters, "too few geese left", "p2win"), "Won by the fox. The geese are too few to win.");
  const tigers = seats => ({
    seats,
    rules: { foxes: 4, fox_side: "tigers", geese: [], piles: {}, drops: 20, fox_wins_below: 16 },
  });
  assert.equal(
    said(tigers(["goats", "tigers"]), "too few goats left", "p2win"),
    "Won by the tigers. The tigers have taken five goats.",
  );
  const few = { foxes: 1, fox_side: "hare", geese: ["a1", "b1", "c1"], piles: {}, drops: 0, fox_wins_below: 3 };
  assert.equal(
    said({ ...hare, rules: few }, "too few hunters left", "p2win"),
    "Won by the hare. The hare has taken one hunter.",
  );
  const past = { ...few, fox_goal: "past_geese" };
  assert.equal(
    said({ ...hare, rules: past }, "hare reached the goal", "p2win"),
    "Won by the hare. The hare has slipped past.",
  );
  assert.equal(said(masters, "resignation", "p2win"), "The geese resigned. The fox wins.");
  assert.equal(said(siege, "time is up"), "The time of the officers is up. The attackers win.");
  assert.equal(said(masters, "agreement", "draw"), "Draw. Both sides agreed.");
  const mine = (seats, result, reason) => ending({ game: masters, seats, mode: "play" }, { result, reason });
  assert.equal(mine([null, {}], "p2win", "resignation"), "You resigned. The fox wins.");
  assert.equal(mine([null, {}], "p1win", "time is up"), "The time of the fox is up. You win.");
  speak("nl");
  assert.equal(
    said(tigers(["goats", "tigers"]), "too few goats left", "p2win"),
    "Gewonnen door de tijgers. De tijgers hebben vijf geiten geslagen.",
  );
  assert.equal(mine([{}, null], "p1win", "resignation"), "U hebt opgegeven. De ganzen winnen.");
  speak("en");
  assert.equal(said(masters, "repetition", "draw"), "Draw. The same position for the third time.");
  // Games of others give no reason, or a whole sentence.
  for (const [reason, text] of [
    ["", "Draw."],
    [undefined, "Draw."],
    ["Both sides agreed.", "Draw. Both sides agreed."],
  ])
    assert.equal(said(masters, reason, "draw"), text);
  const peg = { seats: ["player"], rules: {}, board: { points: [] } };
  assert.equal(
    ending({ game: peg, seats: [null] }, { result: "p2win", reason: "no jump left" }).split(". ")[1],
    "No jump is left.",
  );
});

// Names that are the same in both languages.
const SAME = ["coyote", "hen", "jaguar", "wolf"];

test("the name of every side of the catalog is known in Dutch, as one and as many", async () => {
  speak("nl");
  for (const name of await rulesets("--all")) {
    const [rules] = await json(name, [], "rules");
    if (rules.foxes === undefined) continue;
    const { geese_side, fox_side } = rules;
    for (const side of [geese_side, fox_side]) {
      const [all, piece] = [word(side), pieceName("goose", side)];
      assert.ok(all !== side || SAME.includes(side), `${name}: ${side}`);
      assert.ok(piece !== side.replace(/s$/, "") || SAME.includes(piece), `${name}: one of ${side} is ${piece}`);
    }
  }
});

test("a piece has the name that its ruleset gives it, whatever part it plays", async () => {
  speak("en");
  assert.deepEqual(
    [["goose", "goats"], ["fox", "tigers"], ["goose", "oxen"], ["goose", "men"], ["peg", "player"], ["goose"]].map(
      each => pieceName(...each),
    ),
    ["goat", "tiger", "ox", "man", "peg", "goose"],
  );
});

test("too few and too many pieces are said in the words of the game", async () => {
  speak("en");
  after(await served());
  const games = await fetchJson("/api/games");
  const said = async (name, start) => {
    const game = games.find(each => each.name === name);
    return faultText(game, (await look(game, { start, moves: [] })).error);
  };
  for (const [name, start, text] of [
    ["masters-15", "3/3/7/7/7/GGG/GGG g", "There must be one fox."],
    ["masters-15", "3/3/7/2FFF2/7/3/GGG f", "There may be 1 fox, not 3."],
    ["masters-15", "3/3/GGGG3/3F3/GGGGGGG/GGG/GGG g", "There may be 15 geese, not 17."],
    ["two-foxes-24", "3/3/7/7/7/GGG/GGG g", "There must be at least one of the foxes."],
    ["masters-15", "3/3/7/7 g", "Not possible: position, column 8: "],
  ])
    assert.match(await said(name, start), new RegExp(`^${text}`), start);
});
