import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fetchJson } from "../../../src/gui/assets/server.js";
import { namesOf, search, shelf, siblings, wordsOf } from "../../../src/gui/assets/shelf.js";
import { json, rulesets, served, texts, words } from "../program.mjs";

const hunt = (name, rules, seats, regions = {}) => ({
  name,
  family: "hunt",
  rules,
  seats,
  board: { points: [], regions },
});

test("every game of the catalog stands on one card, under a title, in both orders", async () => {
  const games = (await rulesets()).map(name => hunt(name, {}, ["fox", "geese"]));
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

test("a country finds its games, whatever books name others", async () => {
  after(await served());
  const games = await fetchJson("/api/games"),
    cards = games.map(game => ({ name: game.name, words: wordsOf([game.title, game.about, namesOf(game)]) })),
    found = words => search(words, cards).map(({ name }) => name);
  const india = found("India"),
    some =
      "kaooa kulaochal bagh-guti aadu-puli-attam pulijudamu mysore-one-tiger orissa-four-tigers bagh-bandi mao-naga";
  for (const name of some.split(" ")) assert.ok(india.includes(name), name);
  const regionOf = name => games.find(game => game.name === name).region;
  for (const name of india) assert.ok([null, "South Asia"].includes(regionOf(name)) && name !== "bagha-chal", name);
  assert.deepEqual(found("canada"), ["musinaykahwhanmetowaywin", "nuktagaq"]);
  // A word is looked for from its beginning.
  assert.deepEqual(found("naga"), ["mao-naga", "sumi-naga"]);
});

test("a hunt of the world stands in the region that the catalog gives it", () => {
  const known = { ...hunt("rimoe", {}, ["tigers", "men"]), region: "Southeast Asia" };
  const groups = shelf([known, hunt("own", {}, ["fox", "geese"])], "region");
  assert.deepEqual(
    groups.map(([title]) => title),
    ["asia", "others"],
  );
  const marks = size => {
    const game = hunt("own", {}, ["fox", "geese"]);
    game.board.points = Array(size).fill({});
    const [[, [{ minutes, difficulty }]]] = shelf([game]);
    return [minutes, difficulty];
  };
  assert.deepEqual(
    [6, 19, 33, 45].map(marks),
    [
      [5, 1],
      [10, 2],
      [15, 2],
      [25, 3],
    ],
    "by the size of its board",
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
    { ...hunt("new-track", {}, []), family: "goose" },
  ]);
  assert.deepEqual(
    groups.map(([title, cards]) => `${title}: ${cards.map(({ variants }) => variants[0].name)}`),
    ["tigers: new-tigers", "sieges: new-siege", "hounds: new-hounds,new-sheep", "fox: new-fox", "races: new-track"],
  );
});
