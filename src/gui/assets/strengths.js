// How strong an engine plays: a level that it knows, so much thought for each move, or as much as its clock allows.

import { fill, h, select } from "./dom.js";
import { optionsOf, variantsOf } from "./engine.js";
import { isLot } from "./games.js";
import { app } from "./page.js";
import { t } from "./texts.js";

const NODES = [1, 20, 200, 2000, 20000, 200000],
  SECONDS = [1, 3, 10],
  MOST_STEPS = 20;
export const CLOCK = "clock";
// Of a choice that shows them by their names alone: the others, too.
const MORE = "more";
// Games in which this program has levels.
const LEVELLED = ["hunt", "the_game"];

// People choose by these names, each so far from the weakest to the strongest.
const NAMES = { beginner: 0, easy: 0.2, medium: 0.4, hard: 0.7, master: 1 };

// The strengths with names among all, from the weakest to the strongest: [strength, name] of each.
export const named = all =>
  Object.entries(NAMES).map(([name, share]) => [all[Math.round(share * (all.length - 1))], t(name)]);

// Whole numbers from least to most, not too many.
export function steps({ min, max }) {
  const step = Math.max(1, Math.ceil((max - min) / MOST_STEPS));
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step);
}

// Five of them with names, and the rest in groups: [title, [[value, text], ...]].
function strengths(game, index, options, clock) {
  const hasLevels = index > 0 || LEVELLED.includes(game.family),
    skill = options.get("skill level"),
    elo = options.get("uci_elo"),
    all = (option, kind) => steps(option).map(value => `${kind} ${value}`);
  const levels = !hasLevels ? [] : skill ? all(skill, "level") : elo ? all(elo, "elo") : [];
  const thought = [
    ...NODES.map(count => `nodes ${count}`),
    ...(clock ? [CLOCK] : SECONDS.map(count => `movetime ${count * 1000}`)),
  ];
  const some = levels.length > 0 ? levels : thought.filter(value => value.startsWith("nodes")),
    five = named(some),
    rest = values =>
      values.filter(value => !five.some(([known]) => known === value)).map(value => [value, strengthText(value)]);
  return [
    [t("strength"), [...new Map(five)]],
    [t("levels"), rest(levels)],
    [t("as well as it can"), rest(thought)],
  ].filter(([, values]) => values.length > 0);
}

export function strengthText(strength) {
  const [kind, value] = strength.split(" ");
  if (kind === CLOCK) return t("by the clock");
  if (kind === "level") return t("level", { n: value });
  if (kind === "elo") return `Elo ${value}`;
  return kind === "nodes" ? t("limit nodes", { n: +value }) : t("limit time", { n: +value / 1000 });
}

// A choice of them, complete as soon as the engine has told its options, none where there is nothing to be good at; `seat` is
// {engine, limit}.
export function strengthSelect(game, seat, label, clock, onchange) {
  if (isLot(game)) return false;
  let groups = [];
  const take = value => (value === MORE ? unfold() : onchange(value)),
    made = groups => select(label, groups, seat.limit, take, { name: "limit" }),
    field = made([[seat.limit, strengthText(seat.limit)]]),
    offer = groups => fill(field, [...made(groups).children]),
    isIn = ([, values]) => values.some(([value]) => value === seat.limit);
  function unfold() {
    offer(groups);
    if (navigator.userActivation?.isActive) field.querySelector("select").showPicker?.();
  }
  optionsOf(seat.engine).then(options => {
    groups = strengths(game, seat.engine, options, clock);
    const [[, named]] = groups;
    // Somebody else may have sat down meanwhile.
    if (!groups.some(isIn) && field.isConnected) onchange(clock ? CLOCK : "movetime 1000");
    offer(isIn(groups[0]) ? [...named, [MORE, t("more strengths")]] : groups);
  });
  return field;
}

// `show(players)` is called with the engines that may sit down at a game, [number, name]: at once with this program and those
// that `isSeated`, and when the others have said what they play. One that says no variants may play all.
export async function offerPlayers({ name }, isSeated, show) {
  const players = app.about.engines.map(({ name }, index) => [index, name]);
  show(players.filter(([index]) => index === 0 || isSeated(index)));
  const found = await Promise.all(players.slice(1).map(([index]) => variantsOf(index)));
  if (found.length > 0) show(players.filter((_, index) => !found[index - 1]?.[0] || found[index - 1].includes(name)));
}

// Which of the players has a seat, {engine, limit} or null of a person, and how strong it is.
export function seatFields(game, seat, label, { players, clock, name, onPlayer, onLimit }) {
  const isListed = seat === null || players.some(([index]) => index === seat.engine),
    // One that sits here already may play on, whatever it says that it plays.
    seated = isListed ? [] : [[seat.engine, app.about.engines[seat.engine]?.name ?? seat.engine]];
  return h(".pair.two", [
    select(label, [...players, ...seated], seat === null ? "" : seat.engine, onPlayer, { name }),
    seat !== null && strengthSelect(game, seat, t("strength"), clock, onLimit),
  ]);
}

// Tells an engine how strong it shall be; the words for `go`.
export async function prepare(engine, strength, clock = null) {
  const options = await engine.known,
    [kind, value] = strength.split(" ");
  const tell = (name, text) => options.has(name.toLowerCase()) && engine.set(name, text);
  tell("UCI_LimitStrength", kind === "elo");
  if (kind === "elo") tell("UCI_Elo", value);
  tell("Skill Level", kind === "level" ? value : options.get("skill level")?.max);
  const limit = kind === "nodes" || (kind === "movetime" && !clock) ? strength : clock ? "" : "movetime 1000";
  return [limit, clock?.words()].filter(Boolean).join(" ");
}

// How strong an engine is unless somebody wishes otherwise: easy to beat.
export const usualLimit = ({ family }) => (LEVELLED.includes(family) ? "level 4" : "nodes 20");
