// Small pictures of how each side wins, from the data of the rules alone.

import { tokenMarkup } from "./board.js";
import { picture, thumbnail } from "./board-parts.js";
import { h } from "./dom.js";
import { prison } from "./setup.js";
import { seatOf } from "./telling.js";
import { t, word } from "./texts.js";

// By family: {key, values for its text ...} with the `pieces` and `marked` points of a board, or the tokens of a `toll`.
const FAMILIES = { hunt: huntWins, solitaire: targetWins, the_game: basisWins, goose: finishWins };
const TOKENS_A_ROW = 6,
  TOKEN = 40;

export function winDiagrams(game) {
  const figure = ({ key, pieces, marked, toll, ...values }) => {
    const label = t(`win ${key}`, values);
    return h("figure", { "data-win": key }, [
      toll ? tokens(game, toll, label) : thumbnail(game, { pieces, marked, label }),
      h("figcaption", label),
    ]);
  };
  const wins = FAMILIES[game.family]?.(game) ?? [];
  return wins.length > 0 && h(".diagrams.wins", wins.map(figure));
}

const on = (piece, ...points) => points.map(point => ({ ...piece, point, count: 1 }));

function huntWins(game) {
  const { rules, board } = game,
    [fox, goose] = ["fox", "goose"].map(kind => game.game.pieces.find(piece => piece.kind === kind)),
    [foxes, geese] = [rules.fox_side, rules.geese_side].map(word),
    [den, ring] = prison(game, fox),
    wins = [{ key: "shut in", side: geese, foxes, pieces: [...on(fox, den), ...on(goose, ...ring)] }];
  if (rules.fortress.length > 0)
    wins.push({ key: "fortress", side: geese, pieces: on(goose, ...rules.fortress), marked: rules.fortress });
  if (rules.fox_captures) {
    const toll = { piece: goose, all: rules.geese.length + rules.drops, kept: rules.fox_wins_below - 1 };
    wins.push({ key: "captured", side: foxes, geese, n: rules.fox_wins_below, toll });
  }
  if (rules.fox_home_wins) {
    const least = Math.min(...board.points.map(({ y }) => y)),
      row = board.points.filter(({ y }) => y === least).map(({ name }) => name);
    wins.push({ key: "home", side: foxes, pieces: on(fox, row[row.length >> 1]), marked: row });
  }
  return wins;
}

// All of a side, those crossed out that may be lost before it has lost.
function tokens({ seats }, { piece, all, kept }, label) {
  const rows = Math.ceil(all / TOKENS_A_ROW),
    middle = place => (place + 0.5) * TOKEN;
  const one = (_, index) => {
    const transform = `translate(${middle(index % TOKENS_A_ROW)} ${middle(Math.floor(index / TOKENS_A_ROW))})`;
    return index < kept
      ? tokenMarkup(piece, seats, { transform })
      : `${tokenMarkup(piece, seats, { transform, opacity: 0.45 })}<path class="gone" transform="${transform}" d="M-9 -9L9 9M9 -9L-9 9"/>`;
  };
  return picture(`0 0 ${TOKENS_A_ROW * TOKEN} ${rows * TOKEN}`, Array.from({ length: all }, one).join(""), label);
}

function targetWins({ rules, game: { pieces } }) {
  // A single peg anywhere is drawn where the first hole was empty.
  const target = Array.isArray(rules.target) ? rules.target : rules.vacancy.slice(0, 1);
  return [{ key: "solved", pieces: on(pieces[0], ...target), marked: target }];
}

function basisWins({ rules, seats, game: { pieces } }) {
  return pieces.map(piece => {
    const seat = seatOf(piece.owner),
      basis = rules.basis[1 - seat];
    return { key: "basis", side: word(seats[seat]), pieces: on(piece, basis), marked: [basis] };
  });
}

function finishWins({ board, game: { pieces } }) {
  const finish = board.points.find(({ kind }) => kind === "finish")?.name;
  return finish ? [{ key: "finish", pieces: on(pieces[0], finish), marked: [finish] }] : [];
}
