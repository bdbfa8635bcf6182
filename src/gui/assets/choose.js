// The first page: a board that invites, the games to go on with, all games; and the page of one.

import { button, check, fill, h, icon, numberField, select } from "./dom.js";
import { described, fileButton } from "./files.js";
import { foreignGames } from "./foreign.js";
import {
  FIRST,
  aboutOf,
  catalogued,
  engineName,
  gameOf,
  keptGames,
  manySeat,
  newGame,
  solvedFor,
  titleOf,
} from "./games.js";
import { rulesText } from "./rules-text.js";
import { namesOf, search, shelf, siblings, wordsOf } from "./shelf.js";
import { app } from "./page.js";
import { latest } from "./server.js";
import { keep, kept } from "./store.js";
import { offerPlayers, seatFields, strengthSelect, usualLimit } from "./strengths.js";
import { t, word } from "./texts.js";
import { laterThumbnail, sideToken, thumbnail } from "./board-parts.js";

const MOST_RECENT = 3,
  // Of a group at first: a row of a wide page.
  MOST_SHOWN = 4,
  // Of a race.
  PLAYERS = [2, 3, 4, 5, 6, 7, 8];

export function choose(main) {
  document.title = "reynard";
  main.className = "choose";
  const games = h(".shelf"),
    { find, none, look } = finder(games);
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
    invitation(catalogued(FIRST)),
    games,
    h(".actions", [h("a.button", { href: "#/own" }, icon("pencil"), t("own ruleset")), fileButton()]),
  ]);
  if (app.about.engines.length > 1)
    foreignGames().then(found => {
      if (main.className === "choose" && found.length > 0)
        games.after(h(".shelf", section(t("group foreign"), found.map(foreign))));
    });
}

// A field that shows the cards of a shelf which have its words, and what is said where none has.
export function finder(games) {
  const look = () => {
    const found = search(find.value, [...games.querySelectorAll(".card")]),
      isSearched = /[\p{L}\d]/u.test(find.value);
    games.classList.toggle("searched", isSearched);
    // What is found is seen while one types.
    if (isSearched) games.scrollIntoView();
    none.textContent = found.length > 0 ? "" : t("nothing found", { words: find.value.trim() });
  };
  const attributes = { type: "search", "aria-label": t("search"), placeholder: t("for example"), oninput: look },
    find = h("input", attributes),
    none = h("p", { role: "status" });
  return { find, none, look };
}

export function section(title, cards) {
  const all = () => group.classList.add("whole"),
    more =
      cards.length > MOST_SHOWN && button(t("all of group", { n: cards.length }), all, { class: "more", icon: "plus" }),
    group = h("section", h("h3", title), h("ul.cards", cards), more);
  return group;
}

// One click, and one plays a side of the game that most people know against an easy program.
function invitation(game) {
  const easy = { engine: 0, limit: usualLimit(game) },
    play = side => () => newGame("play", game, { seats: game.seats.map((_, seat) => (seat === side ? null : easy)) }),
    text = name => t("play side", { side: word(name) }),
    choice = (name, side) =>
      button(text(name), play(side), { class: side === 0 && "primary", icon: "play", "data-action": `play-${name}` });
  return h("section.invitation", [
    h(".words", [
      h("h1", t("invitation")),
      h("p", t("intro")),
      h(".actions", game.seats.map(choice)),
      h("p.quiet", t("against easy")),
      recent(),
    ]),
    h("button.hero", { type: "button", onclick: play(0), "aria-label": text(game.seats[0]) }, thumbnail(game)),
  ]);
}

// The last games that have no end yet.
function recent() {
  const isOpen = ({ variant, outcome, kind }) => catalogued(variant) && kind === "play" && !outcome,
    open = keptGames().filter(isOpen).slice(0, MOST_RECENT).map(described),
    picture = variant => thumbnail(catalogued(variant));
  const line = ({ id, variant, href, title, day }) =>
    h("a", { href, "data-recent": id }, picture(variant), h("span", title, h("small", day)), icon("chevron-right"));
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
  const number = ({ name }) => /\d+$/.exec(name)?.[0],
    name = game => number(game) ?? word(`variant ${game.name}`),
    isOfGeese = game => +number(game) === game.rules.geese?.length + game.rules.drops,
    side = games.some(isOfGeese) && h("small", word(games[0].rules.geese_side)),
    chip = game => h("a.button", { href: page(game), title: aboutOf(game), ...attributesOf(game) }, name(game));
  return games.length > 1 && h(".chips", side, games.map(chip));
};

function card({ variants, minutes, difficulty, region }) {
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
  return Object.assign(made, { words: wordsOf([made.textContent, t(`group ${region}`), ...variants.map(namesOf)]) });
}

export const best = (game, winner) =>
  winner === "draw"
    ? [icon("scale"), t("best draw")]
    : [sideToken(game, winner), t("best win", { side: word(game.seats[winner]) })];

