// What stands around the board: who sits where, with pieces in hand, captures, accounts and clocks; who is to do what or how
// the game has ended, the dice, and buttons for what has no point.

import { action, button, calm, fill, h, s } from "./dom.js";
import { engineName, manySeat, newGame, textOf } from "./games.js";
import { go, offerUndoThere, say, tick, wait } from "./page.js";
import { scoreText } from "./judge.js";
import { hands, parse } from "./setup.js";
import { capital, ending, huffed, onlyPerson, pieceName, seatOf, told, winnerOf } from "./telling.js";
import { t, word } from "./texts.js";
import { sideToken, token } from "./board-parts.js";
import { clockText } from "./clock.js";
import { HAND, originOf } from "./entry.js";

export function situation(table, facts) {
  if (facts.result || table.isEnded()) return ending(table, facts.result ? facts : table.end);
  const { game, mode } = table,
    actor = table.actor(facts),
    seat = table.seats[actor],
    side = word(game.seats[actor]);
  if (facts.turn === "chance") return t(mode === "play" && seat ? "engine rolls" : "to roll", { side });
  if (mode === "play" && !table.isAtEnd) return t("looking back");
  if (mode === "play" && seat)
    return table.isPaused ? t("paused") : t("thinks", { side, engine: engineName(seat.engine) });
  const every = test => facts.moves.length > 0 && facts.moves.every(test);
  if (every(({ move }) => move.startsWith("~")))
    return t(game.rules.opening_removals > 0 ? "to take off" : "to huff", { side });
  if (/play|analyse/.test(mode) && every(({ placed, from }) => from === null && placed.length > 0))
    return t("to place", { side });
  if (game.game.seats === 1) return `${t("your jump")}. ${t("pegs left", { n: facts.pieces.length })}`;
  // One person has a move, two of them have sides.
  return t(mode === "play" && onlyPerson(table.seats) !== null ? "you to move" : "to move", { side });
}

// With what the last move did or who was taken off before it, and what a person who has not moved yet plays for.
function drawStatus(table) {
  const { game, now, tree, parts } = table,
    goal = textOf(game)?.sides.find(({ name }) => [game.seats[table.actor(now)], "each player"].includes(name))?.goal,
    isFirst = table.mode === "play" && table.isMine() && !table.hasMoved,
    before = tree.node.parent?.change,
    news = told(game, huffed(game, before).length > 0 ? before : tree.node.change);
  fill(parts.status, [
    h("span.told", news || (isFirst && goal?.replace(/(?<=.{40})[,.] (or|of)\b.{30,}/i, " …"))),
    capital(situation(table, now)),
  ]);
  parts.status.classList.toggle("over", table.isOver);
  const { result } = (table.isOver && (now.result ? now : table.end)) || {};
  table.view.svg.dataset.winner = winnerOf(result);
}

// Says of a piece of whoever is to move that it has no move.
export function tellBlocked(table, { kind, owner } = {}) {
  const side = table.game.seats[owner ? seatOf(owner) : -1];
  if (owner === table.now.turn && table.isMine() && !table.isOver)
    table.parts.status.querySelector(".told").textContent = t("cannot move", { piece: pieceName(kind, side) });
}

