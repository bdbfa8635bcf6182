// The rules of a game in words and pictures.

import { tokenMarkup } from "./board.js";
import { h, s } from "./dom.js";
import { aboutOf, textOf } from "./games.js";
import { t, word } from "./texts.js";
import { winDiagrams } from "./win-diagrams.js";

// Words between backticks are those of a command line.
const prose = (text, attributes, ...before) =>
  h(
    "p",
    attributes,
    before,
    text?.split("`").map((words, index) => (index % 2 > 0 ? h("code", words) : words)),
  );

// Whose learned weights the engine plays a hunt by.
const evaluation = ({ family, weights }) =>
  family === "hunt" && prose(weights ? t("learned", { game: weights }) : t("not learned"), { class: "quiet" });

export function rulesText(game) {
  const text = textOf(game);
  const part = (title, ...inner) => h("section", h("h3", title), inner);
  const kinds = game.game.pieces.filter(({ steps, jumps }) => steps.length + jumps.length > 0);
  const pictures =
    kinds.length > 0 &&
    h(
      ".diagrams",
      kinds.map(kind => diagram(game, kind)),
    );
  if (!text)
    return [
      h("h2", t("rules")),
      prose(aboutOf(game)),
      pictures,
      winDiagrams(game),
      prose(game.source, { class: "quiet" }),
      evaluation(game),
    ];
  return [
    h("h2", t("rules")),
    part(t("set-up"), prose(text.setup)),
    ...text.sides.map(side =>
      part(
        word(side.name),
        prose(side.goal, {}, h("b", `${t("goal")}: `)),
        prose(side.moves, {}, h("b", `${t("moves")}: `)),
      ),
    ),
    pictures,
    winDiagrams(game),
    part(t("captures"), prose(text.captures)),
    text.special.length > 0 &&
      part(
        t("special"),
        text.special.map(line => prose(line)),
      ),
    part(t("end"), prose(text.end)),
    text.balance && part(t("balance"), prose(text.balance)),
    prose(game.source, { class: "quiet" }),
    evaluation(game),
  ];
}

function diagram(game, { kind, owner, steps, jumps }) {
  const seat = +owner.slice(1) - 1,
    side = game.seats[seat];
  const reach = jumps.length > 0 ? 2 : 1,
    size = 44 * reach + 26;
  const svg = s("svg", {
    class: "board small",
    viewBox: `${-size} ${-size} ${2 * size} ${2 * size}`,
    role: "img",
    "aria-label": t("diagram", { side: word(side), steps: steps.length, jumps: jumps.length }),
  });
  const at = ([x, y], far) => `${x * 44 * far} ${-y * 44 * far}`;
  const foe = game.game.pieces.find(other => other.owner !== owner) ?? game.game.pieces[0];
  const place = (piece, where) =>
    tokenMarkup(piece.kind, +piece.owner.slice(1) - 1, game.seats[+piece.owner.slice(1) - 1], {
      transform: `translate(${where})`,
    });
  const dot = where => `<circle class="dot" r="4" transform="translate(${where})"/>`;
  const along = jumps.filter(([x, y]) => x === 0 || y === 0),
    straight = along.length > 0 ? along : jumps;
  svg.innerHTML = [
    `<g class="lines">${[...steps, ...jumps].map(way => `<path d="M0 0L${at(way, jumps.length > 0 && jumps.some(j => String(j) === String(way)) ? 2 : 1)}"/>`).join("")}</g>`,
    ...straight.map(
      way =>
        place(foe, at(way, 1)) +
        `<path class="leap" d="M0 0Q${way[0] * 44 + way[1] * 34} ${-way[1] * 44 + way[0] * 34} ${at(way, 1.86)}"/>` +
        dot(at(way, 2)),
    ),
    ...steps.filter(way => !straight.some(jump => String(jump) === String(way))).map(way => dot(at(way, 1))),
    place({ kind, owner }, "0 0"),
  ].join("");
  const said = [steps.length > 0 && t("diagram steps"), jumps.length > 0 && t("diagram jumps")]
    .filter(Boolean)
    .join(" · ");
  return h("figure", svg, h("figcaption", `${word(side)}: ${said}`));
}

// The rules beside the board.
export class Panel {
  constructor(table) {
    this.element = h(".panel.rules", rulesText(table.game));
  }
}
