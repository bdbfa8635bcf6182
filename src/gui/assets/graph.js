// The evaluation over the line through the position; a click, a finger or a pen goes there.

import { fill, h, s } from "./dom.js";
import { t, word } from "./texts.js";

const WIDTH = 400,
  HEIGHT = 72;

// As p1 sees it.
export const shareOfFirst = value =>
  !value || value.share === undefined ? null : value.turn === "p1" ? value.share : 1 - value.share;

export function evaluationGraph(table) {
  const view = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
    svg = s("svg", { ...view, role: "img", "aria-label": t("graph") });
  const element = h(".graph", { "data-empty": t("graph empty") }, [
    svg,
    table.game.seats.length === 2 && table.game.seats.map(side => h("span", word(side))),
  ]);
  const nodes = () => [table.tree.root, ...table.tree.through()];
  const go = event => {
    const line = nodes(),
      { left, width } = svg.getBoundingClientRect(),
      at = Math.round(((event.clientX - left) / width) * (line.length - 1));
    table.go(line[Math.max(0, Math.min(line.length - 1, at))]);
  };
  svg.addEventListener("pointerdown", event => go(event, svg.setPointerCapture(event.pointerId)));
  svg.addEventListener("pointermove", event => svg.hasPointerCapture(event.pointerId) && go(event));
  function update() {
    const line = nodes(),
      x = index => (line.length < 2 ? 0 : (WIDTH * index) / (line.length - 1)),
      y = share => HEIGHT - 2 - (HEIGHT - 4) * share;
    const known = line.map((node, index) => [x(index).toFixed(1), shareOfFirst(node.value)]),
      points = known.filter(([, share]) => share !== null),
      text = points.map(([at, share]) => `${at},${y(share).toFixed(1)}`).join(" "),
      area = () => `${points[0][0]},${HEIGHT / 2} ${text} ${points.at(-1)[0]},${HEIGHT / 2}`,
      upright = (kind, at) => s("line", { class: kind, x1: at, x2: at, y1: 0, y2: HEIGHT }),
      slip = ({ mark }, index) => classOfMark(mark) && upright(`slip ${classOfMark(mark)}`, x(index));
    fill(svg, [
      s("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      points.length > 1 && s("polygon", { class: "area", points: area() }),
      line.map(slip),
      points.length > 1 && s("polyline", { class: "curve", points: text }),
      upright("here", x(line.indexOf(table.tree.node))),
    ]);
  }
  return { element, update };
}

// The style of a mark.
export const classOfMark = mark => ({ "??": "blunder", "?": "mistake", "?!": "doubt" })[mark] ?? "";
