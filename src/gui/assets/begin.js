// How a game is to begin: who sits where, how strong, and how long everybody may think.

import { check, fill, h, icon, numberField, select } from "./dom.js";
import { keep, kept } from "./store.js";
import { offerPlayers, seatFields, strengthSelect, usualLimit } from "./strengths.js";
import { newGame } from "./games.js";
import { t, word } from "./texts.js";

// The form of a game; it remembers what was wished the last time.
export function beginning(game) {
  const wish = {
    against: "0",
    limit: usualLimit(game),
    minutes: 5,
    seconds: 3,
    ...kept(`wish ${game.name}`),
    side: sideFor(game),
  };
  const isWished = index =>
    [wish.against, ...(wish.engines ?? []).map(seat => seat?.engine)].some(each => +each === index);
  let players = [];
  const form = h("form.setup", {
    onsubmit: event => {
      event.preventDefault();
      start(game, wish);
    },
  });
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
  const show = () => {
    // Who was wished before may be none of the engines any more.
    const isThere = index => players.some(([known]) => known === +index);
    if (/^\d+$/.test(wish.against) && !isThere(wish.against)) wish.against = "0";
    for (const seat of wish.engines ?? []) if (seat && !isThere(seat.engine)) seat.engine = 0;
    fill(form, [
      game.seats.length > 1 ? opponents(game, wish, change, players) : [],
      hasClocks(game) ? clocks(wish, change, put) : [],
      h("p.begins", game.seats.length > 1 ? t("begins", { side: word(game.seats[0]) }) : t("alone")),
      h(".actions", [
        h("button.primary", { "data-action": "play" }, icon("play"), t("play")),
        h("a.button", { href: `#/analyse/${game.name}` }, icon("microscope"), t("analyse freely")),
      ]),
    ]);
  };
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

// A side that runs out of time leaves the game to one other.
const hasClocks = game => game.seats.length === 2;

function opponents(game, wish, change, players) {
  const clock = isTimed(game, wish);
  const against = select(
    t("against"),
    [...players, ["people", t("two people")], ["engines", t("engine against engine")]],
    wish.against,
    change("against"),
    { name: "against" },
  );
  if (wish.against === "people") return [against];
  if (wish.against === "engines")
    return [against, ...game.seats.map((seat, index) => engineOf(game, wish, index, word(seat), change, players))];
  const sides = [...game.seats.map((seat, index) => [String(index), word(seat)]), ["any", t("by lot")]];
  return [
    against,
    select(t("you play"), sides, wish.side, change("side"), { name: "side" }),
    strengthSelect(game, { engine: +wish.against, limit: wish.limit }, t("strength"), clock, change("limit")),
  ];
}

// Which engine sits on a seat, and how strong it is.
function engineOf(game, wish, index, name, change, players) {
  const mine = ((wish.engines ??= [])[index] ??= { engine: 0, limit: wish.limit });
  const set = key => value => {
    mine[key] = key === "engine" ? +value : value;
    change("engines")(wish.engines);
  };
  const clock = isTimed(game, wish);
  return seatFields(game, mine, name, { players, clock, onPlayer: set("engine"), onLimit: set("limit") });
}

const isTimed = (game, wish) => hasClocks(game) && wish.hasClock === true;

function clocks(wish, change, put) {
  const number = (key, least, most, step) =>
    numberField(t(`clock ${key}`), {
      name: key,
      min: least,
      max: most,
      step,
      value: wish[key],
      required: true,
      onchange: event => event.target.checkValidity() && put(key)(+event.target.value),
    });
  return [
    check(t("with clocks"), wish.hasClock === true, change("hasClock"), { name: "clocks" }),
    wish.hasClock && h(".pair.two", number("minutes", 0.25, 180, 0.25), number("seconds", 0, 60, 1)),
  ].filter(Boolean);
}

function start(game, wish) {
  const { side, against, limit, engines } = wish,
    count = game.seats.length;
  const mine = side === "any" ? Math.floor(Math.random() * count) : +side;
  const seat = index =>
    against === "engines"
      ? { engine: 0, limit, ...engines?.[index] }
      : index === mine
        ? null
        : { engine: +against, limit };
  const seats = game.seats.map((_, index) => (count === 1 || against === "people" ? null : seat(index)));
  const clock = isTimed(game, wish) ? { base: wish.minutes * 60_000, increment: wish.seconds * 1000 } : null;
  newGame("play", game, { seats, clock, isTurned: isFar(game, seats) });
}

// Whether the only person's side would stand at the top; fox sides of a hunt do.
function isFar(game, seats) {
  return game.family === "the_game" && seats.filter(seat => seat === null).length === 1 && seats[1] === null;
}
