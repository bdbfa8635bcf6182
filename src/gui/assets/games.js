// What is known of a game: of the catalog, or of a ruleset of one's own.

import { randomName } from "./dom.js";
import { app, go } from "./page.js";
import { post } from "./server.js";
import { foxHomes, startWith } from "./setup.js";
import { keep, kept, keptKeys } from "./store.js";
import { language, t, word } from "./texts.js";

const DAY_MS = 86_400_000;
// The game of who names none.
export const FIRST = "masters-15";

export const textOf = game => game.text?.[language] ?? game.text?.en;
// In the person's language, where the language file has them.
export const titleOf = ({ name, title }) => word(`title ${name}`, title);
export const aboutOf = ({ name, about }) => word(`about ${name}`, about);
// The game of the catalog that has a name.
export const catalogued = variant => app.games.find(({ name }) => name === variant);
// Its title; of others the name.
export function nameOf(variant) {
  const known = catalogued(variant);
  return known ? titleOf(known) : (variant ?? "");
}

export const engineName = index => app.about.engines[index]?.name ?? "?";

// A game of the catalog, or of the text of an own ruleset, which the server has to know.
export async function gameOf(name, own) {
  const known = catalogued(name || FIRST);
  if (known && !own) return known;
  if (!own) throw new Error(t("no such game", { name }));
  const { game, error } = await ownGame(own);
  if (!game) throw new Error(error);
  return game;
}

// The answer of the server to the text of a ruleset, with `game` where it is one.
export async function ownGame(text) {
  const reply = await post("/api/ruleset", text);
  return reply.ok ? { ...reply, game: { ...reply.game, ruleset: reply.id, own: text } } : reply;
}

// Who wins a game of the catalog from its start with best play: a seat's number, "draw", or null where nobody knows.
export function solvedFor({ text, seats }) {
  const solved = text?.en?.solved;
  return solved === "draw" ? solved : seats.includes(solved) ? seats.indexOf(solved) : null;
}

// Whether that holds wherever the one fox begins.
export const isProvedAnywhere = ({ text, rules }) =>
  rules.foxes === 1 && /wherever (the \w+|it) (starts|is put)/.test(text?.en?.balance);

// The share of the game that its first player has then, of a tree that begins where the proof holds.
export const provedShare = ({ game, tree }) =>
  !tree.start || (isProvedAnywhere(game) && foxHomes(game).some(point => startWith(game, point) === tree.start))
    ? ({ 0: 1, 1: 0, draw: 0.5 }[solvedFor(game)] ?? null)
    : null;

// In a sentence, as it is "solved" or a "table" says it; "" where nobody knows.
export function provedText({ game }, share, by = "solved", plies = "") {
  const kind = share === 0.5 ? "draw" : "win";
  return share === null ? "" : t(`known ${by} ${kind}`, { side: word(game.seats[1 - share]), plies });
}

// The seat of the many of a hunt; else the first.
export const manySeat = ({ seats, rules }) => Math.max(0, seats.indexOf(rules.geese_side));

// The player of its few.
export const fewOf = ({ seats, rules }) => `p${seats.indexOf(rules.fox_side) + 1}`;

// Whether the dice decide alone.
export const isLot = ({ family, rules }) => family === "goose" && rules?.team === false;

// "play" or "analyse": what a game was begun for, whatever tab of it was open last.
export const kindOf = ({ kind, mode }) => kind ?? (mode === "play" ? "play" : "analyse");

// The names of those who play a game, or have played it.
export const namesOf = ({ players, seats = [] }) =>
  players ?? seats.map(seat => (seat ? engineName(seat.engine) : t("a person")));

// The browser keeps a game, or null of it, and what lists show of it apart, so that they need not read all games.
export function keepGame(id, game) {
  keep(`game ${id}`, game);
  keep(`about ${id}`, game && summary(game));
}
function summary({ variant, players, seats, date, outcome, isTouched, tree, ...game }) {
  let plies = 0;
  for (let at = tree.moves[0]; at; at = at.find(Array.isArray)) plies++;
  const { start, comment } = tree;
  return { variant, players, seats, date, outcome, isTouched, plies, start, comment, kind: kindOf(game) };
}
// Whether no person has done anything in it.
const isIdle = ({ kind, seats, isTouched, plies, start, comment }) =>
  (kind === "play" && isTouched === false && seats?.includes(null)) || !(plies > 0 || start || comment);
export const keptGame = id => kept(`game ${id}`);

// Of the games that this browser keeps what lists show, the last first; those in which something was done, or others.
export const keptGames = (isWanted = game => !isIdle(game)) =>
  keptKeys()
    .filter(key => key.startsWith("game "))
    .map(key => key.slice(5))
    .map(id => ({ id, ...(kept(`about ${id}`) ?? (keptGame(id)?.tree && summary(keptGame(id)))) }))
    .filter(game => game.variant && isWanted(game))
    .sort((a, b) => (b.date ?? 0) - (a.date ?? 0));

// Keeps a new game in the browser, and goes to its table. Older ones in which nothing has happened are dropped.
export function newGame(view, { name, own }, saved, tab = "") {
  const id = randomName(),
    date = Date.now(),
    isOld = game => isIdle(game) && (game.date ?? 0) < date - DAY_MS;
  for (const { id } of keptGames(isOld)) keepGame(id, null);
  const fresh = { variant: name, own, kind: view, date, isTouched: false, tree: { start: null, moves: [], at: [] } };
  keepGame(id, { ...fresh, ...saved });
  go(`#/${view}/${encodeURIComponent(name)}?id=${id}${tab && `&tab=${tab}`}`);
}
