// The starts that the page of proofs opens are those of the game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answers, assets, json, rulesets } from "../program.mjs";

const { foxHomes, parse, startWith } = await import(`${assets}setup.js`);

test("the fox can be put on each of its points, with all pieces there or in hand", async () => {
  let count = 0;
  for (const name of await rulesets()) {
    const variant = `setoption name UCI_Variant value ${name}`,
      [board, pieces, rules] = await json(name, [], "board", "pieces", "rules"),
      [start] = await answers([variant, "query fen"]),
      geese = list => list.filter(({ kind }) => kind === "goose").length;
    for (const point of foxHomes({ board, pieces, rules, start })) {
      const text = startWith({ board, pieces, rules, start }, point),
        [fen, result, found] = await answers([
          variant,
          `position fen ${text}`,
          ...["fen", "result", "pieces"].map(question => `query ${question}`),
        ]),
        there = JSON.parse(found);
      count++;
      // Above the three hunters the bear has no way out.
      const expected = `${name} ${point}` === "gioco-dell-orso d7" ? "p2win" : "none";
      assert.deepEqual([fen, result], [text, expected], `${name} ${point}`);
      assert.deepEqual(
        there.filter(({ kind }) => kind === "fox").map(each => each.point),
        [point],
      );
      assert.deepEqual(
        [geese(there), parse(fen).keys.hand],
        [geese(pieces), parse(start).keys.hand],
        `${name} ${point}`,
      );
    }
  }
  assert.ok(count > 200, `${count}`);
});
