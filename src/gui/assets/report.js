// What a run says: the verdict, the results of each side, its games, and folded what the program writes of it.

import { fill, h } from "./dom.js";
import { GameList, makeSortable } from "./game-list.js";
import { nameOf } from "./games.js";
import { sideText } from "./telling.js";
import { number, sentence, t, translate, word } from "./texts.js";

// "12½".
const half = points => `${Math.floor(points) || (points % 1 ? "" : 0)}${points % 1 ? "½" : ""}`;
// Certainty has no number.
const percent = share => (share > 0.999 ? `> ${number(99.9)} %` : `${number(100 * share, 1)} %`);

export class Report {
  constructor() {
    this.verdict = h(".verdict");
    this.head = h("header");
    this.bars = h("section.sides", { "aria-label": t("per side") });
    this.list = gameList();
    // How each table is sorted, by its caption.
    this.sorted = {};
    this.figures = h("section", { "aria-label": t("figures") });
    this.elements = [this.head, this.verdict, this.bars, this.list.element, this.figures];
  }

  // `head` and `figures` are what the program has written, as HTML or as nodes of the page.
  update({ standings, running, expected, head, figures }) {
    if (rewrite(this.head, head)) translate(this.head, named);
    const wasOpen = new Map([...this.figures.querySelectorAll("details")].map(part => [titleOf(part), part.open])),
      known = standings?.games > 0;
    if (rewrite(this.figures, figures)) {
      for (const cell of this.figures.querySelectorAll("td.ruleset"))
        cell.textContent = nameOf(sentence((cell.written ??= cell.textContent)));
      if (this.figures.textContent.includes("n/a")) this.figures.append(h("p.quiet", t("about n/a")));
      translate(this.figures);
      // Of a tuning the figures are all that there is.
      for (const part of this.figures.querySelectorAll("details"))
        part.open = wasOpen.get(titleOf(part)) ?? (part.open || !known);
      for (const table of this.figures.querySelectorAll("table.sorted"))
        makeSortable(table, (this.sorted[titleOf(table.closest("details"))] ??= {}));
    }
    const said = () => [
      running && h("p.so-far", t("so far", { n: standings.games, of: expected ?? "?" })),
      h("p", { "data-verdict": "" }, verdictText({ standings, running })),
      h("p", sidesText(standings)),
    ];
    fill(this.verdict, known && said());
    fill(this.bars, known && [h("h2", t("per side")), bars(standings), ratings(standings)]);
  }

  // `games` as `/api/archive` lists them; `rulesets` of the run, which name the sides.
  listGames(games, rulesets) {
    const sides = new Map(rulesets.map(({ label, seats }) => [label, seats.map(({ name }) => name)]));
    this.list.element.hidden = games.length === 0;
    this.list.update(games.map(game => ({ ...game, sides: sides.get(game.ruleset) ?? [] })));
  }
}

// A ruleset in front of what is said of it.
const named = text => text.replace(/^[\w-]+(?=: )/, nameOf);
const titleOf = part => part.querySelector("summary").textContent;
// Fills a place anew, if it has other contents; they come from this program, with all texts of others escaped.
function rewrite(place, content = "") {
  if (content === place.written) return false;
  place.written = content;
  if (typeof content === "string") place.innerHTML = content;
  else fill(place, content);
  return true;
}

// "" before the first game, and of a tuning.
export function verdictText({ standings, running }) {
  if (!standings?.games) return "";
  const { engines, ranking } = standings,
    [first, second] = ranking.map(index => engines[index]),
    { points, games, estimate } = first.overall.results,
    { points: behind } = second.overall.results;
  const score = `${half(points)} : ${half(behind)}`,
    values = { a: first.name, b: second.name, points: half(points), games, score },
    los = estimate.los === null ? "" : `, LOS ${percent(estimate.los)}`;
  if (engines.length > 2) return t(running ? "verdict leads of" : "verdict first of", values);
  if (points === behind) return t("verdict drawn", values);
  if (running) return t("verdict leads", values) + los;
  return estimate.los < 0.95 ? t("verdict chance", values) + los : t("verdict beat", values) + los;
}

// In short, with what the signs mean: of two engines that against each other.
function ratings({ engines, ranking }) {
  const isTwo = engines.length === 2,
    { elo, elo_error: error } = engines[ranking[0]].overall.results.estimate,
    eloOf = ({ name, rating }) => ({ name, ...(isTwo ? { elo, error } : rating) }),
    rated = ranking.map(index => eloOf(engines[index])).slice(0, isTwo ? 1 : undefined),
    known = rated.filter(({ elo, error }) => Number.isFinite(elo) && Number.isFinite(error)),
    signed = value => (value < 0 ? "−" : "+") + number(Math.abs(value), 0),
    text = ({ name, elo, error }) => h("span", h("b", name), ` ${signed(elo)} ± ${number(error, 0)}`);
  return known.length > 0 && [h("p.ratings", known.map(text)), h("p.quiet", t(isTwo ? "about elo" : "about ratings"))];
}

