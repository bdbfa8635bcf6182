// What a run says: the verdict, the results of each side, its games, and folded what the program writes of it.

import { h, select } from "./dom.js";
import { sentence, translate } from "./sentences.js";
import { makeSortable } from "./sort.js";
import { sideText } from "./telling.js";
import { t, word } from "./texts.js";

// Games that are listed at a time.
const MOST_LISTED = 100;

// "12½".
const half = points => `${Math.floor(points) || (points % 1 ? "" : 0)}${points % 1 ? "½" : ""}`;
// Certainty has no number.
const percent = share => (share > 0.999 ? sentence("> 99.9 %") : `${sentence((100 * share).toFixed(1))} %`);

export class Report {
  constructor() {
    this.verdict = h("div", { class: "verdict" });
    this.head = h("header", {});
    this.bars = h("section", { class: "sides", "aria-label": t("per side") });
    this.list = new GameList();
    this.figures = h("section", { "aria-label": t("figures") });
    this.elements = [this.head, this.verdict, this.bars, this.list.element, this.figures];
  }

  // `head` and `figures` are what the program has written, as HTML or as nodes of the page.
  update({ standings, running, head, figures }) {
    if (fill(this.head, head)) translate(this.head);
    const open = new Set([...this.figures.querySelectorAll("details[open] > summary")].map(text));
    const known = standings?.games > 0;
    if (fill(this.figures, figures)) {
      translate(this.figures);
      // Of a tuning the figures are all that there is.
      for (const name of this.figures.querySelectorAll("summary"))
        name.parentElement.open = open.has(text(name)) || (!known && open.size === 0);
      this.figures.querySelectorAll("table.sorted").forEach(makeSortable);
    }
    this.verdict.replaceChildren(
      ...(known ? [h("p", { "data-verdict": "" }, verdict(standings, running)), h("p", {}, sidesText(standings))] : []),
    );
    this.bars.replaceChildren(...(known ? [h("h2", {}, t("per side")), ...bars(standings)] : []));
  }
}

const text = element => element.textContent;
// Fills a place anew, if it has other contents; they come from this program, with all texts of others escaped.
function fill(place, content = "") {
  if (content === place.written) return false;
  place.written = content;
  if (typeof content === "string") place.innerHTML = content;
  else place.replaceChildren(...content);
  return true;
}

function verdict({ engines, ranking }, running) {
  const [first, second] = ranking.map(index => engines[index]),
    { points, games, estimate } = first.overall.results,
    { points: behind } = second.overall.results;
  const values = {
      a: first.name,
      b: second.name,
      points: half(points),
      games,
      score: `${half(points)} : ${half(behind)}`,
    },
    los = estimate.los === null ? "" : `, LOS ${percent(estimate.los)}`;
  if (engines.length > 2) return t(running ? "verdict leads of" : "verdict first of", values);
  if (points === behind) return t("verdict drawn", values);
  return t(running ? "verdict leads" : "verdict beat", values) + los;
}

// The side that won most games, whatever engine it was, of those in which it played.
function sidesText({ rulesets }) {
  const sums = new Map();
  for (const { seats, favoured_seat, sides, games } of rulesets)
    for (const [seat, wins] of [
      [favoured_seat, sides.wins],
      [1 - favoured_seat, sides.losses],
    ]) {
      const sum = sums.get(seats[seat][1]) ?? { n: 0, of: 0 };
      sum.n += wins;
      sum.of += games;
      sums.set(seats[seat][1], sum);
    }
  const [side, most] = [...sums].sort(([, a], [, b]) => b.n - a.n)[0];
  return most.n === 0 ? t("verdict all drawn") : t("verdict side", { ...most, side: sideText(side) });
}

