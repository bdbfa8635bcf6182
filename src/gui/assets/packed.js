// The games of a report, from what stands in the page. Nothing here touches the document.

import { join, lettersOn, placement } from "./setup.js";

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
  const oneByOne = pieces => pieces.flatMap(piece => Array(piece.count).fill(piece)),
    isMovers = piece => piece.owner === change.mover;
  if (change.from !== null) put(change.to, take(change.from, isMovers));
  for (const { point, owner, kind } of oneByOne(change.captured))
    take(point, piece => piece.owner === owner && piece.kind === kind);
  for (const piece of oneByOne(change.placed)) put(piece.point, piece);
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
  const letters = lettersOn(pieces, game.pieces),
    hasLetters = game.pieces.some(({ letter }) => letter);
  return join({ placement: hasLetters && placement(board, point => letters.get(point)), turn: fields, keys: {} });
}

export class Packed {
  // `facts` is what the lines refer to by number, a game each as `/api/archive` lists it.
  constructor(facts, lines) {
    this.facts = facts;
    this.games = JSON.parse(`[${lines.trim().replaceAll("\n", ",")}]`);
  }

  // The game of a number as `/api/archive/N` gives it, with the `changes` of its moves, the pieces before and behind each
  // (`frames`, `positions` as texts), and the plies of `mistakes`.
  record(number) {
    const found = this.games.find(({ game }) => game === +number);
    if (!found) throw new Error("there is no such game");
    const rules = this.facts.rulesets[found.rules],
      start = rules.starts[found.start],
      plies = found.line.map(ply => rules.plies[ply]);
    const all = (move, { mover, captured, placed, ...change }) => ({
      ...change,
      move,
      mover: player(mover),
      captured: captured.map(owned),
      placed: placed.map(owned),
    });
    const changes = plies.map(({ text, change }) => change && all(text, change));
    const frames = follow(start.pieces.map(owned), changes),
      fields = [start, ...plies].map(({ fields }) => fields);
    return {
      ...found,
      rules,
      start: null,
      moves: plies.map(({ text }) => text),
      movers: plies.map(({ seat }) => seat),
      changes,
      frames,
      // The text of the position of each frame.
      positions: rules.game ? frames.map((pieces, ply) => positionText(rules.game, pieces, fields[ply])) : [],
    };
  }
}
