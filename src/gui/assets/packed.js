// The games of a report: unpacks what stands in the page. Nothing here touches the document.

import { join, placement } from "./setup.js";

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
    if (letter === ".") items.push(items.at(-2) ?? null);
    else if (letter === "!") isMate = true;
    else {
      const digit = DIGIT.get(letter);
      value += (digit % 32) * place;
      place *= 32;
      if (digit >= 32) continue;
      items.push(read(value, isMate));
      [value, place, isMate] = [0, 1, false];
    }
  }
  return items;
}

const unsigned = value => (value === 0 ? null : value - 1);
const signed = value => (value % 2 ? -(value + 1) / 2 : value / 2);
// As journals have it: hundredths, "#N" for a mate.
const score = (value, isMate) => (value === 0 ? null : isMate ? `#${signed(value - 1)}` : signed(value - 1));
const player = owner => (owner === null ? null : `p${owner + 1}`);
const owned = piece => ({ ...piece, owner: player(piece.owner) });

// Does to the pieces by point, each list bottom to top, what a ply changes.
function apply(board, change) {
  const on = point => board.get(point) ?? [];
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

// The pieces after every ply, the start first; as far as the changes are known.
function follow(start, changes) {
  const board = new Map(),
    pieces = () => [...board].flatMap(([point, stack]) => stack.map(piece => ({ ...piece, point, count: 1 })));
  apply(board, { from: null, captured: [], placed: start });
  const frames = [pieces()];
  for (const change of changes) {
    if (change) apply(board, change);
    frames.push(pieces());
  }
  return frames;
}

function positionText({ board, game }, pieces, fields) {
  const letterOf = ({ kind, owner }) =>
      game.pieces.find(each => each.kind === kind && each.owner === owner)?.letter ?? "",
    letters = new Map();
  for (const piece of pieces) letters.set(piece.point, (letters.get(piece.point) ?? "") + letterOf(piece));
  const hasLetters = game.pieces.some(({ letter }) => letter);
  return join({ placement: hasLetters && placement(board, point => letters.get(point) ?? ""), turn: fields, keys: {} });
}

export class Packed {
  // `facts` is what the lines refer to by number.
  constructor(facts, lines) {
    this.facts = facts;
    this.lines = lines.split("\n").filter(Boolean);
  }

  // The games as `/api/archive` lists them.
  list() {
    return this.lines.map(line => this.#listed(line.split(",", 11)));
  }

  #listed([game, pair, ruleset, opening, seats, winner, cause, reason, , , plies]) {
    const { engines, rulesets, causes, reasons } = this.facts;
    return {
      game: +game,
      pair: +pair,
      opening: +opening,
      ruleset: rulesets[ruleset].label,
      engines: seats.split(".").map(engine => engines[engine]),
      winner: winner === "" ? null : +winner,
      cause: causes[cause],
      reason: reasons[reason],
      plies: +plies,
    };
  }

  // The game of a number as `/api/archive/N` gives it, with the `changes` of its moves, the pieces before and behind each
  // (`frames`, `positions` as texts), and the plies of `mistakes`.
  record(number) {
    const line = this.lines.find(line => line.startsWith(`${+number},`));
    if (!line) throw new Error("there is no such game");
    const field = line.split(","),
      rules = this.facts.rulesets[field[2]],
      plies = unpackColumn(field[11], number => rules.plies[number]),
      [scores, depths, nodes, tenths] = [score, unsigned, unsigned, unsigned].map((read, n) =>
        unpackColumn(field[12 + n], read),
      ),
      changes = plies.map(
        ({ text, change }) =>
          change && {
            ...change,
            move: text,
            mover: player(change.mover),
            captured: change.captured.map(owned),
            placed: change.placed.map(owned),
          },
      ),
      start = field[8] === "" ? rules.start : this.facts.starts[field[8]],
      frames = follow(start.pieces.map(owned), changes);
    return {
      ...this.#listed(field),
      rules,
      start: null,
      moves: plies.map(({ text }) => text),
      movers: plies.map(({ seat }) => seat),
      said: scores.map((score, n) => [score, depths[n], nodes[n], tenths[n] === null ? null : tenths[n] * 100]),
      changes,
      frames,
      // The text of the position of each frame.
      positions: rules.game
        ? frames.map((pieces, ply) => positionText(rules.game, pieces, ply > 0 ? plies[ply - 1].fields : start.fields))
        : [],
      mistakes: field[16] === "" ? [] : field[16].split(".").map(Number),
    };
  }
}
