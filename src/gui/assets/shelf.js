// How the games stand on the first page: variants of one game together, games of one kind or region together. Those that
// the data do not place have a card of their own.

import { pieceName } from "./telling.js";
import SHELF from "./shelf.json" with { type: "json" };

// The kind of a game that is not on the shelf, by what its data say.
function kindOf({ family, seats, board, rules }) {
  if (family !== "hunt") return SHELF.families[family] ?? "others";
  if (board.regions?.fortress?.length > 0) return "sieges";
  if (SHELF.predators.some(animal => rules.fox_side?.startsWith(animal))) return "tigers";
  if (rules.fox_captures === false || seats.some(side => ["hounds", "hare"].includes(side))) return "hounds";
  return seats.some(side => SHELF.foxes.includes(side)) ? "fox" : "hunts";
}

// How long a game takes and how hard it is, as a rule: the larger its board, the more.
const bySize = ({ board: { points } }) => ({
  minutes: Math.max(5, 5 * Math.round(points.length / 10)),
  difficulty: points.length <= 12 ? 1 : points.length <= 33 ? 2 : 3,
});

// Cards in groups, [title, cards], by "kind" or by "region"; a card is {variants, minutes, difficulty from 1 to 3}.
export function shelf(games, by = "kind") {
  const byName = new Map(games.map(game => [game.name, game])),
    placed = new Set(SHELF.cards.flatMap(({ names }) => names)),
    alone = game => ({ kind: kindOf(game), region: SHELF.regions[game.region] ?? "others", names: [game.name] });
  const cards = [...SHELF.cards, ...games.filter(({ name }) => !placed.has(name)).map(alone)]
    .map(card => ({ ...card, variants: card.names.map(name => byName.get(name)).filter(Boolean) }))
    .filter(({ variants }) => variants.length > 0)
    .map(card => ({ ...bySize(card.variants[0]), ...card }));
  return [...new Set(cards.map(card => card[by]))].map(title => [title, cards.filter(card => card[by] === title)]);
}

// The variants of the game that one belongs to.
export const siblings = (games, name) =>
  shelf(games)
    .flatMap(([, cards]) => cards)
    .find(({ variants }) => variants.some(each => each.name === name)).variants;

// Small letters without accents, of texts in lists.
const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
export const wordsOf = texts => plain(texts.flat(3).join(" "));
// All that people call a game: what plays there, in whatever language, and where it comes from, which its source says first;
// the titles of books behind it name other countries, too.
export const namesOf = ({ title, seats, source }) => [
  title,
  source.split(". ")[0],
  seats,
  seats.map(side => pieceName("fox", side)),
];

// How the beginning of a word is looked for: as it is; where nothing has all words, but for a letter.
const WAYS = [
  word => word,
  word =>
    word.length < 4 ? word : [...word].map((_, at) => `${word.slice(0, at)}.{0,2}${word.slice(at + 1)}`).join("|"),
];

// Hides the elements whose `words` are not all that is looked for; those that are shown.
export function search(text, elements) {
  const sought = plain(text).match(/[\p{L}\d]+/gu) ?? [],
    begins = (words, pattern) => new RegExp(`(?<![\\p{L}\\d])(?:${pattern})`, "u").test(words),
    having = way => elements.filter(({ words }) => sought.every(word => begins(words, way(word)))),
    found = WAYS.map(having).find(({ length }) => length > 0) ?? [];
  for (const element of elements) element.hidden = !found.includes(element);
  return found;
}
