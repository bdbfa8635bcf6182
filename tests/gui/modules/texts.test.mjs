import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import ICONS from "../../../src/gui/assets/icons.json" with { type: "json" };
import { dayText, number, sentence, speak, t, word } from "../../../src/gui/assets/texts.js";
import { assets, rulesets, texts, words } from "../program.mjs";

const code = readdirSync(assets)
  .filter(name => name.endsWith(".js"))
  .map(name => readFileSync(assets + name, "utf8"))
  .join("\n");
const marks = text => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test("every language has every text, with the same places for values", () => {
  for (const [key, [en, nl]] of Object.entries(texts)) assert.deepEqual(marks(nl), marks(en), key);
});

test("no text is written twice", () => {
  const lines = readFileSync(`${assets}texts.json`, "utf8").split("\n"),
    seen = new Set();
  for (const line of lines) {
    const key = /^    ("(?:[^"\\]|\\.)*"):/.exec(line)?.[1];
    if (/^  "/.test(line)) seen.clear();
    assert.ok(!key || !seen.has(key), key);
    seen.add(key);
  }
});

test("what the program refuses is said in Dutch, with names as they are", () => {
  speak("nl");
  const steps = "d4d5 (a step), d4xd6xb6 (jumps), @d4 (put), ~c5 (take off) or pass";
  for (const [text, said] of [
    [
      `move 'a1a9': cannot be read; expected ${steps}; the game is lost by its mover, geese`,
      /onleesbaar.*een stap.*: ganzen$/,
    ],
    ["move 'd4d5': is not legal here", "zet 'd4d5': mag hier niet"],
    [
      "move 'd4d5': the game is over before it: no geese left",
      /^zet 'd4d5': de partij is dan al uit: geen ganzen meer$/,
    ],
    ["there is no run 'fox' here", "hier is geen wedstrijd 'fox'"],
    ["there is no run '2024.10' here", "hier is geen wedstrijd '2024.10'"],
  ])
    (typeof said === "string" ? assert.equal : assert.match)(sentence(text), said);
  speak("en");
});

test("dates are written as the browser's region writes the language of the page", () => {
  const day = () => dayText("2026-11-27T12:00Z");
  Object.defineProperty(globalThis, "navigator", { value: { language: "en-GB" }, configurable: true });
  for (const [language, text] of [
    ["en", "27 Nov 2026"],
    ["nl", "27 nov 2026"],
  ]) {
    speak(language);
    assert.equal(day(), text);
  }
  delete globalThis.navigator;
  speak("en");
});

test("every game of the world is described in Dutch, too", async () => {
  const names = (await rulesets("--all")).filter(name => !/^The$|^[A-Z].*[a-z]$|:$/.test(name));
  assert.ok(names.length > 90 && names.includes("bagh-bandi"), `${names}`);
  assert.deepEqual(
    names.filter(name => !words[`about ${name}`]?.[1]),
    [],
  );
});

test("of every hunt whose winner nobody knows it is said what stands in the way", () => {
  const catalog = new URL("../../../src/engine/rules/catalog/", import.meta.url),
    read = name => JSON.parse(readFileSync(new URL(`${name}.json`, catalog), "utf8")),
    open = Object.entries(read("texts.en")).filter(([, { balance, solved }]) => balance && !solved),
    hunts = open.map(([name]) => name).filter(name => !/^(the-game|goose)/.test(name));
  assert.ok(hunts.length > 10, `${hunts}`);
  for (const name of hunts) assert.equal(words[`proof ${name}`]?.length, 2, name);
});

