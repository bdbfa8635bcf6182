import assert from "node:assert/strict";
import { test } from "node:test";
import { shelf, siblings } from "../../../src/gui/assets/shelf.js";
import { json, rulesets, texts, words } from "../program.mjs";

const hunt = (name, rules, seats, regions = {}) => ({ name, family: "hunt", rules, seats, board: { regions } });

test("every game of the catalog stands on one card, under a title, in both orders", async () => {
  const games = (await rulesets()).map(name => ({ name, seats: ["fox", "geese"] }));
  for (const by of ["kind", "region"]) {
    const groups = shelf(games, by);
    for (const [title] of groups) assert.ok(`group ${title}` in texts, title);
    const shown = groups.flatMap(([, cards]) => cards.flatMap(({ variants }) => variants.map(({ name }) => name)));
    assert.deepEqual(shown.sort(), games.map(({ name }) => name).sort());
  }
  for (const [, cards] of shelf(games))
    for (const { variants } of cards.filter(({ variants }) => variants.length > 1))
      for (const { name } of variants) assert.ok(/\d$/.test(name) || `variant ${name}` in words, name);
  assert.deepEqual(
    siblings(games, "great-siege").map(({ name }) => name),
    ["siege", "great-siege", "hex-siege"],
  );
});

test("a hunt of the world stands in the region that the catalog gives it", () => {
  const known = { ...hunt("rimoe", {}, ["tigers", "men"]), region: "Southeast Asia" };
  const groups = shelf([known, hunt("own", {}, ["fox", "geese"])], "region");
  assert.deepEqual(
    groups.map(([title]) => title),
    ["asia", "others"],
  );
});

test("a game that nobody has put on the shelf stands among those of its kind", async () => {
  const [[rules, board, game]] = [await json("bagha-chal", [], "rules", "board", "game")];
  const groups = shelf([
    { ...game, name: "new-tigers", family: "hunt", rules, board, seats: ["goats", "tigers"] },
    hunt("new-siege", {}, ["a", "b"], { fortress: ["c5"] }),
    hunt("new-hounds", {}, ["hounds", "wolf"]),
    hunt("new-sheep", { fox_captures: false }, ["sheep", "wolf"]),
    hunt("new-fox", {}, ["geese", "fox"]),
    { name: "new-track", family: "goose", seats: [] },
  ]);
  assert.deepEqual(
    groups.map(([title, cards]) => `${title}: ${cards.map(({ variants }) => variants[0].name)}`),
    ["tigers: new-tigers", "sieges: new-siege", "hounds: new-hounds,new-sheep", "fox: new-fox", "races: new-track"],
  );
});
