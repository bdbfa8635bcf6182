// What a search says of a position: its figures and its lines.

import { fill, h } from "./dom.js";
import { isExact, scoreText } from "./judge.js";
import { language, number, t } from "./texts.js";

const TAP_MS = 400;

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
    const worth = isExact(best) ? t(best.score.value > 0 ? "proved win" : "proved loss") : scoreText(best);
    fill(head, h("b", worth), h("span", facts.filter(Boolean).join(" · ")));
    list.show(() => lines.slice(0, most).filter(Boolean).map(item));
  }
  function clear() {
    element.title = "";
    head.replaceChildren();
    list.clear();
  }
  return { element, show, clear };
}

// A list that is drawn again and again, as those of a running search are.
export class SteadyList {
  #isHeld = false;
  #draw = () => [];
  // The keyboard was in the list when it was emptied, and goes on in the next one.
  #isAwaited = false;

  // While a pointer moves over one of its `parts`, or the keyboard is there, the list stands still; then `onFree()` is called.
  constructor(element, parts, onFree = () => {}) {
    Object.assign(this, { element, onFree });
    const on = ({ target }) => this.#hold(!!target.closest(parts)),
      off = ({ relatedTarget }) => element.contains(relatedTarget) || this.#hold(false),
      // A finger leaves before its tap is a click.
      leave = event => {
        if (event.pointerType === "touch") this.timer = setTimeout(() => this.#hold(false), TAP_MS);
        else off(event);
      };
    for (const type of ["pointermove", "pointerdown"]) element.addEventListener(type, on);
    for (const type of ["pointercancel", "focusout"]) element.addEventListener(type, off);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("focusin", () => this.hasKeyboard && this.#hold(true));
  }

  get hasKeyboard() {
    return !!this.element.querySelector(":focus-visible");
  }

  #hold(isHeld) {
    clearTimeout(this.timer);
    const wasHeld = this.#isHeld;
    this.#isHeld = isHeld || this.hasKeyboard;
    if (!wasHeld || this.#isHeld) return;
    this.onFree();
    this.show(this.#draw);
  }

  // `draw()` makes the parts, now or when the list is free again.
  show(draw) {
    this.#draw = draw;
    if (this.#isHeld) return;
    this.element.replaceChildren(...draw());
    const first = this.#isAwaited && this.element.querySelector("button");
    if (!first) return;
    this.#isAwaited = false;
    first.focus();
  }

  // For what has nothing to do with the parts that are shown.
  clear() {
    this.#isAwaited ||= this.hasKeyboard;
    this.#isHeld = false;
    this.show(() => []);
  }
}
