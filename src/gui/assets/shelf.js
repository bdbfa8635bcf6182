// How the games stand on the first page: variants of one game together, games of one kind or region together. Those that
// the data do not place have a card of their own.

import SHELF from "./shelf.json" with { type: "json" };

// The kind of a game that is not on the shelf, by what its data say.
function kindOf({ family, seats, board, rules }) {
  if (family !== "hunt") return SHELF.families[family] ?? "others";
  if (board.regions?.fortress?.length > 0) return "sieges";
  if (SHELF.predators.some(animal => rules.fox_side?.startsWith(animal))) return "tigers";
  if (rules.fox_captures === false || seats.some(side => ["hounds", "hare"].includes(side))) return "hounds";
  return seats.some(side => SHELF.foxes.includes(side)) ? "fox" : "hunts";
}

// Cards in groups, [title, cards], by "kind" or by "region"; a card is {variants, minutes, difficulty from 1 to 3}.
export function shelf(games, by = "kind") {
  const byName = new Map(games.map(game => [game.name, game])),
    placed = new Set(SHELF.cards.flatMap(({ names }) => names)),
    alone = game => ({ kind: kindOf(game), region: SHELF.regions[game.region] ?? "others", names: [game.name] });
  const cards = [...SHELF.cards, ...games.filter(({ name }) => !placed.has(name)).map(alone)]
    .map(card => ({ ...card, variants: card.names.map(name => byName.get(name)).filter(Boolean) }))
    .filter(({ variants }) => variants.length > 0);
  return [...new Set(cards.map(card => card[by]))].map(title => [title, cards.filter(card => card[by] === title)]);
}

// The variants of the game that one belongs to.
export const siblings = (games, name) =>
  shelf(games)
    .flatMap(([, cards]) => cards)
    .find(({ variants }) => variants.some(each => each.name === name)).variants;
