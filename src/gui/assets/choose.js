// The games to choose from, and the page of one: its rules in words and pictures, and how it is to be played.

import { app } from "./app.js";
import { button, h, keep, kept, randomName, s, select } from "./dom.js";
import { language, t, word } from "./texts.js";
import { tokenMarkup } from "./board.js";
import { thumbnail } from "./board-view.js";
import { LIMITS } from "./limits.js";

const GROUPS = [
  ["fox and geese", ["masters-15", "masters-13", "masters-17", "masters-22", "bell-13", "bell-15", "bell-17", "murray-13", "strutt-17", "renard-1668", "renard-1840", "refskak", "fox-and-hounds"]],
  ["two foxes and more", ["two-foxes-24", "halatafl", "gasetavl", "catch-the-hare", "bagha-chal"]],
  ["sieges", ["siege", "great-siege", "hex-siege"]],
  ["solitaire", ["solitaire", "solitaire-french"]],
  ["the game", ["the-game", "the-game-horn", "the-game-2010"]],
  ["goose", ["goose", "goose-team"]],
];

const textOf = game => game.text?.[language] ?? game.text?.en;
// Titles of the catalog in the person's language, where the language file has them.
const told = (key, game) => { const found = word(`${key} ${game.name}`); return found === `${key} ${game.name}` ? game[key] : found; };
export const titleOf = game => told("title", game);
const aboutOf = game => told("about", game);

export function choose(main) {
  document.title = "reynard";
  const byName = new Map(app.games.map(game => [game.name, game])), known = new Set(GROUPS.flatMap(([, names]) => names));
  const others = app.games.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  const groups = [...GROUPS, ["others", others]].map(([title, names]) => [title, names.filter(name => byName.has(name)).map(name => byName.get(name))]);
  main.className = "choose";
  main.replaceChildren(
    h("div", { class: "intro" }, h("h1", {}, t("choose a game")), h("p", {}, t("intro")), unfinished(byName),
      h("a", { class: "button", href: "#/own" }, t("own ruleset"))),
    ...groups.filter(([, games]) => games.length > 0).map(([title, games]) => h("section", {}, h("h2", {}, t(`group ${title}`)), h("ul", { class: "cards" }, games.map(card)))));
}

const card = game => h("li", {}, h("a", { class: "card", href: `#/game/${game.name}`, "data-game": game.name }, thumbnail(game), h("strong", {}, titleOf(game)), h("span", {}, aboutOf(game))));

function unfinished(byName) {
  const last = kept("last game");
  const saved = last && kept(`game ${last}`);
  const game = saved && byName.get(saved.variant);
  return game && !saved.end && h("a", { class: "button primary", href: `#/play/${game.name}?id=${last}` }, t("go on with", { game: titleOf(game) }));
}

export function gamePage(main, [name]) {
  const game = app.games.find(known => known.name === name);
  if (!game) return choose(main);
  document.title = `${titleOf(game)} · reynard`;
  main.className = "game-page";
  main.replaceChildren(
    h("div", { class: "preview" }, thumbnail(game)),
    h("div", { class: "beginning" }, h("h1", {}, titleOf(game)), h("p", { class: "about" }, aboutOf(game)), setup(game)),
    h("div", { class: "rules" }, rulesText(game)));
}

// Who sits where, how strong, and who begins.
function setup(game) {
  const wish = kept(`wish ${game.name}`, { side: game.seats.length > 1 ? String(bestSide(game)) : "0", against: "0", limit: "nodes 2000" });
  const engines = app.about.engines.map(({ name }, index) => [String(index), name]);
  const seats = game.seats.map((seat, index) => [String(index), word(seat)]);
  const isPuzzle = game.seats.length === 1;
  const change = key => value => { wish[key] = value; keep(`wish ${game.name}`, wish); show(); };
  const form = h("form", { class: "setup", onsubmit: event => { event.preventDefault(); start(game, wish); } });
  const show = () => {
    const withEngine = !isPuzzle && !["people"].includes(wish.against);
    form.replaceChildren(
      ...(isPuzzle ? [] : [select(t("against"), [...engines, ["people", t("two people")], ["engines", t("engine against engine")]], wish.against, change("against"), { name: "against" })]),
      ...(withEngine && wish.against !== "engines" ? [select(t("you play"), [...seats, ["any", t("by lot")]], wish.side, change("side"), { name: "side" })] : []),
      ...(wish.against === "engines" ? game.seats.map((seat, index) => engineOf(wish, index, word(seat), change)) : []),
      ...(withEngine && wish.against !== "engines" ? [select(t("strength"), LIMITS.map(limit => [limit, limitText(limit)]), wish.limit, change("limit"), { name: "limit" })] : []),
      h("p", { class: "begins" }, isPuzzle ? t("alone") : t("begins", { side: word(game.seats[0]) })),
      h("div", { class: "actions" }, h("button", { class: "primary", "data-action": "play" }, t("play")), h("a", { class: "button", href: `#/analyse/${game.name}` }, t("analyse freely"))));
  };
  show();
  return form;
}

