// What the program writes into reports is in English; here it is said in the person's language, * for what differs and
// is said, too, @ for names.

import { LANGUAGES, decimalMark, inLanguage, language, word } from "./texts.js";
import TEXTS from "./texts.json" with { type: "json" };

const pattern = text =>
  new RegExp(`^${text.replace(/[.*@()[\]%/]/g, mark => (/[*@]/.test(mark) ? "(.+?)" : `\\${mark}`))}$`);
const sentences = Object.entries(TEXTS.sentences).map(([text, said]) => [pattern(text), said, text.match(/[*@]/g)]);

const NUMBERS = /^[\d<> ±+\-−.%:/[\]]+$/,
  DATE = /^\d+ [A-Z][a-z]+ \d{4}$/;

// A text of the program in the person's language, with all that stands in it.
export function sentence(text) {
  if (language === Object.keys(LANGUAGES)[0]) return text;
  if (NUMBERS.test(text)) return text.replaceAll(".", decimalMark);
  if (DATE.test(text)) return new Date(text).toLocaleDateString(language, { dateStyle: "long" });
  const plain = text.replaceAll("\u00a0", " ");
  for (const [known, said, marks] of sentences) {
    const found = known.exec(plain);
    if (found)
      return inLanguage(said).replace(/\{(\d+)\}/g, (_, n) => (marks[n - 1] === "@" ? found[n] : sentence(found[n])));
  }
  return word(text);
}

// Says all of a place anew, but for titles and names that people have given and what is quoted.
export function translate(place) {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());)
    if (!text.parentElement.closest("h1, pre, code, [translate=no]"))
      text.data = sentence((text.written ??= text.data));
}
