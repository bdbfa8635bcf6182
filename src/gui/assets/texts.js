// Interface text and numbers in the person's language.

import { kept } from "./store.js";
import TEXTS from "./texts.json" with { type: "json" };

// In the order of the texts.
export const LANGUAGES = { en: "English", nl: "Nederlands" };

export let language = "en",
  decimalMark = ".";

export function wanted() {
  const asked = kept("language") ?? globalThis.navigator?.language?.slice(0, 2);
  return Object.hasOwn(LANGUAGES, asked) ? asked : "en";
}

export function speak(name) {
  language = name;
  decimalMark = (1.5).toLocaleString(name).charAt(1);
  if (globalThis.document) document.documentElement.lang = name;
}

// That in the person's language of a text in all languages.
export const inLanguage = texts => texts[Object.keys(LANGUAGES).indexOf(language)];

// What is missing shows its key. Names of people are no keys, though every object has a `constructor`.
function said(part, key) {
  const known = Object.hasOwn(TEXTS[part], key) ? TEXTS[part][key] : [];
  return inLanguage(known) ?? key;
}

// The text of a key, `{name}` replaced by values.
export const t = (key, values = {}) =>
  said("texts", key).replace(/\{(\w+)\}/g, (mark, name) => {
    const value = values[name] ?? mark;
    return typeof value === "number" ? number(value) : value;
  });

// A word of the engine, as the name of a side, in the person's language where it is known.
export const word = name => said("words", name);

// With so many decimals; without `digits` as many as it has, up to three.
export const number = (value, digits) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
