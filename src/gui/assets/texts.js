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

// A day as this browser's region writes it in that language: the day first in en-GB.
export function dayText(date) {
  const own = globalThis.navigator?.language;
  return new Date(date).toLocaleDateString(own?.startsWith(language) ? own : language, { dateStyle: "medium" });
}

export function speak(name) {
  language = name;
  decimalMark = (1.5).toLocaleString(name).charAt(1);
  if (globalThis.document) document.documentElement.lang = name;
}

// That in the person's language of a text in all languages.
export const inLanguage = texts => texts[Object.keys(LANGUAGES).indexOf(language)];

// Names of people are no keys, though every object has a `constructor`.
const said = (part, key) => (Object.hasOwn(TEXTS[part], key) ? inLanguage(TEXTS[part][key]) : null);

// The text of a key, which shows itself where there is none, `{name}` replaced by values and `{name?position:positions}` by
// the one word or the other.
export const t = (key, values = {}) =>
  (said("texts", key) ?? key).replace(/\{(\w+)(?:\?([^:}]*):([^}]*))?\}/g, (mark, name, one, many) => {
    const value = values[name] ?? mark;
    if (one !== undefined) return value === 1 ? one : many;
    return typeof value === "number" ? number(value) : value;
  });

// A word of the engine, as the name of a side, in the person's language where it is known.
export const word = (name, otherwise = name) => said("words", name) ?? otherwise;

// With so many decimals; without `digits` as many as it has, up to three.
export const number = (value, digits) =>
  value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");

// What the program writes into reports is in English; here it is said in the person's language, * for what differs and is
// said, too, @ for names.
const pattern = text =>
  new RegExp(`^${text.replace(/[.*@()[\]%/]/g, mark => (/[*@]/.test(mark) ? "(.+?)" : `\\${mark}`))}$`);
const sentences = Object.entries(TEXTS.sentences).map(([text, said]) => [pattern(text), said, text.match(/[*@]/g)]);

const NUMBERS = /^[\d<> ±+\-−.,%:/[\]]+( s| [KMG]iB)?$/;

// A text of the program in the person's language, with all that stands in it.
export function sentence(text) {
  if (language === Object.keys(LANGUAGES)[0]) return text;
  if (NUMBERS.test(text)) return text.replace(/[.,]\b/g, mark => (mark === "." ? decimalMark : "."));
  const plain = text.replaceAll("\u00a0", " ");
  if (word(plain) !== plain) return word(plain);
  for (const [known, said, marks] of sentences) {
    const found = known.exec(plain);
    if (found)
      return inLanguage(said).replace(/\{(\d+)\}/g, (_, n) => (marks[n - 1] === "@" ? found[n] : sentence(found[n])));
  }
  // What is counted: "7 geese", "geese 17".
  return plain.replace(/(?<=^\d+ )\D+$|^\D+(?= \d+$)/, sentence);
}

// Says all of a place anew, with the true minus, but for titles and names that people have given and what is quoted;
// `named` says the names of the program in a text as people know them.
export function translate(place, named = text => text) {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());)
    if (!text.parentElement.closest("h1, pre, code, [translate=no]"))
      text.data = sentence(named((text.written ??= text.data))).replace(/(?<![\w-])-(?=\d)/g, "−");
  for (const part of place.querySelectorAll("[aria-label]"))
    part.ariaLabel = sentence((part.written ??= part.ariaLabel));
}
