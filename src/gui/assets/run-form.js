// The form that starts a tournament or a tuning: rulesets, engines with what is special about each, limit and games.

import { button, check, fill, h, numberField, select } from "./dom.js";
import { optionsOf } from "./engine.js";
import { titleOf } from "./games.js";
import { app } from "./page.js";
import { post } from "./server.js";
import { strengthText } from "./strengths.js";
import { t } from "./texts.js";

const LIMITS = [
  ...[200, 2000, 20000, 200000].map(nodes => ({ nodes })),
  ...[100, 1000].map(movetime_ms => ({ movetime_ms })),
  ...[10, 60].map(seconds => ({ clock_ms: 1000 * seconds, increment_ms: 10 * seconds })),
];
const limitText = ({ nodes, movetime_ms, clock_ms, increment_ms }) =>
  clock_ms
    ? t("limit clock", { n: clock_ms / 1000, more: increment_ms / 1000 })
    : strengthText(nodes ? `nodes ${nodes}` : `movetime ${movetime_ms}`);
const TUNED = /^(Mcts|Eval)/;

// One engine: its program, what it plays by, and further options as "Name=value, ...".
class EngineRow {
  constructor(how, onRemove) {
    this.how = how;
    this.place = h("span.pair.two");
    this.options = h("input", { name: "options", placeholder: "Hash=64, …", "aria-label": t("more options") });
    const remove = button("×", () => onRemove(this), { "aria-label": t("remove") });
    this.element = h("li", this.place, this.options, remove);
    this.#sit("0");
  }

  // `ready` when what its program can play by is known, that of the last one chosen.
  #sit(program) {
    this.program = program;
    this.ready = this.#choices();
  }

  async #choices() {
    const { program } = this,
      known = await optionsOf(+program);
    if (program !== this.program) return this.ready;
    const { vars = [] } = known.get("searcher") ?? {},
      skill = known.get("skill level");
    const levels = skill ? Array.from({ length: skill.max - skill.min + 1 }, (_, n) => n + skill.min) : [];
    const choices = [
      ["", t("as well as it can")],
      ...vars.map(name => [`Searcher=${name}`, name]),
      ...levels.map(n => [`Skill Level=${n}`, t("level", { n })]),
    ];
    if (!choices.some(([value]) => value === this.how)) this.how = "";
    const programs = app.about.engines.map(({ name }, index) => [String(index), name]);
    fill(this.place, [
      select(t("engine"), programs, this.program, value => this.#sit(value), { name: "program" }),
      select(t("strength"), choices, this.how, value => (this.how = value), { name: "how" }),
    ]);
  }

  get wish() {
    const pairs = [this.how, ...this.options.value.split(",")].map(text => text.trim()).filter(Boolean),
      options = Object.fromEntries(pairs.map(text => text.split(/=(.*)/).slice(0, 2)));
    const program = app.about.engines[this.program].name;
    return { name: [program, ...Object.values(options)].join(" "), program: +this.program, options };
  }
}

export function runForm() {
  const rulesets = new Set(["masters-15"]),
    parameters = new Set(),
    rows = h("ol.engines"),
    tuned = h("fieldset.checks", { hidden: true }),
    error = h("p.wrong", { role: "alert" });
  let engines = [],
    kind = "tournament",
    limit = LIMITS[1];
  const add = how => {
    const row = new EngineRow(how, gone => {
      engines = engines.filter(other => other !== gone);
      gone.element.remove();
    });
    engines.push(row);
    rows.append(row.element);
  };
  const box = (set, value, text, name) =>
    check(text, set.has(value), isOn => (isOn ? set.add(value) : set.delete(value)), { name, value });
  const number = (name, value) => numberField(t(name), { name, min: 1, max: 100000, value }),
    pairs = number("pairs", 10),
    iterations = number("iterations", 100);

  // A tuning is of one engine at one ruleset.
  function dress() {
    const isTuning = kind === "tuning";
    tuned.hidden = iterations.hidden = !isTuning;
    more.hidden = isTuning;
    for (const row of engines.slice(1)) row.element.hidden = isTuning;
    if (isTuning && tuned.children.length === 0)
      optionsOf(0).then(options => {
        const names = [...options.values()].filter(({ type, name }) => type === "spin" && TUNED.test(name));
        fill(tuned, [h("legend", t("parameters")), names.map(({ name }) => box(parameters, name, name, "parameter"))]);
      });
  }

  async function start(event) {
    event.preventDefault();
    error.textContent = "";
    await Promise.all(engines.map(({ ready }) => ready));
    const wishes = engines.map(({ wish }) => wish),
      value = field => +field.querySelector("input").value;
    // Two of a name would be one.
    wishes.forEach((wish, index) => {
      if (wishes.slice(0, index).some(({ name }) => name === wish.name)) wish.name += ` ${index + 1}`;
    });
    const isTuning = kind === "tuning";
    const wish = {
      name: (isTuning ? wishes.slice(0, 1) : wishes).map(({ name }) => name).join(" – "),
      rulesets: [...rulesets],
      engines: isTuning ? wishes.slice(0, 1) : wishes,
      limits: limit,
      pairs: value(pairs),
      ...(isTuning && { parameters: [...parameters], iterations: value(iterations) }),
    };
    await post("/api/run", JSON.stringify(wish)).catch(failure => (error.textContent = failure.message));
  }

  const more = button(t("add engine"), () => add(""), { "data-action": "add-engine" });
  add("Searcher=mcts");
  add("Searcher=alphabeta");
  const games = app.games.filter(({ game }) => game.seats === 2),
    ruleset = game => box(rulesets, game.name, titleOf(game), "ruleset"),
    limits = LIMITS.map((each, index) => [index, limitText(each)]),
    named = name => [name, t(name)];
  const form = h("form.run-form", { onsubmit: start }, [
    select(t("what"), ["tournament", "tuning"].map(named), kind, value => ((kind = value), dress()), { name: "kind" }),
    h("fieldset.offered", h("legend", t("games")), h(".checks", [games.map(ruleset)])),
    h("fieldset", h("legend", t("engines")), rows, more),
    tuned,
    h(".pair", [
      select(t("limit"), limits, LIMITS.indexOf(limit), index => (limit = LIMITS[index]), { name: "limits" }),
      pairs,
      iterations,
    ]),
    h("button.primary", { "data-action": "start-run" }, t("start run")),
    error,
  ]);
  dress();
  return form;
}
