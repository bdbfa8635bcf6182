// What scores and tables mean for people. An expectation is the share of the game, from 0 to 1.

import { number, t } from "./texts.js";
import { isDrawn } from "./tree.js";

// Of the side that a search was for.
export function expectation({ wdl, score }) {
  if (wdl) return (wdl[0] + wdl[1] / 2) / 1000;
  if (!score) return 0.5;
  if (score.kind === "mate") return score.value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.value / 250));
}

// Beyond 20000 a score is the word of a table.
export const isExact = ({ score }) => !!score && (score.kind === "mate" || Math.abs(score.value) > 20000);

// {share, exact, plies}: of the side to move, from `query table` or one of its moves; `plies` to the next conversion, `mate`
// the moves of the winner to the end, where tables know them; `far` is how far away the nearest goal of that table is.
export const ofTable = ({ value, plies, plies_to_end: end }) =>
  value && {
    share: { win: 1, draw: 0.5, loss: 0 }[value],
    exact: true,
    plies: value === "draw" ? null : plies,
    far: { n: end ?? plies, isEnd: !!end },
    ...(end && { mate: Math.ceil(end / 2) }),
  };

// The value of a game that is over, as p1 sees it.
export const ofResult = result => ({ share: { p1win: 1, draw: 0.5 }[result] ?? 0, exact: true, turn: "p1" });

// As p1 sees it.
export const shareOfFirst = value =>
  !value || value.share === undefined ? null : value.turn === "p1" ? value.share : 1 - value.share;

// What tables say of the moves of a position, by their texts.
export const tableValues = ({ table }) =>
  new Map((table?.moves ?? []).map(entry => [entry.move, ofTable(entry)]).filter(([, value]) => value));

// Of a thousand games so many draws make a draw likely, where neither side is clearly better.
const LEVEL = 600,
  LEVEL_WITHIN = 0.1;

// {share, exact, plies, isLevel} from a search, with `mate`, the moves of the winner to the end, where it has a proof.
export function ofLine(info) {
  const { kind, value = 0 } = info.score ?? {},
    size = Math.abs(value);
  return {
    share: expectation(info),
    exact: isExact(info),
    plies: kind !== "mate" && size > 20000 ? 29000 - size : null,
    isLevel: info.wdl?.[1] >= LEVEL && Math.abs(expectation(info) - 0.5) < LEVEL_WITHIN,
    ...(kind === "mate" && { mate: size }),
  };
}

// How far an exact value is from the end of the game, as `scoreText` writes it; empty where that is not known.
export const distanceText = ({ mate }) => (mate === undefined ? "" : `#${mate}`);

// In per cent, so that those of both sides are a hundred together.
export const percent = share => (share > 0.5 ? 100 - percent(1 - share) : Math.round(+(100 * share).toFixed(3)));

// In a word or in per cent.
export const worthText = (share, exact) =>
  exact ? t({ 1: "win", 0: "lost" }[share] ?? "value draw") : `${percent(share)}\u00a0%`;

export const valueSign = ({ share }) => (share > 0.5 ? "+" : share < 0.5 ? "−" : "=");

export const classOf = ({ share }) => (share > 0.6 ? "win" : share < 0.4 ? "loss" : "draw");

// With whether it is known or thought; empty where there is none.
export const styleOf = value => (value ? `${classOf(value)} ${value.exact ? "exact" : "guess"}` : "");

export function scoreText({ score }) {
  if (!score) return "";
  const sign = score.value < 0 ? "−" : "+",
    size = Math.abs(score.value);
  if (score.kind === "mate") return `${score.value < 0 ? "−" : ""}#${size}`;
  return size > 20000 ? t(score.value > 0 ? "win" : "lost") : `${sign}${number(size / 100, 2)}`;
}

// What a move lost of the share that the best one had. Of less than the least of these a search is not sure; what is not good
// is enough where it is known that something was lost thereabouts, for who has little left to lose, and for who has all.
const LOSSES = { "??": 0.3, "?": 0.15, "?!": 0.1 };
const SURE = 0.99,
  HOPELESS = 0.03;
export const MARKS = Object.keys(LOSSES);
export const isGood = ({ loss }) => loss < 0.05;
// How near moves come to the best ones, in per cent: the mean of what lichess.org calls the accuracy of a move
// (lichess.org/page/accuracy).
export const accuracyOf = losses =>
  losses.reduce((sum, { loss }) => sum + Math.max(0, 103.1668 * Math.exp(-4.354 * loss) - 3.1669), 0) / losses.length;
export const markOf = (loss, isSuspect) =>
  MARKS.find(mark => loss >= LOSSES[mark]) ?? (isSuspect && !isGood({ loss }) ? MARKS.at(-1) : "");

// The style of a mark.
export const classOfMark = mark => ({ "??": "blunder", "?": "mistake", "?!": "doubt", "!": "fine" })[mark] ?? "";

// The loss of a move that leaves its side `to` where `from` was to be had, and its mark.
export function lossOf(from, to, isSuspect = false) {
  const loss = Math.max(0, from - to);
  return { from, to, mark: markOf(loss, isSuspect), loss };
}

// The marked loss by an end that the rules did not make, as by giving up what is worth `value`, or null where that is little.
export function lossOfEnd({ result }, value) {
  const lossFor = mover => ({ mover, ...lossOf(shareFor(mover, value), shareFor(mover, ofResult(result))) }),
    loss = ["p1", "p2"].map(lossFor).find(({ loss }) => loss > 0);
  return loss?.mark && loss.from >= 0.2 ? { ...loss, exact: value.exact } : null;
}