// Which engine sits on a seat, and how strong it is.
function engineOf(wish, index, name, change) {
  const mine = (wish.engines ??= [])[index] ??= { engine: 0, limit: wish.limit }, set = key => value => { mine[key] = key === "engine" ? +value : value; change("engines")(wish.engines); };
  return h("div", { class: "pair two" }, select(name, app.about.engines.map((engine, number) => [number, engine.name]), mine.engine, set("engine")), select(t("strength"), LIMITS.map(limit => [limit, limitText(limit)]), mine.limit, set("limit")));
}

// The many are easier to begin with; where tables say otherwise the rules' text says so.
const bestSide = game => Math.max(0, game.game.pieces.findIndex(({ kind }) => kind === "goose") >= 0 ? game.seats.indexOf(game.rules.geese_side) : 0);

export function limitText(limit) {
  const [kind, value] = limit.split(" ");
  return kind === "nodes" ? t("limit nodes", { n: (+value).toLocaleString(language) }) : t("limit time", { n: +value / 1000 });
}

function start(game, { side, against, limit, engines }) {
  const id = randomName(), count = game.seats.length;
  const mine = side === "any" ? Math.floor(Math.random() * count) : +side;
  const seats = game.seats.map((_, index) => count === 1 || against === "people" || (against !== "engines" && index === mine) ? null : against === "engines" ? { engine: 0, limit, ...engines?.[index] } : { engine: +against, limit });
  keep(`game ${id}`, { variant: game.name, seats, tree: { start: null, moves: [], at: [] }, isTurned: turnedFor(game, seats) });
  location.hash = `#/play/${game.name}?id=${id}`;
}

// The own side is near: fox sides of a hunt stand at the top.
function turnedFor(game, seats) {
  const mine = seats.findIndex(seat => seat === null), only = seats.filter(seat => seat === null).length === 1;
  return only && game.family === "the_game" && mine === 1;
}

// The rules in words, with pictures of how the pieces move.
export function rulesText(game) {
  const text = textOf(game);
  const part = (title, ...inner) => h("section", {}, h("h3", {}, title), ...inner);
  const kinds = game.game.pieces.filter(({ steps, jumps }) => steps.length + jumps.length > 0);
  const pictures = kinds.length > 0 && h("div", { class: "diagrams" }, kinds.map(kind => diagram(game, kind)));
  if (!text) return [h("h2", {}, t("rules")), h("p", {}, aboutOf(game)), pictures, h("p", { class: "quiet" }, game.source)];
  return [
    h("h2", {}, t("rules")), part(t("set-up"), h("p", {}, text.setup)),
    ...text.sides.map(side => part(word(side.name), h("p", {}, h("b", {}, `${t("goal")}: `), side.goal), h("p", {}, h("b", {}, `${t("moves")}: `), side.moves))),
    pictures, part(t("captures"), h("p", {}, text.captures)),
    text.special.length > 0 && part(t("special"), text.special.map(line => h("p", {}, line))),
    part(t("end"), h("p", {}, text.end)), text.balance && part(t("balance"), h("p", {}, text.balance)), h("p", { class: "quiet" }, game.source)];
}

function diagram(game, { kind, owner, steps, jumps }) {
  const seat = +owner.slice(1) - 1, side = game.seats[seat];
  const reach = jumps.length > 0 ? 2 : 1, size = 44 * reach + 26;
  const svg = s("svg", { class: "board small", viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`, role: "img", "aria-label": t("diagram", { side: word(side), steps: steps.length, jumps: jumps.length }) });
  const at = ([x, y], far) => `${x * 44 * far} ${-y * 44 * far}`;
  const foe = game.game.pieces.find(other => other.owner !== owner) ?? game.game.pieces[0];
  const place = (piece, where) => tokenMarkup(piece.kind, +piece.owner.slice(1) - 1, game.seats[+piece.owner.slice(1) - 1], { transform: `translate(${where})` });
  const dot = where => `<circle class="dot" r="4" transform="translate(${where})"/>`;
  const along = jumps.filter(([x, y]) => x === 0 || y === 0), straight = along.length > 0 ? along : jumps;
  svg.innerHTML = [
    `<g class="lines">${[...steps, ...jumps].map(way => `<path d="M0 0L${at(way, jumps.length > 0 && jumps.some(j => String(j) === String(way)) ? 2 : 1)}"/>`).join("")}</g>`,
    ...straight.map(way => place(foe, at(way, 1)) + `<path class="leap" d="M0 0Q${(way[0] * 44 + way[1] * 34)} ${(-way[1] * 44 + way[0] * 34)} ${at(way, 1.86)}"/>` + dot(at(way, 2))),
    ...steps.filter(way => !straight.some(jump => String(jump) === String(way))).map(way => dot(at(way, 1))), place({ kind, owner }, "0 0"),
  ].join("");
  const said = [steps.length > 0 && t("diagram steps"), jumps.length > 0 && t("diagram jumps")].filter(Boolean).join(" · ");
  return h("figure", {}, svg, h("figcaption", {}, `${word(side)}: ${said}`));
}

