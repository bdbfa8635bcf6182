// What scores and tables mean for people. An expectation is the share of the game, from 0 to 1.

// Of the side that a search was for.
export function expectation({ wdl, score }) {
  if (wdl) return (wdl[0] + wdl[1] / 2) / 1000;
  if (!score) return 0.5;
  if (score.kind === "mate") return score.value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.value / 250));
}

// Beyond 20000 a score is the word of a table.
export const isExact = ({ score }) => !!score && (score.kind === "mate" || Math.abs(score.value) > 20000);

// {share, exact, plies}: of the side to move, from `query table` or one of its moves; `plies` to the next conversion.
export const ofTable = ({ value, plies }) =>
  value === null || value === undefined
    ? null
    : { share: { win: 1, draw: 0.5, loss: 0 }[value], exact: true, plies: value === "draw" ? null : plies };

// {share, exact, plies} from a search, with `mate`, the moves of the winner to the end, where it has a proof.
export function ofLine(info) {
  const { kind, value = 0 } = info.score ?? {},
    size = Math.abs(value);
  return {
    share: expectation(info),
    exact: isExact(info),
    plies: kind !== "mate" && size > 20000 ? 29000 - size : null,
    ...(kind === "mate" && { mate: size }),
  };
}

// How far an exact value is from its end, as `scoreText` writes it; empty where nothing is told.
export const distanceText = ({ plies, mate }) =>
  mate !== undefined ? `#${mate}` : plies === null || plies === undefined ? "" : `T${plies}`;

export const classOf = ({ share }) => (share > 0.6 ? "win" : share < 0.4 ? "loss" : "draw");

export function scoreText({ score }) {
  if (!score) return "";
  const sign = score.value < 0 ? "−" : "+",
    size = Math.abs(score.value);
  if (score.kind === "mate") return `${score.value < 0 ? "−" : ""}#${size}`;
  return size > 20000 ? `${sign}T${29000 - size}` : `${sign}${(size / 100).toFixed(2)}`;
}

// What a move lost of the share that the best one had.
export const MARKS = [
  [0.3, "??"],
  [0.15, "?"],
  [0.07, "?!"],
];
export const markOf = loss => MARKS.find(([least]) => loss >= least)?.[1] ?? "";

// 100 times 1 less the mean loss; null where there was nothing to judge.
export const accuracy = losses =>
  losses.length === 0 ? null : 100 * (1 - losses.reduce((sum, loss) => sum + loss, 0) / losses.length);

// The judged plies of a line. `positions[i]`: {turn, value, best} before ply i, `value` the share {share, exact} of the side
// in `turn`, `best` the move that a search or the tables choose there; the last entry is the position behind the last ply,
// decided or not. What a search would have played itself is no mistake, whatever it says a ply later.
export function judgeLine(positions, moves) {
  return positions.slice(0, -1).map((before, index) => {
    const after = positions[index + 1];
    if (!before.value || !after.value || !/^p\d/.test(before.turn)) return null;
    const share = after.turn === before.turn ? after.value.share : 1 - after.value.share,
      isBest = before.best === moves[index],
      loss = isBest ? 0 : Math.max(0, before.value.share - share);
    return {
      mover: before.turn,
      loss,
      mark: markOf(loss),
      exact: !!(before.value.exact && after.value.exact),
      better: isBest ? null : (before.best ?? null),
    };
  });
}
