// What a move did besides moving, and how a game has ended, in sentences.

import { sentence, t, word } from "./texts.js";

// Fields of the game of the goose of which there is something to tell.
const FIELDS = ["bridge", "inn", "well", "maze", "prison", "death"];

export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
export const seatOf = player => +player.slice(1) - 1;
// Players are called by their names, sides with an article.
const isPlayer = name => /^player \d/.test(name);
export const sideText = name => (isPlayer(name) ? word(name) : t("the side", { side: word(name) }));
const isMany = ({ seats, rules }, seat) =>
  rules.foxes !== undefined && (seats[seat] !== rules.fox_side || rules.foxes > 1);
// What one of a side is called: "hen" of "hens".
const one = name => word(`one ${name}`, word(name.replace(/s$/, "")));
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
    mover = seatOf(change.mover),
    side = sideText(seats[mover] ?? change.mover);
  if (change.move === "pass") return capital(t("passes", { side }));
  if (change.move.startsWith("~")) return t(game.rules.opening_removals > 0 ? "taken off" : "huffed");
  const others = list => list.filter(({ owner }) => owner !== null && owner !== change.mover),
    kinds = new Map(board.points.map(({ name, kind }) => [name, kind])),
    field = kinds.get(change.path.findLast(point => FIELDS.includes(kinds.get(point)))),
    sent = others(change.placed),
    taken = sent.length > 0 ? [] : others(change.captured),
    count = taken.reduce((sum, piece) => sum + piece.count, 0);
  return sentences(
    field && t(`at ${field}`, { side, to: change.to }),
    ...sent.map(({ owner, point }) => t("sent to", { side: sideText(seats[seatOf(owner)]), point })),
    count > 0 &&
      t(isMany(game, mover) ? "they take" : "takes", {
        side,
        n: t("counts").split(" ")[count - 1] ?? count,
        what: (count === 1 ? one : word)(seats[seatOf(taken[0].owner)]),
      }),
  );
}

// "You win. The fox is trapped."
export function ending({ game, seats, mode }, { result, reason }) {
  const winner = /^(p\d)win$/.exec(result)?.[1],
    isAgainst = mode === "play" && seats.filter(seat => seat === null).length === 1;
  const headline =
    game.seats.length === 1
      ? t(winner ? "solved" : "not solved")
      : !winner
        ? t("draw")
        : isAgainst
          ? t(seats[seatOf(winner)] === null ? "you win" : "you lose")
          : t("wins", { side: sideText(game.seats[seatOf(winner)]) });
  return sentences(headline, reasonText(game, reason ?? ""));
}

// What there is of them, each with one stop at its end, as games of others may have it already or have no reason.
const sentences = (...texts) =>
  texts
    .filter(Boolean)
    .map(text => capital(text).replace(/[.\s]*$/, "."))
    .join(" ");

// Reasons that name a side.
const SIDED = [
  [/^(.+) side has no legal move$/, "trapped"],
  [/^no (.+) left$/, "gone"],
  [/^too few (.+) left$/, "too few left"],
  [/^(.+) reached the .+ first row$/, "on first row"],
  [/^(.+) reached the goal$/, "at the goal"],
];

// Why a game has ended; of one that is not known in the words of the program.
export function reasonText(game, reason) {
  for (const [pattern, key] of SIDED) {
    const name = pattern.exec(reason)?.[1];
    if (game?.seats.includes(name))
      return t(isMany(game, game.seats.indexOf(name)) ? `are ${key}` : `is ${key}`, { side: sideText(name) });
  }
  return word(reason, sentence(reason));
}
