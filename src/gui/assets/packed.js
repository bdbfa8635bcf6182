// The games of a report, from what stands in the page. Nothing here touches the document.

import { join, lettersOn, placement } from "./setup.js";

// Players are numbers there.
const named = (key, value) => (["owner", "mover"].includes(key) && Number.isInteger(value) ? `p${value + 1}` : value);

// The pieces after every ply, one by one, those of a stack bottom to top; the start first, as far as the changes are known.
function follow(start, changes) {
  const oneByOne = pieces => pieces.flatMap(piece => Array(piece.count).fill({ ...piece, count: 1 })),
    frames = [oneByOne(start)];
  for (const change of changes) {
    const board = [...frames.at(-1)],
      take = isMeant => board.splice(board.findLastIndex(isMeant), 1)[0];
    if (change?.from) {
      const moved = take(({ point, owner }) => point === change.from && owner === change.mover);
      board.push({ ...moved, point: change.to });
    }
    for (const gone of oneByOne(change?.captured ?? []))
      take(({ point, owner, kind }) => point === gone.point && owner === gone.owner && kind === gone.kind);
    board.push(...oneByOne(change?.placed ?? []));
    frames.push(board);
  }
  return frames;
}

function positionText({ board, game }, pieces, fields) {
  const letters = lettersOn(pieces, game.pieces),
    hasLetters = game.pieces.some(({ letter }) => letter);
  return join({ placement: hasLetters && placement(board, point => letters.get(point)), turn: fields, keys: {} });
}

// `data` is what the lines refer to by number, a game each as the server lists it; both are JSON.
export function unpack(data, lines) {
  const facts = JSON.parse(data, named),
    games = JSON.parse(`[${lines.trim().replaceAll("\n", ",")}]`);

  // The game of a number as the server gives it, with the `changes` of its moves, the pieces before and behind each
  // (`frames`, `positions` as texts), and the plies of `mistakes`.
  function record(number) {
    const found = games.find(({ game }) => game === +number);
    if (!found) throw new Error("there is no such game");
    const rules = facts.rulesets[found.rules],
      start = rules.starts[found.start],
      plies = found.line.map(ply => rules.plies[ply]);
    const changes = plies.map(({ text, change }) => change && { ...change, move: text }),
      frames = follow(start.pieces, changes),
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
  return { facts, games, record };
}
