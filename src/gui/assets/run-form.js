// The form that starts a tournament or a tuning: rulesets, engines with what is special about each, limit and games.

import { button, check, field, fill, h, numberField, select } from "./dom.js";
import { optionsOf } from "./engine.js";
import { titleOf } from "./games.js";
import { app, go, runAddress } from "./page.js";
import { fetchJson, post } from "./server.js";
import { namesOf, search, wordsOf } from "./shelf.js";
import { named, steps, strengthText } from "./strengths.js";
import { t } from "./texts.js";

const LIMITS = [
  ...[200, 2000, 20000, 200000].map(nodes => ({ nodes })),
  ...[100, 1000].map(movetime_ms => ({ movetime_ms })),
  ...[10, 60].map(seconds => ({ clock_ms: 1000 * seconds, increment_ms: 10 * seconds })),
];
// What a person may name a number of, as so many of a spec.
const OWN = { nodes: 1, movetime_ms: 1000 };
const limitText = ({ nodes, movetime_ms, clock_ms, increment_ms }) =>
  clock_ms
    ? t("limit clock", { n: clock_ms / 1000, more: increment_ms / 1000 })
    : strengthText(nodes ? `nodes ${nodes}` : `movetime ${movetime_ms}`);

// Groups of parameters of which one has an effect: that of the family, and that of the searcher.
const PARTS = [
  ["hunt", "solitaire", "the-game", "goose"],
  ["alphabeta", "mcts"],
];

// One engine: its program, what it plays by, and further options as "Name=value, ...".
function engineRow(how) {
  const place = h("span.pair.two"),
    options = h("input", { name: "options", placeholder: "Hash=64, …" }),
    remove = button("×", () => row.remove(), { "aria-label": t("remove") }),
    row = Object.assign(h("li", place, field(t("more options"), options), remove), { more: options }),
    programs = app.about.engines.map(({ name }, index) => [index, name]);
  // What it can play by is offered as soon as its program has told.
  async function sit(program, how) {
    const offer = (choices, how) =>
      select(t("strength"), [["", t("as well as it can")], ...choices], how, null, { name: "how" });
    const strength = offer(how ? [how] : [], how);
    fill(place, select(t("engine"), programs, program, sit, { name: "program" }), strength);
    const known = await optionsOf(+program);
    if (!place.contains(strength)) return;
    row.known = known;
    const skill = known.get("skill level"),
      levels = skill ? steps(skill).map(n => [`Skill Level=${n}`, t("level", { n })]) : [];
    const choices = [
      // Some levels are called by names.
      [t("strength"), skill ? [...new Map([...levels, ...named(levels.map(([value]) => value))])] : []],
      [t("searcher"), (known.get("searcher")?.vars ?? []).map(name => [`Searcher=${name}`, name])],
    ].filter(([, values]) => values.length > 0);
    fill(strength, ...offer(choices, strength.querySelector("select").value).children);
  }
  sit("0", how);
  return row;
}

// [name, value] of each.
const pairsOf = text =>
  [...text.matchAll(/([^\s,=][^,=]*)=?([^,]*)/g)].map(([, ...pair]) => pair.map(part => part.trim()));

// What is wished of an engine, by options as "Name=value".
function wishOf(program, how, more) {
  const options = Object.fromEntries(pairsOf(`${how},${more}`));
  const names = Object.entries(options).map(([name, value]) => (name === "Skill Level" ? `level ${value}` : value));
  return { name: [app.about.engines[program].name, ...names].join(" "), program, options };
}

// What is wrong with further options, as far as the engine has told which it has; "" where nothing is.
export function optionFault(known, text, memory = app.about.limits?.engine_memory_mib ?? Infinity) {
  for (const [name, value] of pairsOf(text)) {
    const { type, min, max } = known.get(name.toLowerCase()) ?? {},
      most = /^hash$/i.test(name) ? Math.min(max, memory / 2) : max;
    if (!type) return t("no such option", { name });
    if (type === "spin" && !(value && +value >= min && +value <= most))
      return t("option range", { name, min, max: most });
  }
  return "";
}

