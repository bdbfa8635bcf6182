// Small pictures of how each side wins, from the data of the rules alone.

import { boardLayout, groundMarkup, piecesMarkup, tokenMarkup } from "./board.js";
import { h, s } from "./dom.js";
import { prison } from "./prison.js";
import { t, word } from "./texts.js";

// By family; {key, picture, values for the caption ...}.
const FAMILIES = { hunt: huntWins, solitaire: targetWins, the_game: basisWins, goose: finishWins };
const TOKENS_A_ROW = 6,
  TOKEN = 40;

export function winDiagrams(game) {
  const wins = FAMILIES[game.family]?.(game) ?? [];
  return (
    wins.length > 0 &&
    h(
      ".diagrams.wins",
      wins.map(({ key, picture, ...values }) =>
        h("figure", { "data-win": key }, picture, h("figcaption", t(`win ${key}`, values))),
      ),
    )
  );
}

const ownerOf = piece => +piece.owner.slice(1) - 1;

function svg(view, label, markup) {
  const picture = s("svg", { class: "board small", viewBox: view, role: "img", "aria-label": label });
  picture.innerHTML = markup;
  return picture;
}

// The board with some pieces, the points of `marked` in colour.
function board(game, label, pieces, marked = []) {
  const layout = boardLayout(game.board, false),
    spots = marked.map(point => layout.places.get(point)).filter(Boolean);
  return svg(
    layout.view,
    label,
    groundMarkup(layout) +
      spots.map(({ x, y }) => `<circle class="spot-won" cx="${x}" cy="${y}" r="19"/>`).join("") +
      piecesMarkup(
        layout,
        pieces.map(({ piece, point }) => ({ point, kind: piece.kind, owner: ownerOf(piece), count: 1 })),
        owner => game.seats[owner],
      ),
  );
}

function huntWins(game) {
  const { rules } = game,
    fox = game.game.pieces.find(({ kind }) => kind === "fox"),
    goose = game.game.pieces.find(({ kind }) => kind === "goose");
  const foxes = word(rules.fox_side),
    geese = word(rules.geese_side),
    all = rules.geese.length + rules.drops,
    wins = [];
  const add = (key, side, picture, values) =>
    wins.push({ key, side, picture: picture(t(`win ${key}`, { side, ...values })), ...values });
  const [den, ring] = prison(game, fox);
  add(
    "shut in",
    geese,
    label => board(game, label, [{ piece: fox, point: den }, ...ring.map(point => ({ piece: goose, point }))]),
    { foxes },
  );
  if (rules.fortress.length > 0)
    add("fortress", geese, label =>
      board(
        game,
        label,
        rules.fortress.map(point => ({ piece: goose, point })),
        rules.fortress,
      ),
    );
  if (rules.fox_captures)
    add("captured", foxes, label => tokens(game, goose, all, rules.fox_wins_below - 1, label), {
      geese,
      n: rules.fox_wins_below,
    });
  if (rules.fox_home_wins) {
    const least = Math.min(...game.board.points.map(({ y }) => y)),
      row = game.board.points.filter(({ y }) => y === least).map(({ name }) => name);
    add("home", foxes, label => board(game, label, [{ piece: fox, point: row[row.length >> 1] }], row));
  }
  return wins;
}

// All of a side, those crossed out that may be lost before it has lost.
function tokens(game, piece, all, kept, label) {
  const rows = Math.ceil(all / TOKENS_A_ROW),
    at = index =>
      `translate(${((index % TOKENS_A_ROW) + 0.5) * TOKEN} ${(Math.floor(index / TOKENS_A_ROW) + 0.5) * TOKEN})`;
  return svg(
    `0 0 ${TOKENS_A_ROW * TOKEN} ${rows * TOKEN}`,
    label,
    Array.from(
      { length: all },
      (_, index) =>
        tokenMarkup(piece.kind, ownerOf(piece), game.seats[ownerOf(piece)], {
          transform: at(index),
          ...(index >= kept && { opacity: 0.45 }),
        }) + (index < kept ? "" : `<path class="gone" transform="${at(index)}" d="M-9 -9L9 9M9 -9L-9 9"/>`),
    ).join(""),
  );
}

function targetWins(game) {
  // A single peg anywhere is drawn where the first hole was empty.
  const target = Array.isArray(game.rules.target) ? game.rules.target : game.rules.vacancy.slice(0, 1),
    [peg] = game.game.pieces;
  return [
    {
      key: "solved",
      picture: board(
        game,
        t("win solved"),
        target.map(point => ({ piece: peg, point })),
        target,
      ),
    },
  ];
}

function basisWins(game) {
  return game.game.pieces.map(piece => {
    const side = word(game.seats[ownerOf(piece)]),
      basis = game.rules.basis[1 - ownerOf(piece)];
    return { key: "basis", side, picture: board(game, t("win basis", { side }), [{ piece, point: basis }], [basis]) };
  });
}

function finishWins(game) {
  const finish = game.board.points.find(({ kind }) => kind === "finish")?.name;
  return finish
    ? [
        {
          key: "finish",
          picture: board(game, t("win finish"), [{ piece: game.game.pieces[0], point: finish }], [finish]),
        },
      ]
    : [];
}
