// What a move did besides moving, and how a game has ended, in sentences.

import { sentence, t, word } from "./texts.js";

// Fields of the game of the goose of which there is something to tell.
const FIELDS = ["bridge", "inn", "well", "maze", "prison", "death"];

export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
export const seatOf = player => +player.slice(1) - 1;
// Players are called by their names, sides with an article.
const isPlayer = name => /^player \d/.test(name);
export const sideText = name => (isPlayer(name) ? word(name) : t("the side", { side: word(name) }));
// The seat of the only person at a board of several; null where there is none.
export const onlyPerson = seats =>
  seats.length > 1 && seats.filter(seat => seat === null).length === 1 ? seats.indexOf(null) : null;
// That of the winner, no number where nobody has won; and that this one has won, as it is said to the only person.
export const winnerOf = result => /^p(\d)win$/.exec(result)?.[1] - 1;
export const wonText = (you, winner, side) =>
  t(you === null ? "wins" : you === winner ? "you win" : "you lose", { side: sideText(side) });
// What a side does, as one or many.
const does = ({ rules }, side, key, more) => {
  const isMany = rules.foxes !== undefined && (side !== rules.fox_side || rules.foxes > 1);
  return t(isMany ? `are ${key}` : `is ${key}`, { side: sideText(side), ...more });
};
// What one of a side is called: "hen" of "hens".
const one = name => word(`one ${name}`, word(name.replace(/s$/, "")));
// "1 hen", or "one hen".
export const counted = (n, side, inWords = false) =>
  `${(inWords && t("counts").split(" ")[n - 1]) || n} ${(n === 1 ? one : word)(side)}`;
// The name of a piece: in hunts the engine's kinds are parts that animals play, which the ruleset names.
export const pieceName = (kind, side) => (side && /^(fox|goose)$/.test(kind) ? one(side) : word(kind));

// What is wrong with a position: of too few or too many pieces in people's words, else as the engine says it.
export function faultText({ game, seats }, reason) {
  const [, count, letter, most] = /(no|\d+) pieces? (\w) ?.*, but the ruleset has (\d+)$/.exec(reason) ?? [],
    { kind, owner } = game.pieces.find(each => each.letter === letter) ?? {};
  if (!owner) return t("is wrong", { reason });
  const side = seats[seatOf(owner)],
    what = most === "1" ? pieceName(kind, side) : word(side);
  return t(count === "no" ? "too few pieces" : "too many pieces", { n: +count, most: +most, what });
}

// "" where there is nothing to tell.
export function told(game, change) {
  if (!change?.mover) return "";
  const { seats, board } = game,
    mover = seats[seatOf(change.mover)] ?? change.mover,
    side = sideText(mover),
    huff = huffed(game, change).length > 0 && t("huffed", { side: sideText(one(game.rules.fox_side)) });
  if (change.move === "pass") return capital(t("passes", { side }));
  if (change.move.startsWith("~")) return sentences(huff || t("taken off"));
  const others = list => list.filter(({ owner }) => owner !== null && owner !== change.mover),
    kinds = new Map(board.points.map(({ name, kind }) => [name, kind])),
    field = kinds.get(change.path.findLast(point => FIELDS.includes(kinds.get(point)))),
    sent = others(change.placed),
    taken = sent.length > 0 ? [] : others(change.captured),
    count = taken.reduce((sum, piece) => sum + piece.count, 0);
  return sentences(
    field && t(`at ${field}`, { side, to: change.to }),
    ...sent.map(({ owner, point }) => t("sent to", { side: sideText(seats[seatOf(owner)]), point })),
    count > 0 && does(game, mover, "taking", { what: counted(count, seats[seatOf(taken[0].owner)], true) }),
    huff,
  );
}

// What a line of moves brings: what each side takes in all, and how the game ends after how many plies, if it does.
export const toldLine = (game, { changes, reason, plies }) =>
  sentences(
    ...game.seats.map((_, seat) => {
      const mover = `p${seat + 1}`,
        captured = changes.flatMap(change => (change.mover === mover ? change.captured : []));
      return told(game, { mover, captured, move: "", path: [], placed: [] });
    }),
    reason !== "none" && t("ends so", { n: Math.ceil(plies / game.seats.length), reason: reasonText(game, reason) }),
  );

// Pieces of the few that are off the board because they did not jump: nobody takes those otherwise.
export const huffed = ({ rules, seats }, change) =>
  change?.captured?.filter(({ owner }) => owner && seats[seatOf(owner)] === rules.fox_side) ?? [];

// "You win. The fox is trapped.", "The geese resigned. The fox wins."
export function ending({ game, seats, mode }, { result, reason }) {
  const winner = winnerOf(result),
    [side, loser] = [winner, 1 - winner].map(seat => game.seats[seat]),
    you = mode === "play" ? onlyPerson(seats) : null;
  if (/^(resignation|time is up)$/.test(reason) && loser && game.seats.length === 2)
    return sentences(
      t(you === 1 - winner ? `you ${reason}` : `side ${reason}`, { side: sideText(loser) }),
      you === winner ? t("you win") : does(game, side, "the winner"),
    );
  const alone = game.seats.length === 1 && t(side ? "solved" : "not solved");
  return sentences(alone || (side ? wonText(you, winner, side) : t("draw")), reasonText(game, reason));
}

// What there is of them, each with one stop at its end, as games of others may have it already or have no reason.
const sentences = (...texts) => texts.flatMap(text => (text ? capital(text).replace(/[.\s]*$/, ".") : [])).join(" ");

// Reasons that name a side.
const SIDED = [
  [/^(.+) side has no legal move$/, "trapped"],
  [/^no (.+) left$/, "gone"],
  [/^too few (.+) left$/, "too few left"],
  [/^(.+) reached the .+ first row$/, "on first row"],
  [/^(.+) reached the goal$/, "at the goal"],
];

// Why a game has ended, in the words of the program if no others are known; where few are to be taken, how many.
export function reasonText(game, reason = "") {
  for (const [pattern, key] of SIDED) {
    const name = pattern.exec(reason)?.[1];
    if (!game?.seats.includes(name)) continue;
    const {
        geese = [],
        piles,
        drops,
        opening_removals: off = 0,
        fox_side,
        fox_goal: goal,
        fox_wins_below: least,
      } = game.rules,
      toll = geese.reduce((sum, point) => sum + (piles[point] ?? 1), drops) - off - least + 1;
    if (key === "too few left" && toll <= least)
      return does(game, fox_side, "enough taken", { what: counted(toll, name, true) });
    const isPast = key === "at the goal" && name === fox_side && goal === "past_geese";
    return does(game, name, isPast ? "past" : key);
  }
  return word(reason, sentence(reason));
}
