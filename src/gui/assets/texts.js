// Interface text in the person's language. Each language is one file of the same keys.

export const LANGUAGES = { en: "English", nl: "Nederlands" };

let words = {};
export let language = "en";

export function wanted() {
  const kept = globalThis.localStorage?.getItem("language");
  const asked = kept ?? globalThis.navigator?.language?.slice(0, 2);
  return asked in LANGUAGES ? asked : "en";
}

export async function speak(name) {
  words = (await import(`./${name}.js`)).default;
  language = name;
  if (globalThis.document) document.documentElement.lang = name;
}

// Names of people are no keys, though every object has a `constructor`.
const said = key => (Object.hasOwn(words, key) ? words[key] : key);

// The text of a key, `{name}` replaced by values; a key that is missing shows itself.
export const t = (key, values = {}) => said(key).replace(/\{(\w+)\}/g, (mark, name) => values[name] ?? mark);

// A word of the engine, as the name of a side, in the person's language where it is known.
export const word = name => words[`word ${name}`] ?? name;
