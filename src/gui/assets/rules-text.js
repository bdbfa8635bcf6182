// The rules of a game in words and pictures.

import { tokenMarkup } from "./board.js";
import { picture, thumbnail } from "./board-parts.js";
import { action, fill, h } from "./dom.js";
import { aboutOf, nameOf, textOf } from "./games.js";
import { app, go, runAddress } from "./page.js";
import { fetchJson, post } from "./server.js";
import { seatOf } from "./telling.js";
import { t, word } from "./texts.js";
import { prison } from "./setup.js";

// Words between backticks are those of a command line.
const coded = text => text?.split("`").map((words, index) => (index % 2 > 0 ? h("code", words) : words));
const prose = (text, attributes, ...before) => h("p", attributes, before, [coded(text)]);

// In English, whatever language the page speaks.
const sourceOf = ({ source }) => source && h("p.quiet", t("source"), h("span", { lang: "en" }, [coded(source)]));

// Whose learned weights the engine plays a hunt by; where there are none they can be learned.
function evaluation({ family, name, ruleset: posted, rules, weights }) {
  if (family !== "hunt") return false;
  const place = h("section"),
    say = (text, ...more) => fill(place, prose(text, { class: "quiet" }), more);
  const fail = ({ message }) => place.append(h("p.wrong", { role: "alert" }, message)),
    wish = posted ? { posted } : { learn: name },
    start = () => post("/api/learn", JSON.stringify(wish)).then(({ run }) => go(runAddress(run)), fail),
    // It takes long, so it is said first.
    training = () =>
      h("details", [
        h("summary.quiet", { "data-action": "train-the-engine" }, t("train the engine")),
        h("p", t("learn ask")),
        action("play", "start run", start),
      ]);
  // One searcher may do better without.
  const { alphabeta: known, mcts } = weights,
    [searcher, found] = mcts ? ["mcts", mcts] : ["alphabeta", known];
  let wasLearned;
  const show = ({ learned = [] }) => {
    const isLearned = learned.includes(posted ? rules.fingerprint : name);
    // What is open stays open.
    if (isLearned === wasLearned) return;
    wasLearned = isLearned;
    if (isLearned) return say(t("learned here"));
    const text = !found ? "not learned" : known === mcts ? "learned" : "learned by one";
    // Those of a relative serve until its own are there.
    say(t(text, { searcher, game: nameOf(found) }), (posted || found !== name) && training());
  };
  show(app.about);
  // Another page may have had it learned meanwhile.
  fetchJson("/api/about").then(show, () => {});
  return place;
}

export function rulesText(game) {
  const text = textOf(game),
    part = (title, ...inner) => h("section", h("h3", title), inner),
    named = (title, text) => prose(text, {}, h("b", `${title}: `)),
    // Of boards of paths directions say nothing.
    kinds = game.game.pieces.filter(({ steps, jumps }) => !game.board.board.paths && steps.length + jumps.length > 0);
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
export const panel = ({ game }) => ({ element: h(".panel.rules", rulesText(game)) });

// By family: {key, values for its text ...} with the `pieces` and `marked` points of a board, or the tokens of a `toll`.
const FAMILIES = { hunt: huntWins, solitaire: targetWins, the_game: basisWins, goose: finishWins };
const TOKENS_A_ROW = 6,
  TOKEN = 40;

// Small pictures of how each side wins, from the data of the rules alone.
function winDiagrams(game) {
  const figure = ({ key, pieces, marked, toll, ...values }) => {
    const label = t(`win ${key}`, values);
    return h("figure", { "data-win": key }, [
      toll ? tokens(game, toll, label) : thumbnail(game, { pieces, marked, label }),
      h("figcaption", label),
    ]);
  };
  const wins = FAMILIES[game.family]?.(game) ?? [];
  return wins.length > 0 && h(".diagrams.wins", wins.map(figure));
}

const on = (piece, ...points) => points.map(point => ({ ...piece, point, count: 1 }));

function huntWins(game) {
  const { rules, board } = game,
    [fox, goose] = ["fox", "goose"].map(kind => game.game.pieces.find(piece => piece.kind === kind)),
    [foxes, geese] = [rules.fox_side, rules.geese_side].map(name => word(name)),
    [den, ring] = prison(game, fox),
    wins = [{ key: "shut in", side: geese, foxes, pieces: [...on(fox, den), ...on(goose, ...ring)] }];
  if (rules.fortress.length > 0)
    wins.push({ key: "fortress", side: geese, pieces: on(goose, ...rules.fortress), marked: rules.fortress });
  if (rules.fox_captures) {
    const toll = { piece: goose, all: rules.geese.length + rules.drops, kept: rules.fox_wins_below - 1 };
    wins.push({ key: "captured", side: foxes, geese, n: rules.fox_wins_below, toll });
  }
  if (rules.fox_home_wins) {
    const least = Math.min(...board.points.map(({ y }) => y)),
      row = board.points.filter(({ y }) => y === least).map(({ name }) => name);
    wins.push({ key: "home", side: foxes, pieces: on(fox, row[row.length >> 1]), marked: row });
  }
  return wins;
}

// All of a side, those crossed out that may be lost before it has lost.
function tokens({ seats }, { piece, all, kept }, label) {
  const rows = Math.ceil(all / TOKENS_A_ROW),
    middle = place => (place + 0.5) * TOKEN;
  const one = (_, index) => {
    const transform = `translate(${middle(index % TOKENS_A_ROW)} ${middle(Math.floor(index / TOKENS_A_ROW))})`;
    return index < kept
      ? tokenMarkup(piece, seats, { transform })
      : `${tokenMarkup(piece, seats, { transform, opacity: 0.45 })}<path class="gone" transform="${transform}" d="M-9 -9L9 9M9 -9L-9 9"/>`;
  };
  return picture(`0 0 ${TOKENS_A_ROW * TOKEN} ${rows * TOKEN}`, Array.from({ length: all }, one).join(""), label);
}

function targetWins({ rules, game: { pieces } }) {
  // A single peg anywhere is drawn where the first hole was empty.
  const target = Array.isArray(rules.target) ? rules.target : rules.vacancy.slice(0, 1);
  return [{ key: "solved", pieces: on(pieces[0], ...target), marked: target }];
}

function basisWins({ rules, seats, game: { pieces } }) {
  return pieces.map(piece => {
    const seat = seatOf(piece.owner),
      basis = rules.basis[1 - seat];
    return { key: "basis", side: word(seats[seat]), pieces: on(piece, basis), marked: [basis] };
  });
}

function finishWins({ board, game: { pieces } }) {
  const finish = board.points.find(({ kind }) => kind === "finish")?.name;
  return finish ? [{ key: "finish", pieces: on(pieces[0], finish), marked: [finish] }] : [];
}
