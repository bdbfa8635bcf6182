// What the page keeps, where the browser forbids it to store anything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keep, kept, keptKeys } from "../../../src/gui/assets/store.js";
import { wanted } from "../../../src/gui/assets/texts.js";

test("words that earlier versions have stored as they are stay known, and what is damaged does not", t => {
  const stored = { language: "nl", wish: '{"side"', side: '"many"' };
  globalThis.localStorage = { getItem: key => stored[key] ?? null };
  t.after(() => delete globalThis.localStorage);
  assert.deepEqual([wanted(), kept("wish", 5), kept("side"), kept("nothing")], ["nl", 5, "many", null]);
});

test("a store that is forbidden or full keeps everything until the page is left", t => {
  const refuse = () => {
    throw new Error("forbidden");
  };
  Object.defineProperty(globalThis, "localStorage", { get: refuse, configurable: true });
  t.after(() => delete globalThis.localStorage);
  assert.match(wanted(), /^(en|nl)$/);
  assert.equal(keep("language", "nl"), false);
  assert.deepEqual([wanted(), kept("nothing", 5), keptKeys()], ["nl", 5, ["language"]]);
  keep("language", null);
  assert.deepEqual([kept("language"), keptKeys()], [null, []]);
});
