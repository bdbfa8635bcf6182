// What a search says of a position: its figures and its lines.

import { button, fill, h } from "./dom.js";
import { isExact, scoreText } from "./judge.js";
import { look } from "./server.js";
import { language, number, t } from "./texts.js";

const TAP_MS = 400;

const compact = value =>
  new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value ?? 0);

// Lines of moves behind a node: the board behind a move is shown under a pointer, and gone to by a click. `redraw()` is called
// when the table shows its own position again.
export function previewOf(table, redraw) {
  // What is looked at, or null.
  const preview = { shown: null, buttons, hide };

  function buttons(node, line) {
    const go = count => {
      line.slice(0, count).reduce((at, move) => table.tree.play(move, null, at), node);
      table.refresh();
    };
    const path = table.tree.moves(node),
      here = table.tree.moves().join();
    return line.map((move, index) => {
      const more = line.slice(0, index + 1),
        isHere = [...path, ...more].join() === here,
        look = () => show(node, more),
        facts = { "data-pv": move, "aria-current": isHere ? "step" : null, onpointermove: look, onfocus: look };
      return button(move, () => go(index + 1), facts);
    });
  }

  // Of several that were asked for the last. A pointer that rests where a line appears asks for nothing.
  async function show(node, more) {
    const at = [node.id, ...more].join(" ");
    if (preview.shown === at) return;
    preview.shown = at;
    const { game, tree, view } = table,
      here = tree.node,
      { pieces, played, fen } = await look(game, tree.position(node, ...more), ["played"]);
    if (preview.shown === at && here === tree.node) view.show({ pieces, fen, change: played.at(-1), isPreview: true });
  }

  // Until pointer and keyboard leave them.
  function hide() {
    if (preview.shown === null) return;
    preview.shown = null;
    table.draw();
    redraw();
  }
  return preview;
}

// `clear(most)` makes room for lines, `show(lines, item, worth, proof)` draws each by `item(line)`; `onFree()` when none is pointed at.
export function searchView(name, onFree) {
  const head = h("header"),
    list = steadyList(h("ol"), "li", onFree);
  const element = h(".search", { "data-searcher": name }, head, list.element);
  let most;
  function show(lines, item, worth, proof) {
    const [best] = lines,
      { depth, seldepth, nodes, nps, tbhits, time = 0 } = best,
      facts = [
        !proof && !isExact(best) && scoreText(best),
        `${t("depth")} ${depth}${seldepth > 0 ? `/${seldepth}` : ""}`,
        `${compact(nodes)} ${t("nodes")}`,
        `${compact(nps)}/s`,
        t("seconds", { n: number(time / 1000, 1) }),
        tbhits > 0 && `${compact(tbhits)} ${t("table hits")}`,
        name !== "auto" && name,
      ];
    Object.assign(head.dataset, { depth, nodes });
    fill(head, h("b", worth), h("span", facts.filter(Boolean).join(" · ")));
    list.show(() => lines.slice(0, most).filter(Boolean).map(item));
  }
  function clear(lines) {
    list.element.style.setProperty("--lines", (most = lines));
    element.title = "";
    head.replaceChildren();
    list.clear();
  }
  return { element, show, clear };
}

// A list that is drawn again and again, as those of a running search are. While a pointer moves over one of its `parts`, or the
// keyboard is there, it stands still; then `onFree()` is called.
export function steadyList(element, parts, onFree = () => {}) {
  let isHeld = false,
    draw = () => [],
    // The keyboard was in the list when it was emptied, and goes on in the next one.
    isAwaited = false,
    timer;
  const on = ({ target }) => hold(!!target.closest(parts)),
    // A finger leaves before its tap is a click.
    off = ({ pointerType, relatedTarget }) =>
      element.contains(relatedTarget) || (timer = setTimeout(() => hold(false), pointerType === "touch" ? TAP_MS : 0));
  for (const type of ["pointermove", "pointerdown", "focusin"]) element.addEventListener(type, on);
  for (const type of ["pointercancel", "pointerleave", "focusout"]) element.addEventListener(type, off);

  const hasKeyboard = () => !!element.querySelector(":focus-visible");

  function hold(isWanted) {
    clearTimeout(timer);
    const wasHeld = isHeld;
    isHeld = isWanted || hasKeyboard();
    if (!wasHeld || isHeld) return;
    onFree();
    show(draw);
  }

  // `next()` makes the parts, now or when the list is free again.
  function show(next) {
    draw = next;
    if (isHeld) return;
    element.replaceChildren(...draw());
    const first = isAwaited && element.querySelector("button");
    if (!first) return;
    isAwaited = false;
    first.focus();
  }

  // For what has nothing to do with the parts that are shown.
  function clear() {
    isAwaited ||= hasKeyboard();
    isHeld = false;
    show(() => []);
  }
  return { element, show, clear };
}
