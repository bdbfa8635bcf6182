// How the games of the catalog stand on the first page: variants of one game together, games of one kind or region together.

// [kind, region, minutes, difficulty from 1 to 3, variants]; what is not here has a card of its own.
// prettier-ignore
const GAMES = [
  ["fox", "britain", 15, 1, ["masters-15", "masters-13", "masters-17", "masters-22"]],
  ["fox", "britain", 15, 2, ["bell-13", "bell-15", "bell-17"]],
  ["fox", "france", 15, 2, ["renard-1668", "renard-1840"]],
  ["fox", "britain", 15, 2, ["murray-13"]],
  ["fox", "britain", 15, 2, ["strutt-17"]],
  ["fox", "north", 15, 2, ["refskak"]],
  ["fox", "north", 20, 2, ["gasetavl"]],
  ["fox", "north", 20, 3, ["halatafl"]],
  ["fox", "britain", 20, 3, ["two-foxes-24"]],
  ["hounds", "north", 5, 1, ["fox-and-hounds"]],
  ["fox", "france", 15, 2, ["jeu-de-renard"]],
  ["hounds", "france", 5, 1, ["hare-and-hounds"]],
  ["hounds", "south", 10, 2, ["catch-the-hare"]],
  ["hounds", "south", 10, 1, ["gioco-dell-orso"]],
  ["tigers", "asia", 20, 3, ["bagha-chal"]],
  ["tigers", "asia", 20, 3, ["aadu-puli-attam"]],
  ["tigers", "asia", 10, 1, ["hat-diviyan-keliya"]],
  ["tigers", "asia", 10, 1, ["len-choa"]],
  ["tigers", "asia", 10, 1, ["kaooa"]],
  ["tigers", "asia", 25, 3, ["diviyan-keliya"]],
  ["tigers", "asia", 20, 2, ["buga-shadara"]],
  ["tigers", "asia", 20, 2, ["main-tapal-empat"]],
  ["tigers", "asia", 15, 2, ["sua-ghin-gnua"]],
  ["tigers", "asia", 20, 2, ["rimau"]],
  ["tigers", "asia", 20, 2, ["sher-bakar"]],
  ["tigers", "america", 15, 2, ["adugo"]],
  ["tigers", "america", 15, 2, ["komikan"]],
  ["tigers", "america", 15, 2, ["yaguarete-kora"]],
  ["sieges", "south", 25, 2, ["siege", "great-siege", "hex-siege"]],
  ["puzzles", "france", 10, 2, ["solitaire", "solitaire-french"]],
  ["races", "south", 15, 1, ["goose", "goose-team"]],
  ["others", "america", 20, 2, ["the-game", "the-game-horn", "the-game-2010"]],
];
const PREDATORS = ["tiger", "leopard", "lion", "jaguar"],
  REGIONS = {
    "South Asia": "asia",
    "Southeast Asia": "asia",
    "East and North Asia": "asia",
    Europe: "europe",
    "The Americas and the Pacific": "america",
  },
  KINDS = { goose: "races", solitaire: "puzzles" };

// The kind of a game that is not on the shelf, by what its data say.
function kindOf({ family, seats, board, rules }) {
  if (family !== "hunt") return KINDS[family] ?? "others";
  if (board.regions?.fortress?.length > 0) return "sieges";
  if (PREDATORS.some(animal => rules.fox_side?.startsWith(animal))) return "tigers";
  return seats.some(side => side === "hounds" || side === "hare") ? "hounds" : "fox";
}

// Cards in groups, [title, cards], by "kind" or by "region"; a card is {variants, minutes, difficulty}.
export function shelf(games, by = "kind") {
  const byName = new Map(games.map(game => [game.name, game])),
    isKnown = new Set(GAMES.flatMap(each => each.at(-1)));
  const rest = games
    .filter(({ name }) => !isKnown.has(name))
    .map(game => [kindOf(game), REGIONS[game.region] ?? "others", 0, 0, [game.name]]);
  const cards = [...GAMES, ...rest]
    .map(([kind, region, minutes, difficulty, names]) => {
      const variants = names.map(name => byName.get(name)).filter(Boolean);
      return { kind, region, minutes, difficulty, variants };
    })
    .filter(({ variants }) => variants.length > 0);
  return [...new Set(cards.map(card => card[by]))].map(title => [title, cards.filter(card => card[by] === title)]);
}

// The variants of the game that one belongs to.
export const siblings = (games, name) =>
  shelf(games)
    .flatMap(([, cards]) => cards)
    .find(({ variants }) => variants.some(each => each.name === name)).variants;
