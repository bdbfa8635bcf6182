// Elements without a framework.

import ICONS from "./icons.json" with { type: "json" };
import { t } from "./texts.js";

const isReal = child => child !== null && child !== undefined && child !== false;
const flat = children => children.flat(Infinity).filter(isReal);

// "button.icon" is a button of the class, ".panel" a division; attributes may be left out.
function make(space, selector, [first, ...rest]) {
  const isChild = Array.isArray(first) || first instanceof Node || Object(first) !== first,
    [name, ...classes] = selector.split("."),
    element = document.createElementNS(space, name || "div");
  if (classes.length > 0) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(isChild ? {} : first)) {
    if (!isReal(value)) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (["value", "checked", "selected"].includes(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...flat(isChild ? [first, rest] : rest));
  return element;
}

export const h = (name, ...given) => make("http://www.w3.org/1999/xhtml", name, given);
export const s = (name, ...given) => make("http://www.w3.org/2000/svg", name, given);

// Shows nothing else in a place; what is null or false is left out. The keyboard stays on the element that has taken the
// place of the one where it was, known by its name or data.
export function fill(place, ...children) {
  const old = place.contains(document.activeElement) ? document.activeElement : place,
    key = element => [element.name, ...Object.values(element.dataset)].join(" "),
    twins = () => [...place.querySelectorAll(old.tagName)].filter(element => key(element) === key(old)),
    index = old === place ? -1 : twins().indexOf(old);
  place.replaceChildren(...flat(children));
  if (index >= 0 && !old.isConnected) twins()[index]?.focus({ preventScroll: true });
}

// A line icon by its name in Lucide.
export function icon(name) {
  const drawn = s("svg", { class: "symbol", viewBox: "0 0 24 24", "aria-hidden": "true" });
  drawn.innerHTML = ICONS[name];
  return drawn;
}

// A button with its text behind `icon`, where it has one.
export const button = (text, onclick, { icon: name, ...attributes } = {}) =>
  h("button", { type: "button", onclick, ...attributes }, name && icon(name), text);
// A button that tests know by its name, which is that of its text.
export const action = (sign, name, does, attributes) =>
  button(t(name), does, { icon: sign, "data-action": name.replaceAll(" ", "-"), ...attributes });
// A button that is an icon alone; its label is for screen readers and under the pointer.
export const iconButton = (name, label, onclick, attributes) =>
  button("", onclick, { icon: name, class: "icon", "aria-label": label, title: label, ...attributes });

// An element under its label.
export const field = (label, ...content) => h("label.field", h("span", label), content);

// `options` are [value, text], values that are their own text, or, for a group, [title, options].
export const select = (label, options, value, onchange, attributes) =>
  field(
    label,
    h("select", { onchange: event => onchange?.(event.target.value), ...attributes }, choices(options, value)),
  );

const choices = (options, value) =>
  options.map(option => {
    const [key, text] = Array.isArray(option) ? option : [option, String(option)];
    return Array.isArray(text)
      ? h("optgroup", { label: key }, choices(text, value))
      : h("option", { value: key, selected: String(key) === String(value) }, text);
  });

export const check = (label, checked, onchange, attributes) =>
  h("label.check", [
    h("input", { type: "checkbox", checked, onchange: event => onchange?.(event.target.checked), ...attributes }),
    h("span", label),
  ]);

export const numberField = (label, attributes) => field(label, h("input", { type: "number", ...attributes }));

// A table with a name above each column; its rows are `row(name, cells)` or elements.
export const grid = (names, rows) =>
  h("table.grid", [h("thead", h("tr", [names.map(name => h("th", { scope: "col" }, name))])), h("tbody", rows)]);
export const row = (name, cells) => h("tr", [h("th", { scope: "row" }, name), cells.map(cell => h("td.n", cell))]);

export const portrait = () => matchMedia("(orientation: portrait)");
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const randomName = () =>
  [...crypto.getRandomValues(new Uint8Array(9))].map(byte => "abcdefghijkmnpqrstuvwxyz23456789"[byte % 32]).join("");