// The arguments of a call that begins at an opening parenthesis, as the code has them.
function argumentsAt(at) {
  const found = [""];
  for (let depth = 0, quote = ""; ; at++) {
    const sign = code[at];
    if (quote) quote = sign === quote ? "" : quote;
    else if (/["'`]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign) && ++depth === 1) continue;
    else if (/[)\]}]/.test(sign) && --depth === 0) return found;
    else if (sign === "," && depth === 1) {
      found.push("");
      continue;
    }
    found[found.length - 1] += sign;
  }
}
// The keys that an argument may be: texts and patterns, those of both branches of a choice.
const keysOf = argument =>
  [...argument.matchAll(/(?:^|[?:(]|\?\?)\s*(?:"([^"]*)"|`([^`]*)`)\s*(?=$|[:)]|\?\?)/g)].map(([, text, pattern]) =>
    text === undefined ? new RegExp(`^${pattern.replace(/\$\{[^}]*\}/g, ".+")}$`) : text,
  );

test("every text that the page asks for is there", () => {
  const asked = [];
  // `t(key)`, and buttons that are named by their texts: `action(icon, key)`, and what modules make of it.
  for (const { 1: name, index } of code.matchAll(/(?<![.\w#])(t|action|act)\(/g)) {
    const given = argumentsAt(code.indexOf("(", index));
    for (const key of (name === "t" ? given.slice(0, 1) : given.slice(0, 2)).flatMap(keysOf))
      if (name === "t" || !Object.hasOwn(ICONS, key)) asked.push(key);
  }
  assert.ok(asked.length > 350 && asked.some(key => key instanceof RegExp), `${asked.length}`);
  const isThere = key => (key instanceof RegExp ? Object.keys(texts).some(text => key.test(text)) : key in texts);
  assert.deepEqual(
    asked.filter(key => key !== "" && !isThere(key)),
    [],
  );
});

test("there is no text that the page does not ask for", () => {
  const whole = new Set([...code.matchAll(/"([^"\n]*)"|\b(\w+):/g)].flatMap(([, text, name]) => [text, name])),
    ends = [...code.matchAll(/`([\w ]*)\$\{\w+\}(?:-\$\{\w+\}| \$\{\w+\})?([\w ]*)`/g)].filter(
      ([, ...ends]) => ends.join("").length > 2,
    ),
    isAsked = key => whole.has(key) || ends.some(([, a, b]) => key.startsWith(a) && key.endsWith(b));
  assert.deepEqual(
    Object.keys(texts).filter(key => !isAsked(key)),
    [],
  );
});

test("numbers are written as the language does, also within texts", () => {
  const written = () => [number(1234.5), number(99.5, 2), t("seconds", { n: 0.25 }), word("resignation")];
  assert.deepEqual(written(), ["1,234.5", "99.50", "0.25 s", "resignation"]);
  speak("nl");
  assert.deepEqual(written(), ["1.234,5", "99,50", "0,25 s", "opgegeven"]);
  assert.deepEqual(
    [1, 2, 0].map(n => t("limit nodes", { n })),
    ["1 stelling", "2 stellingen", "0 stellingen"],
  );
  speak("en");
  assert.deepEqual(
    [1, 2000].map(n => t("limit nodes", { n })),
    ["1 position", "2,000 positions"],
  );
  assert.deepEqual([t("constructor"), word("toString")], ["constructor", "toString"]);
});

test("every icon that the page asks for is there, and none that it does not", () => {
  const signs = /(?:\bicon: |\bicon\(|\biconButton\()"([^"]+)"/g;
  for (const [, name] of code.matchAll(signs)) assert.ok(Object.hasOwn(ICONS, name), name);
  for (const name of Object.keys(ICONS)) assert.ok(code.split(`"${name}"`).length > 1, name);
});

test("what a lesson says while it works is said in Dutch", () => {
  speak("nl");
  for (const [line, dutch] of [
    [
      "12/340 positions, 3.4 %, 5.0 positions/s, 7m 51s left, 14 geese for 4s",
      "12/340 stellingen, 3,4 %, 5,0 stellingen per seconde, nog 7m 51s, 14 ganzen sinds 4s",
    ],
    [
      "to solve: 27,053 positions, with at most 6.5 GiB of memory and 11.0 GiB on disk, in about 20m of processor time",
      "op te lossen: 27.053 stellingen, met hoogstens 6,5 GiB geheugen en 11,0 GiB op schijf, in ongeveer 20m processortijd",
    ],
    ["14 geese: 667.2 MiB in 172.5 s", "14 ganzen: 667,2 MiB in 172,5 s"],
    [
      "7/40 games, 2.1 games/s, 3s left, 9/20 epochs, loss 0.3117 in training, 0.3414 in validation",
      "7/40 partijen, 2,1 partijen per seconde, nog 3s, 9/20 leerronden, afwijking 0,3117 bij het leren, 0,3414 bij het toetsen",
    ],
  ])
    assert.equal(sentence(line), dutch);
  speak("en");
});
