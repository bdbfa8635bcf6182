// The games to choose from, and the page of one.

import { beginning } from "./begin.js";
import { h, kept } from "./dom.js";
import { fileButton } from "./files.js";
import { foreignGames } from "./foreign.js";
import { aboutOf, engineName, titleOf } from "./games.js";
import { rulesText } from "./rules-text.js";
import { app } from "./page.js";
import { t } from "./texts.js";
import { thumbnail } from "./board-parts.js";

const GROUPS = [
  [
    "fox and geese",
    [
      "masters-15",
      "masters-13",
      "masters-17",
      "masters-22",
      "bell-13",
      "bell-15",
      "bell-17",
      "murray-13",
      "strutt-17",
      "renard-1668",
      "renard-1840",
      "refskak",
      "fox-and-hounds",
    ],
  ],
  ["two foxes and more", ["two-foxes-24", "halatafl", "gasetavl", "catch-the-hare", "bagha-chal"]],
  ["sieges", ["siege", "great-siege", "hex-siege"]],
  ["solitaire", ["solitaire", "solitaire-french"]],
  ["the game", ["the-game", "the-game-horn", "the-game-2010"]],
  ["goose", ["goose", "goose-team"]],
];

export function choose(main) {
  document.title = "reynard";
  const byName = new Map(app.games.map(game => [game.name, game])),
    known = new Set(GROUPS.flatMap(([, names]) => names));
  const rest = app.games.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  const groups = [...GROUPS, ["others", rest]].map(([title, names]) => [
    title,
    names.filter(name => byName.has(name)).map(name => byName.get(name)),
  ]);
  main.className = "choose";
  main.replaceChildren(
    h(
      "div",
      { class: "intro" },
      h("h1", {}, t("choose a game")),
      h("p", {}, t("intro")),
      unfinished(byName),
      h("a", { class: "button", href: "#/own" }, t("own ruleset")),
      fileButton(),
    ),
    ...groups
      .filter(([, games]) => games.length > 0)
      .map(([title, games]) =>
        h("section", {}, h("h2", {}, t(`group ${title}`)), h("ul", { class: "cards" }, games.map(card))),
      ),
  );
  if (app.about.engines.length > 1)
    foreignGames().then(found => main.className === "choose" && found.length > 0 && main.append(others(found)));
}

// Games without a picture, which an engine of somebody else knows.
const others = found =>
  h(
    "section",
    {},
    h("h2", {}, t("group foreign")),
    h(
      "ul",
      { class: "cards" },
      found.map(({ index, variant }) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: "card", href: `#/foreign/${index}/${encodeURIComponent(variant)}`, "data-foreign": variant },
            h("strong", {}, variant),
            h("span", {}, engineName(index)),
          ),
        ),
      ),
    ),
  );

const card = game =>
  h(
    "li",
    {},
    h(
      "a",
      { class: "card", href: `#/game/${game.name}`, "data-game": game.name },
      thumbnail(game),
      h("strong", {}, titleOf(game)),
      h("span", {}, aboutOf(game)),
    ),
  );

function unfinished(byName) {
  const last = kept("last game");
  const saved = last && kept(`game ${last}`);
  const game = saved && byName.get(saved.variant);
  return (
    game &&
    !saved.end &&
    h(
      "a",
      { class: "button primary", href: `#/play/${game.name}?id=${last}` },
      t("go on with", { game: titleOf(game) }),
    )
  );
}

export function gamePage(main, [name]) {
  const game = app.games.find(known => known.name === name);
  if (!game) throw new Error(t("no such game", { name }));
  document.title = `${titleOf(game)} · reynard`;
  main.className = "game-page";
  main.replaceChildren(
    h("div", { class: "preview" }, thumbnail(game)),
    h(
      "div",
      { class: "beginning" },
      h("h1", {}, titleOf(game)),
      h("p", { class: "about" }, aboutOf(game)),
      beginning(game),
    ),
    h("div", { class: "rules" }, rulesText(game)),
  );
}
