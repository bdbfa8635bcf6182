// Pictures of how sides win show what the rules say.

import assert from "node:assert/strict";
import { test } from "node:test";
import { placement, prison } from "../../../src/gui/assets/setup.js";
import { answers, json, rulesets } from "../program.mjs";

test("a fox that is drawn as shut in has lost", async () => {
  const lost = [];
  for (const name of await rulesets()) {
    const [rules, board, game] = await json(name, [], "rules", "board", "game");
    if (rules.family !== "hunt" || rules.foxes !== 1) continue;
    const [den, ring] = prison(
      { board, rules },
      game.pieces.find(({ kind }) => kind === "fox"),
    );
    // Others far away, so that the fox has not won by captures.
    const others = [...board.points]
      .sort((a, b) => a.y - b.y)
      .map(({ name }) => name)
      .filter(name => name !== den && !ring.includes(name))
      .slice(0, Math.max(0, rules.fox_wins_below - ring.length));
    const fen = `${placement(board, point => (point === den ? "F" : ring.includes(point) || others.includes(point) ? "G" : ""))} f`;
    const [result, seat] = await answers([
      `setoption name UCI_Variant value ${name}`,
      `position fen ${fen}`,
      "query result",
      "query p1name",
    ]);
    assert.equal(result, seat === rules.geese_side ? "p1win" : "p2win", `${name}: ${fen}`);
    lost.push(name);
  }
  assert.ok(lost.length >= 10, lost.join(" "));
});
