// The rules of a game in words and pictures.

import { tokenMarkup } from "./board.js";
import { picture } from "./board-parts.js";
import { action, fill, h } from "./dom.js";
import { aboutOf, textOf } from "./games.js";
import { app, dialog, go } from "./page.js";
import { fetchJson, post } from "./server.js";
import { seatOf } from "./telling.js";
import { t, word } from "./texts.js";
import { winDiagrams } from "./win-diagrams.js";

// Words between backticks are those of a command line.
const coded = text => text?.split("`").map((words, index) => (index % 2 > 0 ? h("code", words) : words));
const prose = (text, attributes, ...before) => h("p", attributes, before, [coded(text)]);

// In English, whatever language the page speaks.
const sourceOf = ({ source }) => source && h("p.quiet", t("source"), h("span", { lang: "en" }, [coded(source)]));

// Whose learned weights the engine plays a hunt by; where there are none they can be learned.
function evaluation({ family, name, own, weights }) {
  if (family !== "hunt") return false;
  const place = h("section"),
    canLearn = !own && app.about.watch,
    say = (text, ...more) => fill(place, prose(text, { class: "quiet" }), more);
  const fail = ({ message }) => place.append(h("p.wrong", { role: "alert" }, message)),
    onsubmit = () => post("/api/learn", JSON.stringify({ learn: name })).then(() => go("#/watch"), fail),
    start = h("button.primary", { "data-action": "start-run" }, t("start run")),
    // Learning takes long, so ask first.
    ask = () => dialog(t("learn this game"), h("p", t("learn ask")), h("form", { method: "dialog", onsubmit }, start));
  const show = ({ learned = [] }) => {
    if (canLearn && learned.includes(name)) say(t("learned here"));
    else if (weights) say(t("learned", { game: weights }));
    else say(t("not learned"), canLearn && action("graduation-cap", "learn this game", ask));
  };
  show(app.about);
  // Another page may have had it learned meanwhile.
  if (canLearn) fetchJson("/api/about").then(show, () => {});
  return place;
}

export function rulesText(game) {
  const text = textOf(game),
    part = (title, ...inner) => h("section", h("h3", title), inner),
    named = (title, text) => prose(text, {}, h("b", `${title}: `)),
    kinds = game.game.pieces.filter(({ steps, jumps }) => steps.length + jumps.length > 0);
  const pictures = [kinds.length > 0 && h(".diagrams", [kinds.map(kind => diagram(game, kind))]), winDiagrams(game)];
  // A ruleset of one's own has a line about itself alone.
  const parts = text
    ? [
        part(t("set-up"), prose(text.setup)),
        text.sides.map(({ name, goal, moves }) => part(word(name), named(t("goal"), goal), named(t("moves"), moves))),
        pictures,
        part(t("captures"), prose(text.captures)),
        text.special.length > 0 && part(t("special"), ...text.special.map(line => prose(line))),
        part(t("end"), prose(text.end)),
        text.balance && part(t("balance"), prose(text.balance)),
      ]
    : [prose(aboutOf(game)), pictures];
  return [h("h2", t("rules")), parts, sourceOf(game), evaluation(game)];
}

function diagram(game, { kind, owner, steps, jumps }) {
  const side = game.seats[seatOf(owner)];
  const reach = jumps.length > 0 ? 2 : 1,
    size = 44 * reach + 26;
  const at = ([x, y], far) => `${x * 44 * far} ${-y * 44 * far}`;
  const foe = game.game.pieces.find(other => other.owner !== owner) ?? game.game.pieces[0];
  const place = (piece, where) => tokenMarkup(piece, game.seats, { transform: `translate(${where})` });
  const dot = where => `<circle class="dot" r="4" transform="translate(${where})"/>`;
  const along = jumps.filter(([x, y]) => x === 0 || y === 0),
    shown = along.length > 0 ? along : jumps,
    isIn = (ways, [x, y]) => ways.some(way => way[0] === x && way[1] === y),
    line = way => `<path d="M0 0L${at(way, isIn(jumps, way) ? 2 : 1)}"/>`,
    bow = ([x, y]) => `<path class="leap" d="M0 0Q${x * 44 + y * 34} ${-y * 44 + x * 34} ${at([x, y], 1.86)}"/>`;
  const drawn = [
    `<g class="lines">${[...steps, ...jumps].map(line).join("")}</g>`,
    ...shown.map(way => place(foe, at(way, 1)) + bow(way) + dot(at(way, 2))),
    ...steps.filter(way => !isIn(shown, way)).map(way => dot(at(way, 1))),
    place({ kind, owner }, "0 0"),
  ];
  const said = [steps.length > 0 && t("diagram steps"), jumps.length > 0 && t("diagram jumps")].filter(Boolean);
  const label = t("diagram", { side: word(side), steps: steps.length, jumps: jumps.length });
  return h("figure", [
    picture(`${-size} ${-size} ${2 * size} ${2 * size}`, drawn.join(""), label),
    h("figcaption", `${word(side)}: ${said.join(" · ")}`),
  ]);
}

// The rules beside the board.
export class Panel {
  constructor(table) {
    this.element = h(".panel.rules", rulesText(table.game));
  }
}
