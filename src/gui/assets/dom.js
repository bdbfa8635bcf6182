// Elements without a framework.

import { ICONS } from "./icons.js";
import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

const make = (element, attributes, children) => {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "selected") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
};

export const h = (name, attributes, ...children) => make(document.createElement(name), attributes, children);
export const s = (name, attributes, ...children) => make(document.createElementNS(SVG, name), attributes, children);

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

// `options` are [value, text] or, for a group, [title, options].
export const select = (label, options, value, onchange, attributes) =>
  h(
    "label",
    { class: "field" },
    h("span", {}, label),
    h("select", { onchange: event => onchange?.(event.target.value), ...attributes }, choices(options, value)),
  );

const choices = (options, value) =>
  options.map(([key, text]) =>
    Array.isArray(text)
      ? h("optgroup", { label: key }, choices(text, value))
      : h("option", { value: key, selected: String(key) === String(value) }, text),
  );

export const check = (label, checked, onchange, attributes) =>
  h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", checked, onchange: event => onchange(event.target.checked), ...attributes }),
    h("span", {}, label),
  );

export const numberField = (label, attributes) =>
  h("label", { class: "field" }, h("span", {}, label), h("input", { type: "number", ...attributes }));

// A table with a name above each column; its rows are `row(name, cells)` or elements.
export const grid = (names, rows) =>
  h(
    "table",
    { class: "grid" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        names.map(name => h("th", { scope: "col" }, name)),
      ),
    ),
    h("tbody", {}, rows),
  );
export const row = (name, cells) =>
  h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    cells.map(cell => h("td", { class: "n" }, cell)),
  );

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// What a full or forbidden store does not take is kept until the page is left.
const unstored = new Map();

// Whether the browser has stored it.
export function keep(key, value) {
  const text = JSON.stringify(value);
  unstored.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    unstored.set(key, text);
    return false;
  }
}
export function kept(key, otherwise = null) {
  try {
    return JSON.parse(unstored.get(key) ?? localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keptKeys() {
  const keys = new Set(unstored.keys());
  try {
    Object.keys(localStorage).forEach(key => keys.add(key));
  } catch {
    /* a forbidden store has none */
  }
  return [...keys];
}

export const randomName = () =>
  [...crypto.getRandomValues(new Uint8Array(9))].map(byte => "abcdefghijkmnpqrstuvwxyz23456789"[byte % 32]).join("");
