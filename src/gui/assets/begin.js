// How a game is to begin: who sits where, how strong, and how long everybody may think.

import { check, fill, h, icon, numberField, select } from "./dom.js";
import { keep, kept } from "./store.js";
import { offerPlayers, seatFields, strengthSelect, usualLimit } from "./strengths.js";
import { newGame } from "./games.js";
import { t, word } from "./texts.js";

// The form of a game; it remembers what was wished the last time.
export function beginning(game) {
  const usual = { against: "0", limit: usualLimit(game), minutes: 5, seconds: 3, engines: [] },
    wish = { ...usual, ...kept(`wish ${game.name}`), side: sideFor(game) },
    isWished = index => [wish.against, ...wish.engines.map(seat => seat?.engine)].some(each => +each === index),
    // A side that runs out of time leaves the game to one other.
    hasClocks = game.seats.length === 2,
    isTimed = () => hasClocks && wish.hasClock === true,
    form = h("form.setup", { onsubmit: start });
  let players = [];
  const put = key => value => {
    wish[key] = value;
    keep(`wish ${game.name}`, wish);
    if (key === "side") keep("side", value === "any" ? value : +value === many(game) ? "many" : "few");
  };
  // A choice may change what else there is to choose.
  const change = key => value => {
    put(key)(value);
    show();
  };
  function show() {
    // Who was wished before may be none of the engines any more.
    const isThere = index => players.some(([known]) => known === +index);
    if (/^\d+$/.test(wish.against) && !isThere(wish.against)) wish.against = "0";
    for (const seat of wish.engines) if (seat && !isThere(seat.engine)) seat.engine = 0;
    fill(form, [
      game.seats.length > 1 && opponents(),
      hasClocks && check(t("with clocks"), isTimed(), change("hasClock"), { name: "clocks" }),
      isTimed() && h(".pair.two", number("minutes", 0.25, 180, 0.25), number("seconds", 0, 60, 1)),
      h("p.begins", game.seats.length > 1 ? t("begins", { side: word(game.seats[0]) }) : t("alone")),
      h(".actions", [
        h("button.primary", { "data-action": "play" }, icon("play"), t("play")),
        h("a.button", { href: `#/analyse/${game.name}` }, icon("microscope"), t("analyse freely")),
      ]),
    ]);
  }

  function opponents() {
    const all = [...players, ["people", t("two people")], ["engines", t("engine against engine")]],
      sides = [...game.seats.map((seat, index) => [index, word(seat)]), ["any", t("by lot")]],
      single = { engine: +wish.against, limit: wish.limit };
    return [
      select(t("against"), all, wish.against, change("against"), { name: "against" }),
      wish.against === "engines" && game.seats.map(engineOf),
      /^\d+$/.test(wish.against) && [
        select(t("you play"), sides, wish.side, change("side"), { name: "side" }),
        strengthSelect(game, single, t("strength"), isTimed(), change("limit")),
      ],
    ];
  }

  // Which engine sits on a seat, and how strong it is.
  function engineOf(side, index) {
    const mine = (wish.engines[index] ??= { engine: 0, limit: wish.limit }),
      set = part => change("engines")(Object.assign(wish.engines, { [index]: { ...mine, ...part } }));
    return seatFields(game, mine, word(side), {
      players,
      clock: isTimed(),
      onPlayer: engine => set({ engine: +engine }),
      onLimit: limit => set({ limit }),
    });
  }

  function number(key, min, max, step) {
    const onchange = ({ target }) => target.checkValidity() && put(key)(+target.value);
    return numberField(t(`clock ${key}`), { name: key, min, max, step, value: wish[key], required: true, onchange });
  }

  function start(event) {
    event.preventDefault();
    const { side, against, limit, engines } = wish,
      count = game.seats.length,
      mine = side === "any" ? Math.floor(Math.random() * count) : +side;
    const seat = index => {
      if (count === 1 || against === "people") return null;
      if (against === "engines") return { engine: 0, limit, ...engines[index] };
      return index === mine ? null : { engine: +against, limit };
    };
    const seats = game.seats.map((_, index) => seat(index)),
      clock = isTimed() ? { base: wish.minutes * 60_000, increment: wish.seconds * 1000 } : null,
      // The only person's side would stand at the top; fox sides of a hunt do.
      isTurned = game.family === "the_game" && seats[0] !== null && seats[1] === null;
    newGame("play", game, { seats, clock, isTurned });
  }

  offerPlayers(game, isWished, found => {
    players = found;
    show();
  });
  return form;
}

const many = game => Math.max(0, game.seats.indexOf(game.rules.geese_side));

// Who played the few last time plays them in the next game, too, wherever they sit; the many are easier to begin with.
function sideFor(game) {
  const side = kept("side", "many");
  return side === "any" ? side : String((many(game) + (side === "few")) % game.seats.length);
}
