// The lines above and below the board: who sits where, with pieces in hand, captures, accounts and clocks.

import { sideToken, token } from "./board-parts.js";
import { clockText } from "./clock.js";
import { button, fill, h } from "./dom.js";
import { HAND, originOf } from "./entry.js";
import { engineName } from "./games.js";
import { hands, parse } from "./setup.js";
import { t, word } from "./texts.js";

// A tray of more than these says how many they are.
const MOST_TOKENS = 4;

// Fills `far` and `near` for the position that the table shows.
export function drawSeats(table, facts, { far, near }) {
  const { game, seats } = table,
    { keys } = parse(facts.fen),
    reserve = hands(facts.fen, game.game),
    bottom = nearSeat(table);
  const clock = { play: table.clock, record: table.watched }[table.mode];
  const line = seat => {
    const taken = takenBy(table, seat),
      isNow = !facts.result && !table.isEnded() && table.actor(facts) === seat;
    return who(isNow, sideToken(game, seat), game.seats[seat], sitting(table, seat), clock, seat, [
      reserve.filter(({ owner }) => owner === `p${seat + 1}`).map(piece => hand(table, piece, isNow)),
      taken.length > 0 && tray(table, taken),
      keys.basis && h("span.quiet", `${t("basis")} ${keys.basis.split(",")[seat]}`),
      keys.accounts && h("span.quiet", t("account", { n: keys.accounts.split(",")[seat] })),
      waits(keys[`p${seat + 1}`]),
    ]);
  };
  fill(far, [
    game.seats.map((_, seat) => seat !== bottom && line(seat)),
    keys.pot && h("span.pot.quiet", t("pot", { n: keys.pot })),
  ]);
  fill(near, line(bottom));
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

// The name of who plays a side or has played it.
const sitting = ({ mode, players, seats }, seat) =>
  mode === "play" ? seats[seat] && engineName(seats[seat].engine) : players?.[seat];

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

// The many sit below, unless the board is turned.
function nearSeat({ game, view }) {
  const many = game.rules.geese_side ? game.seats.indexOf(game.rules.geese_side) : 0;
  return view.layout.isTurned && game.seats.length > 1 ? game.seats.findIndex((_, seat) => seat !== many) : many;
}

function hand(table, piece, isNow) {
  const disabled = !isNow || table.view.moves.every(move => originOf(move) !== HAND),
    facts = { class: "hand", "data-hand": piece.owner, disabled, "aria-label": t("in hand", { n: piece.count }) };
  return button([token(piece, table.game.seats), `× ${piece.count}`], () => table.view.pickHand(), facts);
}

function tray({ game }, taken) {
  const count = taken.reduce((sum, piece) => sum + piece.count, 0),
    title = t("taken n", { n: count }),
    tokens = taken.map(piece => token(piece, game.seats));
  const more = count > MOST_TOKENS && h("b", count);
  return h("span.tray.taken", { role: "img", "aria-label": title, title }, tokens, more);
}

// Pieces of others that have left the board since the start.
function takenBy({ game: { game }, tree }, seat) {
  if (game.most_captures === 0 || game.has_dice) return [];
  return tree
    .path()
    .flatMap(({ change }) => (change?.mover === `p${seat + 1}` ? change.captured : []))
    .filter(({ owner }) => owner !== `p${seat + 1}` || game.seats === 1);
}