export function runForm() {
  const both = ["mcts", "alphabeta"].map(name => engineRow(`Searcher=${name}`)),
    rows = h("ol.engines", { onclick: () => count() }, both),
    more = button(t("add engine"), () => (rows.append(engineRow("")), count()), { "data-action": "add-engine" }),
    tuned = h(".tuned"),
    error = h("p.wrong", { role: "alert" }),
    total = h("output.quiet", { "data-total": "" }),
    box = (name, value, text) => check(text, value === "masters-15", null, { name, value }),
    number = (name, value) => numberField(t(name), { name, min: 1, max: 100000, value }),
    iterations = number("iterations", 100),
    amount = numberField(t("amount"), { name: "amount", min: 0.01, step: "any", value: 5, required: true });

  // One that is not asked for is not checked either.
  const ask = limit => (amount.querySelector("input").disabled = amount.hidden = !(limit in OWN));
  const limitOf = ({ limits: { value }, amount }) => LIMITS[value] ?? { [value]: Math.ceil(amount.value * OWN[value]) };

  // A tuning is of one engine at one ruleset.
  function dress(kind) {
    const isTuning = kind === "tuning";
    tuned.hidden = iterations.hidden = !isTuning;
    for (const part of [more, ...[...rows.children].slice(1)]) part.hidden = isTuning;
    if (isTuning && tuned.children.length === 0)
      fetchJson("/api/parameters").then(groups => (fill(tuned, groups.map(parameters)), offer()));
  }

  // Parameters in the words of the program, with what they have an effect on.
  function parameters({ name, effect, parameters: all }) {
    const boxes = all.map(({ name, about }) => box("parameter", name, [about, h("small", name)])),
      legend = h("legend", effect.replaceAll("`", ""));
    return h("fieldset", { lang: "en", "data-group": name }, legend, h(".checks", boxes));
  }

  // Those of other games and searchers have no effect, nor has what learned weights or a limit without a clock leave aside.
  function offer() {
    const game = games.find(({ name }) => name === form.querySelector("[name=ruleset]:checked")?.value),
      [, searcher] = /^Searcher=(\w+)/.exec(rows.querySelector("[name=how]")?.value) ?? [],
      chosen = [game?.family.replace("_", "-"), searcher],
      idle = { hunt: !!game?.weights[searcher ?? "alphabeta"], time: !limitOf(form.elements).clock_ms };
    for (const group of tuned.children) {
      const isOther = (names, at) =>
        names.includes(group.dataset.group) && chosen[at] && chosen[at] !== group.dataset.group;
      group.disabled = group.hidden = !!idle[group.dataset.group] || PARTS.some(isOther);
    }
  }

  // What the form can know to be wrong is said at its field, and nothing begins.
  function judge({ target }) {
    const isTuning = form.elements.kind.value === "tuning",
      chosen = name => form.querySelectorAll(`[name=${name}]:checked:enabled`).length,
      say = (name, text) => form.querySelector(`[name=${name}]:enabled`)?.setCustomValidity(text || "");
    // A tuning has one game.
    const boxes = [...form.querySelectorAll("[name=ruleset]:checked")],
      kept = boxes.includes(target) ? target : boxes[0];
    for (const box of boxes) box.checked = !isTuning || box === kept;
    offer();
    say("ruleset", chosen("ruleset") === 0 && t("choose a game"));
    say("parameter", isTuning && chosen("parameter") === 0 && t("choose a parameter"));
    for (const { known, hidden, more } of rows.children)
      more.setCustomValidity(known && !hidden ? optionFault(known, more.value) : "");
    count();
  }

  // How many games there will be: every two engines play each pair in each game with both sides.
  function count() {
    const { kind, pairs, iterations } = form.elements,
      engines = rows.children.length,
      games = form.querySelectorAll("[name=ruleset]:checked").length,
      isTuning = kind.value === "tuning",
      n = pairs.value * games * (isTuning ? 2 * iterations.value : engines * (engines - 1)),
      { one_in, least, most } = app.about.final_match,
      last = 2 * Math.min(most, Math.max(least, Math.floor(n / 2 / one_in))),
      values = { pairs: +pairs.value, rounds: +iterations.value, games, n, last, all: n + last };
    total.textContent = t(isTuning ? "games of tuning" : "games in all", values);
  }

  async function start(event) {
    event.preventDefault();
    error.textContent = "";
    const data = new FormData(form),
      all = name => data.getAll(name),
      isTuning = data.get("kind") === "tuning",
      programs = all("program").slice(0, isTuning ? 1 : undefined),
      engines = programs.map((program, index) => wishOf(+program, all("how")[index], all("options")[index]));
    // Two of a name would be one.
    engines.forEach((engine, index) => {
      if (engines.slice(0, index).some(({ name }) => name === engine.name)) engine.name += ` ${index + 1}`;
    });
    const wish = {
      name: isTuning
        ? t("tuning of", { what: all("parameter").join(", ") })
        : engines.map(({ name }) => name).join(" – "),
      rulesets: all("ruleset"),
      engines,
      limits: limitOf(form.elements),
      pairs: +data.get("pairs"),
      ...(isTuning && { parameters: all("parameter"), iterations: +data.get("iterations") }),
    };
    try {
      go(runAddress((await post("/api/run", JSON.stringify(wish))).run));
    } catch ({ message }) {
      // It was closed when the run seemed to begin.
      form.closest("details").open = true;
      error.textContent = message;
    }
  }

  const games = app.games.filter(({ game }) => game.seats === 2),
    ruleset = game =>
      Object.assign(box("ruleset", game.name, titleOf(game)), { words: wordsOf([titleOf(game), namesOf(game)]) }),
    offered = games.map(ruleset),
    look = ({ target }) => search(target.value, offered),
    find = h("input", { type: "search", "aria-label": t("search"), placeholder: t("for example"), oninput: look }),
    limits = [...LIMITS.map(limitText).entries(), ...Object.keys(OWN).map(name => [name, t(`own ${name}`)])],
    kinds = ["tournament", "tuning"].map(name => [name, t(name)]);
  const form = h("form.run-form", { onsubmit: start, oninput: judge }, [
    select(t("what"), kinds, kinds[0][0], dress, { name: "kind" }),
    h("fieldset.offered", h("legend", t("games")), find, h(".checks", offered)),
    h("fieldset", h("legend", t("engines")), rows, more),
    tuned,
    h(".pair", select(t("limit"), limits, 1, ask, { name: "limits" }), amount, number("pairs", 10), iterations),
    total,
    h("button.primary", { "data-action": "start-run", onclick: judge }, t("start run")),
    error,
  ]);
  dress(kinds[0][0]);
  ask(1);
  count();
  return form;
}
