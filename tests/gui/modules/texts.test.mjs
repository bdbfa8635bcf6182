import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import ICONS from "../../../src/gui/assets/icons.json" with { type: "json" };
import { number, speak, t, word } from "../../../src/gui/assets/texts.js";
import { assets, texts } from "../program.mjs";

const code = readdirSync(assets)
  .filter(name => name.endsWith(".js"))
  .map(name => readFileSync(assets + name, "utf8"))
  .join("\n");
const marks = text => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test("every language has every text, with the same places for values", () => {
  for (const [key, [en, nl]] of Object.entries(texts)) assert.deepEqual(marks(nl), marks(en), key);
});

test("every text that the page asks for is there", () => {
  const asked = [...code.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key);
  assert.ok(asked.length > 60);
  for (const key of asked) assert.ok(key in texts, key);
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
  speak("en");
  assert.deepEqual([t("constructor"), word("toString")], ["constructor", "toString"]);
});

test("every icon that the page asks for is there, and none that it does not", () => {
  const signs = /(?:\bicon: |\bicon\(|\biconButton\()"([^"]+)"/g;
  for (const [, name] of code.matchAll(signs)) assert.ok(Object.hasOwn(ICONS, name), name);
  for (const name of Object.keys(ICONS)) assert.ok(code.split(`"${name}"`).length > 1, name);
});
