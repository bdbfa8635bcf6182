// The first page: a board that invites, the games to go on with, all games; and the page of one.

import { beginning } from "./begin.js";
import { button, fill, h, icon } from "./dom.js";
import { fileButton } from "./files.js";
import { foreignGames } from "./foreign.js";
import { aboutOf, engineName, keptGames, newGame, solvedFor, titleOf } from "./games.js";
import { rulesText } from "./rules-text.js";
import { namesOf, search, shelf, siblings, wordsOf } from "./shelf.js";
import { app } from "./page.js";
import { keep, kept } from "./store.js";
import { usualLimit } from "./strengths.js";
import { region, t, word } from "./texts.js";
import { laterThumbnail, sideToken, thumbnail } from "./board-parts.js";

const FIRST = "masters-15",
  MOST_RECENT = 3,
  // Of a group at first: a row of a wide page.
  MOST_SHOWN = 4;

export function choose(main) {
  document.title = "reynard";
  main.className = "choose";
  const games = h(".shelf"),
    attributes = { type: "search", "aria-label": t("search"), placeholder: t("for example"), oninput: () => look() },
    find = h("input", attributes);
  const none = h("p", { role: "status" });
  function look() {
    const found = search(find.value, [...games.querySelectorAll(".card")]),
      isSearched = /[\p{L}\d]/u.test(find.value);
    games.classList.toggle("searched", isSearched);
    // What is found is seen while one types.
    if (isSearched) games.scrollIntoView();
    none.textContent = found.length > 0 ? "" : t("nothing found", { words: find.value.trim() });
  }
  const show = by => {
    keep("shelf", by);
    const way = name =>
      button(t(`by ${name}`), () => show(name), { "aria-pressed": String(name === by), "data-action": `by-${name}` });
    fill(games, [
      h("header", h("h2", t("all games")), h(".chips", way("kind"), way("region")), find),
      none,
      shelf(app.games, by).map(([title, cards]) => section(t(`group ${title}`), cards.map(card))),
    ]);
    look();
  };
  show(kept("shelf", "kind"));
  fill(main, [
    invitation(app.games.find(({ name }) => name === FIRST)),
    games,
    h(".actions", [h("a.button", { href: "#/own" }, icon("pencil"), t("own ruleset")), fileButton()]),
  ]);
  if (app.about.engines.length > 1)
    foreignGames().then(found => {
      if (main.className === "choose" && found.length > 0)
        games.after(h(".shelf", section(t("group foreign"), found.map(foreign))));
    });
}

function section(title, cards) {
  const all = () => group.classList.add("whole"),
    more = cards.length > MOST_SHOWN && button(t("all of group", { n: cards.length }), all, { class: "more" }),
    group = h("section", h("h3", title), h("ul.cards", cards), more);
  return group;
}

// One click, and one plays the geese of the game that most people know against an easy fox.
function invitation(game) {
  const easy = { engine: 0, limit: usualLimit(game) },
    play = side => () => newGame("play", game, { seats: game.seats.map((_, seat) => (seat === side ? null : easy)) });
  return h("section.invitation", [
    h(".words", [
      h("h1", t("invitation")),
      h("p", t("intro")),
      h(".actions", [
        button(t("play fox and geese"), play(0), { class: "primary", icon: "play", "data-action": "play-first" }),
        button(t("play the fox"), play(1), { "data-action": "play-fox" }),
      ]),
      h("p.quiet", t("against easy")),
      recent(),
    ]),
    h("button.hero", { type: "button", onclick: play(0), "aria-label": t("play fox and geese") }, thumbnail(game)),
  ]);
}

// The last games that have no end yet.
function recent() {
  const byName = new Map(app.games.map(game => [game.name, game]));
  const isOpen = ({ variant, outcome, kind, plies }) => byName.has(variant) && kind === "play" && !outcome && plies > 0;
  const open = keptGames().filter(isOpen).slice(0, MOST_RECENT);
  const line = ({ id, variant, date }) =>
    h("a", { href: `#/play/${variant}?id=${id}`, "data-recent": id }, [
      thumbnail(byName.get(variant)),
      h("span", titleOf(byName.get(variant)), h("small", new Date(date).toLocaleDateString(region()))),
      icon("chevron-right"),
    ]);
  return open.length > 0 && h(".recent", h("h3", t("go on with")), open.map(line));
}

// A game that an engine of somebody else knows: without a picture.
function foreign({ index, variant }) {
  const href = `#/foreign/${index}/${encodeURIComponent(variant)}`,
    link = h("a", { href, "data-foreign": variant }, h("strong", variant), h("span", engineName(index)));
  return h("li.card", link);
}

const page = game => `#/game/${game.name}`;
// A variant is known by the number in its name, of geese or of a year, else by a word.
const chips = (games, attributesOf) => {
  const name = ({ name }) => /\d+$/.exec(name)?.[0] ?? word(`variant ${name}`),
    chip = game => h("a", { href: page(game), title: aboutOf(game), ...attributesOf(game) }, name(game));
  return games.length > 1 && h(".chips", [games.map(chip)]);
};

function card({ variants, minutes, difficulty }) {
  const [first] = variants,
    winner = solvedFor(first),
    isOne = variants.length === 1;
  const made = h("li.card", [
    h("a", { href: page(first), ...(isOne && { "data-game": first.name }) }, [
      laterThumbnail(first),
      h("strong", isOne ? titleOf(first) : titleOf(first).split(",")[0]),
      h("span", aboutOf(first)),
    ]),
    chips(variants, ({ name }) => ({ "data-game": name })),
    h(".marks", [
      h("span", [first.seats.map((_, seat) => sideToken(first, seat))]),
      minutes > 0 && h("span", { title: t("usual time") }, icon("clock"), t("minutes", { n: minutes })),
      difficulty > 0 &&
        h("span", { title: t("difficulty") }, [
          h("i", { "aria-hidden": "true" }, "●".repeat(difficulty), "○".repeat(3 - difficulty)),
          t(`difficulty ${difficulty}`),
        ]),
      winner !== null && h("span", { title: t("best play") }, best(first, winner)),
    ]),
  ]);
  return Object.assign(made, { words: wordsOf([made.textContent, ...variants.map(namesOf)]) });
}

export const best = (game, winner) =>
  winner === "draw"
    ? [icon("scale"), t("best draw")]
    : [sideToken(game, winner), t("best win", { side: word(game.seats[winner]) })];

export function gamePage(main, [name]) {
  const game = app.games.find(known => known.name === name);
  if (!game) throw new Error(t("no such game", { name: name ?? "" }));
  const variants = siblings(app.games, name);
  document.title = `${titleOf(game)} · reynard`;
  main.className = "game-page";
  fill(main, [
    h(".preview", thumbnail(game)),
    h(".beginning", [
      h("h1", titleOf(game)),
      h("p.about", aboutOf(game)),
      chips(variants, each => ({ "aria-current": each === game ? "page" : null })),
      beginning(game),
    ]),
    h(".rules", rulesText(game)),
  ]);
}
