// What searches say of a position: one with its lines, or several side by side.

import { h } from "./dom.js";
import { scoreText } from "./judge.js";
import { language, t } from "./texts.js";

const number = value =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value ?? 0);
const depthText = ({ depth, seldepth }) => `${depth}${seldepth > 0 ? `/${seldepth}` : ""}`;

// One search: `show(name, lines)`; `lineItem(line)` draws a line.
export function searchView(most, lineItem) {
  const head = h("header", {}),
    list = h("ol", {});
  list.style.setProperty("--lines", most);
  const element = h("div", { class: "search" }, head, list);
  function show(name, lines) {
    const [best] = lines,
      facts = [
        `${t("depth")} ${depthText(best)}`,
        `${number(best.nodes)} ${t("nodes")}`,
        `${number(best.nps)}/s`,
        best.tbhits > 0 && `${number(best.tbhits)} ${t("table hits")}`,
        name,
      ];
    Object.assign(head.dataset, { depth: best.depth, nodes: best.nodes });
    head.replaceChildren(h("b", {}, scoreText(best)), h("span", {}, facts.filter(Boolean).join(" · ")));
    list.replaceChildren(...lines.slice(0, most).filter(Boolean).map(lineItem));
  }
  return { element, show };
}

// Several searchers, a column for each.
export function comparison(names, most, lineItem) {
  const rows = [
    ["score", scoreText],
    ["depth", depthText],
    ["nodes", ({ nodes }) => number(nodes)],
    ["speed", ({ nps }) => number(nps)],
    ["time", ({ time }) => t("seconds", { n: ((time ?? 0) / 1000).toFixed(1) })],
    ["table hits", ({ tbhits }) => number(tbhits)],
  ];
  const cells = new Map(
      names.map(name => [
        name,
        { facts: rows.map(([row]) => h("td", { class: "n", "data-row": row }, "–")), lines: h("td", {}) },
      ]),
    ),
    columns = [...cells.values()];
  const element = h(
    "table",
    { class: "grid compare" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        names.map(name => h("th", { scope: "col", "data-searcher": name }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([row], index) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, t(row)),
          columns.map(({ facts }) => facts[index]),
        ),
      ),
      h(
        "tr",
        {},
        h("th", { scope: "row" }, t("lines")),
        columns.map(({ lines }) => lines),
      ),
    ),
  );
  function show(name, lines) {
    const { facts, lines: place } = cells.get(name);
    rows.forEach(([, text], index) => {
      facts[index].textContent = text(lines[0]);
    });
    place.replaceChildren(h("ol", {}, lines.slice(0, most).filter(Boolean).map(lineItem)));
  }
  return { element, show };
}