// What a value is to a side.
export const shareFor = (side, { turn, share }) => (turn === side ? share : 1 - share);

// The `value` of each position of a game, from what was `seen` of it by itself; `proved` is what is known of the whole game.
export function settleValues(places, proved) {
  for (const [index, place] of [...places.entries()].reverse()) place.value = gained(place, places[index + 1]);
  const [start, next] = places;
  // What a search thinks of a solved start is no measure of the first move, unless that is a slip.
  if (proved && next?.value && start.value && !start.value.exact) {
    const share = shareFor(start.turn, next.value);
    if (!markOf(shareFor(start.turn, start.value) - share)) start.value = { turn: start.turn, share };
  }
  nearProofs(places, proved);
}

// What its move gained a side had before it, and with the best move no more, unless a closer look was sure of something else
// and more than noise says so; a way to a proved win is one.
function gained({ turn, seen, isSure, best }, after) {
  if (!after?.value || seen?.exact || !/^p[12]$/.test(turn)) return seen;
  const share = shareFor(turn, after.value),
    exact = after.value.exact && share === 1,
    rise = seen ? share - shareFor(turn, seen) : 0,
    isBest = best && after.node?.move === best,
    isGained = isSure ? rise > 0 && isGood({ loss: rise }) : rise > 0 || isBest;
  return exact || (seen && isGained) ? { turn, share, exact } : seen;
}

// Between positions of one proved value those are worth it, too, that seem to be nearly.
function nearProofs(places, proved) {
  let since = proved && { index: -1, share: shareOfFirst(proved) };
  for (const [index, { value }] of places.entries()) {
    if (!value?.exact) continue;
    const share = shareOfFirst(value);
    if (since?.share === share)
      for (const place of places.slice(since.index + 1, index))
        if (place.value && isGood({ loss: Math.abs(shareOfFirst(place.value) - share) }))
          place.value = { turn: "p1", share };
    since = { index, share };
  }
}

// The loss that turned a game of such values: the last one of which its mover never got half back, marked as grave or leading
// out of a win or a draw; else one without a mark. `ply` is that of its move.
export function turnOf(losses, values) {
  const rank = share => ["loss", "draw", "win"].indexOf(classOf({ share })),
    falls = ({ from, to }) => rank(from) > rank(to),
    isForGood = ({ isLost, mover, from, to, ply }) =>
      !isLost && values.slice(ply).every(value => !value || shareFor(mover, value) <= (from + to) / 2),
    lasting = losses.filter(isForGood);
  return (
    lasting.findLast(each => markOf(each.loss) === MARKS[0] || (markOf(each.loss) && falls(each))) ??
    lasting.findLast(each => !isGood(each) && falls(each))
  );
}

// How often in a game of such values another side stood better than before.
export const turnovers = values =>
  values
    .flatMap(value => (value ? [classOf({ share: shareOfFirst(value) })] : []))
    .filter(kind => kind !== "draw")
    .filter((kind, index, all) => index > 0 && kind !== all[index - 1]).length;

// The judgement of a move; null where nobody has chosen it. A position is {turn, value, best, isSuspect}, `value` the share
// {share, exact} of a side `turn`, `best` the move that a search or the tables choose there. What a search would have
// played itself is no mistake, whatever it says a ply later. Of `lost`, a player who is lost with best play, moves are judged
// by what a search expects; where that sees the loss, too, there is nothing to lose.
export function judge(before, after, move, lost = null) {
  if (!before.value || !after.value || !/^p\d/.test(before.turn)) return null;
  const { exact } = before.value,
    from = shareFor(before.turn, before.value),
    isBest = before.best === move,
    isLost = exact ? from === 0 : before.turn === lost,
    to = shareFor(before.turn, after.value),
    [far, further] = [before, after].map(({ value }) => value.far ?? {}),
    slip = lossOf(from, to, before.isSuspect || isLost || from >= SURE);
  return {
    mover: before.turn,
    isLost,
    isHopeless: from < HOPELESS,
    exact: !!(exact && after.value.exact),
    isLevel: after.value.isLevel,
    // A win by tables is kept, and what it leads to, the end or the next move that cannot be undone, is no nearer.
    isIdle: !isBest && from === 1 && to === 1 && far.isEnd === further.isEnd && far.n > 1 && further.n >= far.n,
    better: isBest ? null : (before.best ?? null),
    ...(isBest || (exact && isLost) ? { ...slip, mark: "", loss: 0 } : slip),
  };
}

// Who has lost behind a move, as far as is known: by the value of the position, else as before until somebody errs.
export function loserAfter(value, verdict, lost) {
  if (value?.exact) return { 1: value.turn === "p1" ? "p2" : "p1", 0: value.turn }[value.share] ?? null;
  return verdict?.mark && verdict.mover !== lost ? null : lost;
}

// {since, ply, loser}: between which moves the exact value changed though none of its loser's is marked or was drawn by lot.
export function gaps(line) {
  const known = line.flatMap(({ value }, ply) => (value?.exact ? { ply, share: shareOfFirst(value) } : []));
  return known.slice(1).flatMap(({ ply, share }, index) => {
    const { ply: since, share: before } = known[index],
      loser = share < before ? 0 : 1,
      isSlip = node => (node.mark && node.verdict?.mover === `p${loser + 1}`) || isDrawn(node);
    return share === before || line.slice(since + 1, ply + 1).some(isSlip) ? [] : { since, ply, loser };
  });
}