function bars({ engines, ranking }) {
  const bar = (name, { role, wins, draws, losses, points, games }) => {
    const said = t("won drawn lost", { wins, draws, losses });
    const part = (kind, n) => {
      const made = h("i", { class: kind }, n > 0 && n);
      made.style.flexGrow = n;
      return made;
    };
    return h(
      "li",
      {},
      h("span", {}, `${name}, ${word(role)}`),
      h("span", { class: "bar", role: "img", "aria-label": said, title: said }, [
        part("won", wins),
        part("drawn", draws),
        part("lost", losses),
      ]),
      h("b", {}, `${half(points)} / ${games}`),
    );
  };
  const rows = ranking.flatMap(index => engines[index].overall.roles.map(role => bar(engines[index].name, role)));
  return [h("ol", { class: "bars" }, rows)];
}

// The games with filters; each leads to its board.
class GameList {
  games = [];
  wish = {};
  shown = MOST_LISTED;

  constructor() {
    this.filters = h("form", { class: "filters", onsubmit: event => event.preventDefault() });
    this.count = h("p", { class: "quiet", role: "note" });
    this.rows = h("ol", { class: "recorded" });
    this.more = h(
      "button",
      { type: "button", onclick: () => ((this.shown += MOST_LISTED), this.#show()) },
      t("more games"),
    );
    this.element = h(
      "section",
      { hidden: true },
      h("h2", {}, t("finished games")),
      this.filters,
      this.count,
      this.rows,
      this.more,
    );
  }

  // `games` as `/api/archive` lists them; `rulesets` of the run, which name the sides.
  update(games, rulesets) {
    const sides = new Map(rulesets.map(({ label, seats }) => [label, seats.map(({ name }) => name)]));
    this.games = games.map(game => ({ ...game, sides: sides.get(game.ruleset) ?? [] }));
    this.element.hidden = games.length === 0;
    const choices = {
      engine: this.games.flatMap(({ engines }) => engines),
      side: this.games.flatMap(({ sides }) => sides),
      result: ["won", "drawn", "lost"],
      ending: this.games.map(ending),
      ruleset: this.games.map(({ ruleset }) => ruleset),
    };
    const key = JSON.stringify(Object.values(choices).map(texts => [...new Set(texts)]));
    if (key !== this.key)
      this.filters.replaceChildren(...Object.entries(choices).map(choice => this.#filter(...choice)));
    this.key = key;
    this.#show();
  }

  #filter(name, texts) {
    const options = [...new Set(texts)].map(text => [text, name === "result" ? t(`by ${text}`) : sentence(text)]);
    const choose = value => {
      this.wish[name] = value;
      this.shown = MOST_LISTED;
      this.#show();
    };
    return select(t(`by ${name}`), [["", t("any")], ...options], this.wish[name], choose, { name: `by-${name}` });
  }

  #matches(game) {
    const { engine, side, result, ruleset, ending: end } = this.wish,
      seats = [0, 1].filter(seat => (!engine || game.engines[seat] === engine) && (!side || game.sides[seat] === side));
    const is = { won: seats.includes(game.winner), lost: seats.includes(1 - game.winner), drawn: true };
    return (
      seats.length > 0 &&
      (!ruleset || game.ruleset === ruleset) &&
      (!end || ending(game) === end) &&
      (!result || (is[result] && (game.winner === null) === (result === "drawn")))
    );
  }

  #show() {
    const found = this.games.filter(game => this.#matches(game));
    this.count.textContent = t("games of", { n: found.length, of: this.games.length });
    this.more.hidden = found.length <= this.shown;
    this.rows.replaceChildren(...found.slice(0, this.shown).map(row));
  }
}

// Words that several games share.
const ending = ({ cause, reason }) => (cause === "by the rules" ? reason : cause);

function row(game) {
  const { winner, engines, sides } = game;
  const player = seat => [
    h(winner === seat ? "b" : "span", {}, engines[seat]),
    sides[seat] && h("small", {}, ` ${word(sides[seat])}`),
  ];
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#/record/${game.game}`, "data-archive": game.game },
      h("span", { class: "number" }, game.game),
      h("span", {}, player(0), " – ", player(1)),
      h("b", { class: "result" }, winner === null ? "½ : ½" : winner === 0 ? "1 : 0" : "0 : 1"),
      h("span", { class: "quiet" }, `${sentence(ending(game))} · ${t("plies of", { n: game.plies })}`),
    ),
  );
}
