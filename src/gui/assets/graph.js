// The evaluation over the line through the position; a click, a finger or a pen goes there.

import { fill, h, s } from "./dom.js";
import { t, word } from "./texts.js";

const WIDTH = 400,
  HEIGHT = 72;

// As p1 sees it.
export const shareOfFirst = value =>
  !value || value.share === undefined ? null : value.turn === "p1" ? value.share : 1 - value.share;

export function evaluationGraph(table) {
  const svg = s("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    "aria-label": t("graph"),
  });
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
  svg.addEventListener("pointerdown", event => {
    svg.setPointerCapture(event.pointerId);
    go(event);
  });
  svg.addEventListener("pointermove", event => svg.hasPointerCapture(event.pointerId) && go(event));
  function update() {
    const line = nodes(),
      x = index => (line.length < 2 ? 0 : (WIDTH * index) / (line.length - 1)),
      y = share => HEIGHT - 2 - (HEIGHT - 4) * share;
    const points = line
      .map((node, index) => ({ index, share: shareOfFirst(node.value) }))
      .filter(({ share }) => share !== null);
    const text = points.map(({ index, share }) => `${x(index).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
    const upright = (kind, at) => s("line", { class: kind, x1: at, x2: at, y1: 0, y2: HEIGHT });
    fill(svg, [
      s("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      points.length > 1
        ? s("polygon", {
            class: "area",
            points: `${x(points[0].index)},${HEIGHT / 2} ${text} ${x(points.at(-1).index)},${HEIGHT / 2}`,
          })
        : "",
      line.flatMap((node, index) =>
        node.mark && node.mark !== "!" ? [upright(`slip ${classOfMark(node.mark)}`, x(index))] : [],
      ),
      points.length > 1 ? s("polyline", { class: "curve", points: text }) : "",
      upright("here", x(line.indexOf(table.tree.node))),
    ]);
  }
  return { element, update };
}

// The style of a mark.
export const classOfMark = mark => ({ "??": "blunder", "?": "mistake", "?!": "doubt" })[mark] ?? "";
