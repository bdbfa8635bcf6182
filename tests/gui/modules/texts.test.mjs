import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import en from "../../../src/gui/assets/en.js";
import nl from "../../../src/gui/assets/nl.js";
import { ICONS } from "../../../src/gui/assets/icons.js";
import { assets } from "../program.mjs";

const code = readdirSync(assets)
  .filter(name => name.endsWith(".js"))
  .map(name => readFileSync(assets + name, "utf8"))
  .join("\n");
const marks = text => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test("every language has every text, with the same places for values", () => {
  assert.deepEqual(
    Object.keys(nl)
      .filter(key => !key.startsWith("word "))
      .sort(),
    Object.keys(en)
      .filter(key => !key.startsWith("word "))
      .sort(),
  );
  for (const [key, text] of Object.entries(en)) if (nl[key]) assert.deepEqual(marks(nl[key]), marks(text), key);
});

test("every text that the page asks for is there", () => {
  const asked = [...code.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key);
  assert.ok(asked.length > 60);
  for (const key of asked) assert.ok(key in en, key);
});

test("every icon that the page asks for is there, and none that it does not", () => {
  const signs = /(?:\bicon: |\bicon\(|\biconButton\()"([^"]+)"/g;
  for (const [, name] of code.matchAll(signs)) assert.ok(Object.hasOwn(ICONS, name), name);
  for (const name of Object.keys(ICONS)) assert.ok(code.split(`"${name}"`).length > (name.includes("-") ? 2 : 1), name);
});