export function game(main, [name]) {
  const game = catalogued(name);
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

// How a game is to begin: who sits where, how strong, and how long everybody may think. The form remembers what was wished
// the last time.
function beginning(game) {
  const { name } = game,
    usual = { against: "0", side: "0", limit: usualLimit(game), minutes: 5, seconds: 3, engines: [] },
    wish = { ...usual, ...kept(`wish ${name}`), ...(game.family === "hunt" && { side: sideFor(game) }) },
    isWished = index => [wish.against, ...wish.engines.map(seat => seat?.engine)].some(each => +each === index),
    // A side that runs out of time leaves the game to one other.
    hasClocks = () => game.seats.length === 2,
    isTimed = () => hasClocks() && wish.hasClock === true,
    form = h("form.setup", { onsubmit: start }),
    error = h("p.wrong", { role: "alert" });
  let players = [];
  const put = key => value => {
    wish[key] = value;
    keep(`wish ${name}`, wish);
    if (key === "side" && game.family === "hunt")
      keep("side", value === "any" ? value : +value === manySeat(game) ? "many" : "few");
  };
  // A choice may change what else there is to choose.
  const change = key => value => (put(key)(value), show());
  // So many play a race: by the ruleset of the catalog, or by one of one's own.
  const gather = latest(async players => {
    const isUsual = players === catalogued(name).seats.length,
      own = isUsual ? "" : JSON.stringify({ name, title: game.title, extends: name, players }),
      found = await gameOf(name, own).catch(({ message }) => void (error.textContent = message));
    if (!found) return show();
    game = found;
    error.textContent = "";
    if (wish.side >= players) wish.side = "0";
    change("players")(players);
  });
  function show() {
    // Who was wished before may be none of the engines any more.
    const isThere = index => players.some(([known]) => known === +index);
    if (/^\d+$/.test(wish.against) && !isThere(wish.against)) wish.against = "0";
    for (const seat of wish.engines) if (seat && !isThere(seat.engine)) seat.engine = 0;
    fill(form, [
      game.family === "goose" && select(t("players"), PLAYERS, game.seats.length, n => gather(+n), { name: "players" }),
      game.seats.length > 1 && opponents(),
      hasClocks() && check(t("with clocks"), isTimed(), change("hasClock"), { name: "clocks" }),
      isTimed() && h(".pair.two", number("minutes", 0.25, 180, 0.25), number("seconds", 0, 60, 1)),
      error,
      h("p.begins", game.seats.length > 1 ? t("begins", { side: word(game.seats[0]) }) : t("alone")),
      h(".actions", [
        h("button.primary", { "data-action": "play" }, icon("play"), t("play")),
        h("a.button", { href: `#/analyse/${game.name}` }, icon("microscope"), t("analyse freely")),
      ]),
    ]);
  }

  function opponents() {
    const all = [...players, ["people", t("two people")], ["engines", t("engine against engine")]],
      sides = [...game.seats.map((seat, index) => [index, word(seat)]), ["any", t("by lot")]],
      single = { engine: +wish.against, limit: wish.limit };
    return [
      select(t("against"), all, wish.against, change("against"), { name: "against" }),
      wish.against === "engines" && game.seats.map(engineOf),
      /^\d+$/.test(wish.against) && [
        select(t("you play"), sides, wish.side, change("side"), { name: "side" }),
        strengthSelect(game, single, t("strength"), isTimed(), change("limit")),
      ],
    ];
  }

  // Which engine sits on a seat, and how strong it is.
  function engineOf(side, index) {
    const mine = (wish.engines[index] ??= { engine: 0, limit: wish.limit }),
      set = part => change("engines")(Object.assign(wish.engines, { [index]: { ...mine, ...part } }));
    return seatFields(game, mine, word(side), {
      players,
      clock: isTimed(),
      onPlayer: engine => set({ engine: +engine }),
      onLimit: limit => set({ limit }),
    });
  }

  function number(key, min, max, step) {
    const onchange = ({ target }) => target.checkValidity() && put(key)(+target.value);
    return numberField(t(`clock ${key}`), { name: key, min, max, step, value: wish[key], required: true, onchange });
  }

  function start(event) {
    event.preventDefault();
    const { side, against, limit, engines } = wish,
      count = game.seats.length,
      mine = side === "any" ? Math.floor(Math.random() * count) : +side;
    const seat = index => {
      if (count === 1 || against === "people") return null;
      if (against === "engines") return { engine: 0, limit, ...engines[index] };
      return index === mine ? null : { engine: +against, limit };
    };
    const seats = game.seats.map((_, index) => seat(index)),
      clock = isTimed() ? { base: wish.minutes * 60_000, increment: wish.seconds * 1000 } : null,
      // The only person's side would stand at the top; fox sides of a hunt do.
      isTurned = game.family === "the_game" && seats[0] !== null && seats[1] === null;
    newGame("play", game, { seats, clock, isTurned });
  }

  offerPlayers(game, isWished, found => ((players = found), show()));
  if (wish.players) gather(wish.players);
  return form;
}

// Who played the few last time plays them in the next game, too, wherever they sit; the many are easier to begin with.
function sideFor(game) {
  const side = kept("side", "many");
  return side === "any" ? side : String((manySeat(game) + (side === "few")) % game.seats.length);
}