// The side that won most games, whatever engine it was.
function sidesText({ rulesets }) {
  const won = new Map();
  for (const { seats, favoured_seat: best, sides } of rulesets)
    [sides.wins, sides.losses].forEach((n, other) => {
      const [role] = seats[other ? 1 - best : best];
      won.set(role, (won.get(role) ?? 0) + n);
    });
  const [role, n] = [...won].sort(([, a], [, b]) => b - a)[0],
    of = rulesets.reduce((sum, { games }) => sum + games, 0);
  return n === 0 ? t("verdict all drawn") : t("verdict side", { n, of, side: sideText(called(rulesets, role)) });
}

// What a role is called where all rulesets agree.
function called(rulesets, role) {
  const seats = rulesets.flatMap(ruleset => ruleset.seats).filter(([of]) => of === role),
    [name, ...others] = new Set(seats.map(([, name]) => name));
  return others.length > 0 ? t(role === "fox" ? "fox side" : "geese side") : name;
}

function bars({ engines, ranking, rulesets }) {
  const bar = (name, { role, wins, draws, losses, points, games }) => {
    const said = t("won drawn lost", { wins, draws, losses }),
      counts = { won: wins, drawn: draws, lost: losses };
    const part = ([kind, n]) => {
      const made = h("i", { class: kind }, n > 0 && n);
      made.style.flexGrow = n;
      return made;
    };
    return h("li", [
      h("span", `${name}, ${word(called(rulesets, role))}`),
      h("span.bar", { role: "img", "aria-label": said, title: said }, Object.entries(counts).map(part)),
      h("b", `${half(points)} / ${games}`),
    ]);
  };
  const rows = ranking.flatMap(index => engines[index].overall.roles.map(role => bar(engines[index].name, role)));
  const key = ["won", "drawn", "lost"].map(kind => h(`span.${kind}`, t(`by ${kind}`)));
  return [h("ol.bars", rows), h("p.key.quiet", key)];
}

// Words that several games share.
const ending = ({ cause, reason }) => (cause === "by the rules" ? reason : cause);

const RESULTS = ["1 : 0", "0 : 1", "½ : ½"];
const resultOf = ({ winner }) => RESULTS[winner ?? 2];

// The games of a run, which `update` names with their sides; each leads to its board.
function gameList() {
  const player = (game, seat) => [
    h(game.winner === seat ? "b" : "span", game.engines[seat]),
    game.sides[seat] && h("small", ` ${word(game.sides[seat])}`),
  ];
  const link = game =>
    h("a", { href: `#/record/${game.game}`, "data-archive": game.game }, player(game, 0), " – ", player(game, 1));
  const list = new GameList({
    columns: [
      [sentence("Game"), ({ game }) => game + 1],
      [t("players"), ({ engines }) => engines.join(" – "), link],
      [t("by result"), resultOf],
      [t("by ending"), game => sentence(ending(game))],
      [t("by ruleset"), ({ ruleset }) => nameOf(ruleset)],
      [t("plies"), ({ plies }) => plies],
    ],
    choices: game => ({
      engine: game.engines.map(name => [name, name]),
      side: game.sides.map(name => [name, word(name)]),
      result: ["won", "drawn", "lost"].map(name => [name, t(`by ${name}`)]),
      ending: [[ending(game), sentence(ending(game))]],
      ruleset: [[game.ruleset, nameOf(game.ruleset)]],
    }),
    isChosen,
    textOf: game =>
      [...game.engines, ...game.sides.map(word), sentence(ending(game)), nameOf(game.ruleset)].join(" ").toLowerCase(),
  });
  list.element.prepend(h("h2", t("finished games")));
  list.element.hidden = true;
  return list;
}

// What is wished of an engine, a side and a result is wished of one of the two.
function isChosen(game, { engine, side, result, ruleset, ending: end }) {
  const resultFor = seat => (game.winner === null ? "drawn" : game.winner === seat ? "won" : "lost"),
    facts = seat => [game.engines[seat], game.sides[seat], resultFor(seat), game.ruleset, ending(game)],
    wishes = [engine, side, result, ruleset, end];
  return [0, 1].some(seat => facts(seat).every((fact, index) => !wishes[index] || fact === wishes[index]));
}
