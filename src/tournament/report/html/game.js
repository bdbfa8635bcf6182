// Reading the games out of the page and following them on a board. Nothing here touches the document.
"use strict";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT = new Map([...ALPHABET].map((letter, value) => [letter, value]));

// A column holds one item a ply: numbers in base 32, lowest digit first, the last digit of a number from the lower half
// of the alphabet; "." repeats what stood two plies before, "!" announces a mate score.
function unpackColumn(text, read) {
  const items = [];
  let value = 0,
    place = 1,
    isMate = false;
  for (const letter of text) {
    if (letter === ".") {
      items.push(items.length > 1 ? items[items.length - 2] : null);
      continue;
    }
    if (letter === "!") {
      isMate = true;
      continue;
    }
    const digit = DIGIT.get(letter);
    value += (digit % 32) * place;
    place *= 32;
    if (digit < 32) {
      items.push(read(value, isMate));
      value = 0;
      place = 1;
      isMate = false;
    }
  }
  return items;
}

const unsigned = value => (value === 0 ? null : value - 1);
const signed = value => (value % 2 ? -(value + 1) / 2 : value / 2);
const score = (value, isMate) => (value === 0 ? null : { mate: isMate, value: signed(value - 1) });

// The head of a game's line: enough to list and to filter it.
function unpackHead(line) {
  const field = line.split(",", 11);
  return {
    game: +field[0],
    pair: +field[1],
    ruleset: +field[2],
    opening: +field[3],
    seats: field[4].split(".").map(Number),
    winner: field[5] === "" ? null : +field[5],
    cause: +field[6],
    reason: +field[7],
    start: field[8] === "" ? null : +field[8],
    openingPlies: +field[9],
    plies: +field[10],
  };
}

function unpackGame(line, ruleset) {
  const field = line.split(",");
  return Object.assign(unpackHead(line), {
    plies: unpackColumn(field[11], number => ruleset.plies[number]),
    scores: unpackColumn(field[12], score),
    depths: unpackColumn(field[13], unsigned),
    nodes: unpackColumn(field[14], unsigned),
    tenths: unpackColumn(field[15], unsigned),
    mistakes: field[16] === "" ? [] : field[16].split(".").map(Number),
  });
}

// Does to the pieces by point, each list bottom to top, what a ply changes.
function apply(board, change) {
  const on = point => board.get(point) || [];
  const put = (point, piece) => board.set(point, [...on(point), piece]);
  const take = (point, isMeant) => {
    const left = [...on(point)];
    const [taken] = left.splice(left.findLastIndex(isMeant), 1);
    if (left.length > 0) board.set(point, left);
    else board.delete(point);
    return taken;
  };
  const each = (pieces, act) =>
    pieces.forEach(piece => {
      for (let n = 0; n < piece.count; n++) act(piece);
    });
  if (change.from !== null)
    put(
      change.to,
      take(change.from, piece => piece.owner === change.mover),
    );
  each(change.captured, gone => take(gone.point, piece => piece.owner === gone.owner && piece.kind === gone.kind));
  each(change.placed, piece => put(piece.point, piece));
}

// The pieces by point after every ply, the start first; as far as the changes are known.
function follow(pieces, plies) {
  const board = new Map();
  apply(board, { from: null, captured: [], placed: pieces });
  const frames = [new Map(board)];
  for (const { change } of plies) {
    if (change !== null) apply(board, change);
    frames.push(new Map(board));
  }
  return frames;
}

// The scores of a game as the first seat and those with it see them, from -1 to 1, with their plies.
function evaluation(game) {
  const own = opinion => (opinion.mate ? Math.sign(opinion.value || -1) : Math.tanh(opinion.value / 400));
  const plies = game.plies.map(({ seat }, index) => ({
    seat,
    ply: index + 1,
    opinion: game.scores[index - game.openingPlies],
  }));
  return plies
    .filter(({ opinion }) => opinion)
    .map(({ seat, ply, opinion }) => ({ ply, value: seat % 2 ? -own(opinion) : own(opinion) }));
}

// The ply of the next mistake, the first one again behind the last; nothing where there is none.
const nextMistake = (game, ply) => game.mistakes.find(found => found > ply) ?? game.mistakes[0];