export function drawButtons(table) {
  const { view, seats, game } = table,
    isMine = table.isMine(),
    pass = isMine && table.now.moves.find(({ move }) => move === "pass"),
    isPlayed = table.mode === "play" && table.isOver && table.isAtEnd;
  const wanted = () => table.parts.buttons.querySelector("[data-action=rematch], [data-action=stop-here]"),
    wasWanted = wanted();
  fill(table.parts.buttons, [
    isMine && table.now.turn === "chance" && action("dices", "roll", () => table.roll(), { class: "primary" }),
    pass && action("chevron-right", "pass", () => table.play(pass), { class: "primary" }),
    view.stop && action("check", "stop here", view.stop, { class: "primary" }),
    isPlayed && action("rotate-ccw", "rematch", () => again(table), { class: "primary" }),
    isPlayed && action("microscope", "review game", () => table.showPanel("review")),
    // Two persons change seats by themselves; where dice alone tell them apart sides are alike.
    isPlayed &&
      seats.length === 2 &&
      seats.some(Boolean) &&
      !game.game.has_dice &&
      action("arrow-left-right", "swap sides", () => again(table, true)),
  ]);
  if (wanted() && !wasWanted) table.parts.buttons.scrollIntoView({ block: "nearest" });
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

export function drawBelow(table) {
  drawStatus(table);
  drawButtons(table);
  if (table.isRolling || !table.game.game.has_dice) return;
  // The dice that are due, else those that fell last.
  const due = parse(table.now.fen).keys.dice,
    last = table.tree.path().findLast(({ move }) => /^\d\+\d$/.test(move))?.move;
  showDice(table.parts.dice, (due ?? last)?.split("+").map(Number) ?? []);
}

// The pips of each face, by their places in a square of three rows: 0 1 2 / 3 4 5 / 6 7 8.
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"];

const throwDice = () => [0, 0].map(() => 1 + Math.floor(6 * Math.random()));
const pip = place => s("circle", { cx: ((place % 3) - 1) * 5.6, cy: (Math.floor(place / 3) - 1) * 5.6, r: 2 });
const die = value =>
  s("svg", { class: "die", viewBox: "-12 -12 24 24", "data-die": value }, [
    s("rect", { x: -11, y: -11, width: 22, height: 22, rx: 5 }),
    [...PIPS[value]].map(pip),
  ]);

const diceText = dice => t("dice are", { dice: dice.join(", ") });
const showDice = (place, dice) =>
  fill(place, dice.length > 0 && h(".dice", { role: "img", "aria-label": diceText(dice) }, dice.map(die)));

// Two that fall before the eyes.
export async function rollDice(place) {
  for (let turn = 0; turn < 5 && !calm(); turn++) {
    showDice(place, throwDice());
    tick(500);
    await wait(70);
  }
  const dice = throwDice();
  showDice(place, dice);
  say(diceText(dice));
  return dice;
}

// Fills `far` and `near` for the position that the table shows.
export function drawSeats(table, facts, { far, near }) {
  const { game, seats } = table,
    { keys } = parse(facts.fen),
    reserve = hands(facts.fen, game.game),
    you = table.mode === "play" ? onlyPerson(seats) : null,
    many = manySeat(game),
    // Where nobody plays alone the many sit below.
    bottom = you ?? (table.isTurned && seats.length > 1 ? +(many === 0) : many);
  const clock = { play: table.clock, record: table.watched }[table.mode];
  const line = seat => {
    const taken = takenBy(table, seat),
      playing = seats[seat] ? engineName(seats[seat].engine) : seat === you && t("you"),
      player = table.mode === "play" ? playing : table.players?.[seat],
      isNow = !facts.result && !table.isEnded() && table.actor(facts) === seat;
    return who(isNow, sideToken(game, seat), game.seats[seat], player, clock, seat, [
      reserve.filter(({ owner }) => owner === `p${seat + 1}`).map(piece => hand(table, piece, isNow)),
      taken.length > 0 && tray(table, taken),
      keys.basis && h("span.quiet", `${t("basis")} ${keys.basis.split(",")[seat]}`),
      keys.accounts && h("span.quiet", t("account", { n: +keys.accounts.split(",")[seat] })),
      waits(keys[`p${seat + 1}`]),
      table.mode === "record" && thoughtOf(table.tree, seat),
    ]);
  };
  fill(far, [
    game.seats.map((_, seat) => seat !== bottom && line(seat)),
    keys.pot && h("span.pot.quiet", t("pot", { n: keys.pot })),
  ]);
  fill(near, line(bottom));
}

// What an engine said of its last move.
function thoughtOf(tree, seat) {
  const { opinion, depth, count, us, variation } =
    tree.path().findLast(({ mover, opinion, count }) => mover === seat && (opinion || count)) ?? {};
  const parts = [
    opinion && scoreText(opinion),
    depth && `${t("depth")} ${depth}`,
    count && t("limit nodes", { n: count }),
    Number.isFinite(us) && t("seconds", { n: us / 1e6 }),
    variation,
  ];
  return h("small.thought", { "data-said": seat }, parts.filter(Boolean).join(" · "));
}

// A side with who plays it, what its clock shows, and more.
export const who = (isNow, sign, side, player, clock, seat, more) =>
  h("div", { class: `who${isNow ? " now" : ""}` }, [
    sign,
    h("b", word(side)),
    player && h("span.quiet", player),
    clock?.has(seat) && h("span.clock", { role: "timer", "data-clock": seat }, clockText(clock.left(seat))),
    more,
  ]);

// What the clocks in some places show now.
export function drawClocks(clock, ...places) {
  for (const face of places.flatMap(place => [...place.querySelectorAll("[data-clock]")])) {
    const left = clock.left(+face.dataset.clock);
    face.textContent = clockText(left);
    face.classList.toggle("low", left < 10_000);
  }
}

function waits(fields = "") {
  const left = [...fields.matchAll(/:(\d+)/g)].map(([, turns]) => +turns);
  return left.length > 0 && h("span.quiet", t("waits", { n: Math.max(...left) }));
}

function hand(table, piece, isNow) {
  const disabled = !isNow || table.view.moves.every(move => originOf(move) !== HAND),
    facts = { class: "hand", "data-hand": piece.owner, disabled, "aria-label": t("in hand", { n: piece.count }) };
  return button([token(piece, table.game.seats), `× ${piece.count}`], () => table.view.pickHand(), facts);
}

// Of more than four it says how many they are.
function tray({ game }, taken) {
  const count = taken.reduce((sum, piece) => sum + piece.count, 0),
    title = t("taken n", { n: count }),
    tokens = taken.map(piece => token(piece, game.seats)),
    more = count > 4 && h("b", count);
  return h("span.tray.taken", { role: "img", "aria-label": title, title }, tokens, more);
}

// Pieces of others that have left the board since the start.
function takenBy({ game: { game }, tree }, seat) {
  if (game.most_captures === 0 || game.has_dice) return [];
  return tree
    .path()
    .flatMap(({ change }) => change?.captured ?? [])
    .filter(({ owner }) => owner !== `p${seat + 1}` || game.seats === 1);
}
