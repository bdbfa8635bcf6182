// What a search says of a position: its figures and its lines.

import { fill, h } from "./dom.js";
import { scoreText } from "./judge.js";
import { SteadyList } from "./steady.js";
import { language, number, t } from "./texts.js";

const compact = value =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value ?? 0);

// `show(lines, item)` draws at most `most` of them, each by `item(line)`; `onFree()` when nothing points at one any more.
export function searchView(name, most, onFree) {
  const head = h("header"),
    list = new SteadyList(h("ol"), "li", onFree);
  list.element.style.setProperty("--lines", most);
  const element = h(".search", { "data-searcher": name }, head, list.element);
  function show(lines, item) {
    const [best] = lines,
      { depth, seldepth, nodes, nps, tbhits, time = 0 } = best,
      facts = [
        `${t("depth")} ${depth}${seldepth > 0 ? `/${seldepth}` : ""}`,
        `${compact(nodes)} ${t("nodes")}`,
        `${compact(nps)}/s`,
        t("seconds", { n: number(time / 1000, 1) }),
        tbhits > 0 && `${compact(tbhits)} ${t("table hits")}`,
        name,
      ];
    Object.assign(head.dataset, { depth, nodes });
    fill(head, h("b", scoreText(best)), h("span", facts.filter(Boolean).join(" · ")));
    list.show(() => lines.slice(0, most).filter(Boolean).map(item));
  }
  function clear() {
    element.title = "";
    head.replaceChildren();
    list.clear();
  }
  return { element, show, clear };
}
