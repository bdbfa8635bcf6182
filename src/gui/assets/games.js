// What is known of a game: of the catalog, or of a ruleset of one's own.

import { keep, kept, keptKeys, randomName } from "./dom.js";
import { app, go } from "./page.js";
import { post } from "./server.js";
import { language, t, word } from "./texts.js";

const DAY_MS = 86_400_000;

export const textOf = game => game.text?.[language] ?? game.text?.en;
// Titles of the catalog in the person's language, where the language file has them.
const told = (key, game) => {
  const found = word(`${key} ${game.name}`);
  return found === `${key} ${game.name}` ? game[key] : found;
};
export const titleOf = game => told("title", game);
export const aboutOf = game => told("about", game);

export const engineName = index => app.about.engines[index]?.name ?? "?";

// A game of the catalog, or of the text of an own ruleset, which the server has to know.
export async function gameOf(name, own) {
  const known = app.games.find(game => game.name === name);
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
  const solved = text?.en?.solved ?? null;
  return solved === null || solved === "draw" ? solved : seats.indexOf(solved);
}

// The games that this browser keeps, the last first.
export const keptGames = () =>
  keptKeys()
    .filter(key => key.startsWith("game "))
    .map(key => ({ id: key.slice(5), ...kept(key) }))
    .filter(({ tree }) => tree)
    .sort((a, b) => (b.date ?? 0) - (a.date ?? 0));

// "play" or "analyse": what a game was begun for, whatever tab of it was open last.
export const kindOf = ({ kind, mode }) => kind ?? (mode === "play" ? "play" : "analyse");

// The names of those who play a game, or have played it.
export const namesOf = ({ players, seats = [] }) =>
  players ?? seats.map(seat => (seat ? engineName(seat.engine) : t("a person")));

// Keeps a new game in the browser, and goes to its table. Older ones in which nothing has happened are dropped.
export function newGame(view, { name, own }, saved, tab = "") {
  const id = randomName(),
    isIdle = ({ date = 0, tree: { start, moves } }) => !start && moves.length === 0 && date < Date.now() - DAY_MS;
  for (const { id } of keptGames().filter(isIdle)) keep(`game ${id}`, null);
  keep(`game ${id}`, {
    variant: name,
    own,
    kind: view,
    date: Date.now(),
    tree: { start: null, moves: [], at: [] },
    ...saved,
  });
  go(`#/${view}/${encodeURIComponent(name)}?id=${id}${tab && `&tab=${tab}`}`);
}
