// What stands below the board: who is to do what or how the game has ended, the dice, and buttons for what has no point.

import { action, calm, fill, h, s } from "./dom.js";
import { engineName, newGame } from "./games.js";
import { go, offerUndoThere, say, tick } from "./page.js";
import { parse } from "./setup.js";
import { capital, ending, pieceName, seatOf, told } from "./telling.js";
import { t, word } from "./texts.js";

export function situation(table, facts) {
  if (facts.result || table.isEnded()) return ending(table, facts.result ? facts : table.end);
  const { game, mode } = table,
    actor = table.actor(facts),
    seat = table.seats[actor],
    side = word(game.seats[actor]);
  if (facts.turn === "chance") return t(mode === "play" && seat ? "engine rolls" : "to roll", { side });
  if (mode === "play" && !table.isAtEnd) return t("looking back");
  if (mode === "play" && seat && table.isPaused) return t("paused");
  if (mode === "play" && seat) return t("thinks", { side, engine: engineName(seat.engine) });
  if (facts.moves.length > 0 && facts.moves.every(({ move }) => move.startsWith("~")))
    return t(game.rules.opening_removals > 0 ? "to take off" : "to huff", { side });
  if (facts.moves.length > 0 && facts.moves.every(({ placed, from }) => from === null && placed.length > 0))
    return t("to place", { side });
  if (game.game.seats === 1) return `${t("your jump")}. ${t("pegs left", { n: facts.pieces.length })}`;
  // One person has a move, two of them have sides.
  return t(mode === "play" && table.seats.filter(seat => seat === null).length === 1 ? "you to move" : "to move", {
    side,
  });
}

// With what the last move did, or the one before it where another had to follow.
function drawStatus(table) {
  const { game, now, tree, parts } = table,
    news = [tree.node.parent, tree.node].map(node => told(game, node?.change)),
    isOver = table.isOver;
  fill(parts.status, [h("span.told", (news[0] === t("huffed") && news[0]) || news[1]), capital(situation(table, now))]);
  parts.status.classList.toggle("over", isOver);
  const { result } = now.result ? now : (table.end ?? {});
  table.view.svg.dataset.winner = isOver ? (/\d/.exec(result)?.[0] ?? "") - 1 : "";
}

// Says of a piece of whoever is to move that it has no move.
export function tellBlocked(table, { kind, owner } = {}) {
  const side = table.game.seats[owner ? seatOf(owner) : -1];
  if (owner === table.now.turn && table.isMine() && !table.isOver)
    table.parts.status.querySelector(".told").textContent = t("cannot move", { piece: pieceName(kind, side) });
}

export function drawButtons(table) {
  const { view, seats } = table,
    isMine = table.isMine(),
    pass = isMine && table.now.moves.find(({ move }) => move === "pass"),
    isPlayed = table.mode === "play" && table.isOver && table.isAtEnd;
  fill(table.parts.buttons, [
    isMine && table.now.turn === "chance" && action("dices", "roll", () => table.roll(), { class: "primary" }),
    pass && action(null, "pass", () => table.play(pass), { class: "primary" }),
    view.stop && action(null, "stop here", view.stop, { class: "primary" }),
    isPlayed && action("rotate-ccw", "rematch", () => again(table), { class: "primary" }),
    isPlayed && seats.length === 2 && action("arrow-left-right", "swap sides", () => again(table, true)),
    isPlayed && action("microscope", "review game", () => table.showPanel("review")),
  ]);
}

// The next game from the same start between the same players, which `isSwapped` gives each other's sides.
export function again({ game, seats, isTurned, clock, tree: { start } }, isSwapped = false) {
  const old = location.hash;
  offerUndoThere(t("undo new game"), () => go(old));
  newGame("play", game, {
    seats: isSwapped ? seats.toReversed() : seats,
    isTurned: isTurned !== (isSwapped && game.family === "the_game"),
    clock: clock && { base: clock.base, increment: clock.increment },
    tree: { start, moves: [], at: [] },
  });
}

// The dice that are due, else those that fell last.
function drawDice({ now, tree, parts }) {
  const due = parse(now.fen).keys.dice,
    last = tree.path().findLast(({ move }) => /^\d\+\d$/.test(move))?.move;
  diceView(parts.dice, (due ?? last)?.split("+").map(Number) ?? []);
}

export function drawBelow(table) {
  drawStatus(table);
  drawButtons(table);
  if (!table.isRolling && table.game.game.has_dice) drawDice(table);
}

// The pips of each face, by their places in a square of three rows: 0 1 2 / 3 4 5 / 6 7 8.
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"];

export const throwDice = () => [0, 0].map(() => 1 + Math.floor(6 * Math.random()));

const pip = place => s("circle", { cx: ((place % 3) - 1) * 5.6, cy: (Math.floor(place / 3) - 1) * 5.6, r: 2 });
const die = value =>
  s("svg", { class: "die", viewBox: "-12 -12 24 24", "data-die": value }, [
    s("rect", { x: -11, y: -11, width: 22, height: 22, rx: 5 }),
    [...PIPS[value]].map(pip),
  ]);

// Shows dice in a place; rolled ones fall there before the eyes.
export async function diceView(place, dice, isRolled = false) {
  const label = values => t("dice are", { dice: values.join(", ") }),
    drawn = values => h(".dice", { role: "img", "aria-label": label(values) }, values.map(die)),
    show = values => fill(place, values.length > 0 && drawn(values));
  if (isRolled && !calm()) {
    for (let turn = 0; turn < 5; turn++) {
      show(throwDice());
      tick(500);
      await new Promise(done => setTimeout(done, 70));
    }
  }
  show(dice);
  if (isRolled) say(label(dice));
}
