// A whole game of masters-15 by keyboard alone.

import assert from "node:assert/strict";
import { boardLayout } from "../../../src/svg/board.js";
import { neighbour } from "../../../src/gui/assets/entry.js";
import { json } from "../program.mjs";
import { browse, finish, serve, visit } from "./page.mjs";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const [board] = await json("masters-15", [], "board"),
  layout = boardLayout(board, false);

// The arrow keys from one point to another.
function keys(from, to) {
  const found = new Map([[from, []]]);
  for (const [point, pressed] of found)
    for (const [key, way] of Object.entries(WAYS)) {
      const next = neighbour(layout, point, way);
      if (!found.has(next)) found.set(next, [...pressed, key]);
    }
  return found.get(to);
}

// Each move of a game may be on the way.
async function tabTo(page, selector) {
  for (let n = 0; n < 600; n++) {
    if (await page.evaluate(selector => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

const server = await serve(),
  browser = await browse();
try {
  const { page, quiet } = await visit(browser, server);
  await tabTo(page, "[data-game=masters-15]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-action=play]");
  await tabTo(page, "[data-action=play]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("main.table .layer-legal [data-move]", { state: "attached" });
  const press = async (page, point) => {
    await tabTo(page, "svg.board");
    const at =
      (await page.evaluate(() => document.querySelector("[data-cursor]")?.dataset.cursor)) ??
      [...layout.places.keys()][Math.floor(layout.places.size / 2)];
    for (const key of keys(press.at ?? at, point)) await page.keyboard.press(key);
    press.at = point;
    await page.keyboard.press("Enter");
  };
  const { isOver, status, ply } = await finish(page, { how: press });
  assert.ok(isOver, status);
  assert.match(await page.locator("#said").textContent(), /./, "what happens is said to screen readers");
  // The menu, and the way to the next game.
  await tabTo(page, "[data-action=menu]");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".menu [data-action=new-game]:focus");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[data-action=menu]:focus");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog [data-action=close]:focus");
  await page.keyboard.press("Enter");
  await tabTo(page, "[data-action=rematch]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length === 0);
  quiet();
  console.log(`keyboard: masters-15, ${ply} plies, ${status}`);
} finally {
  await browser.close();
  await server.stop();
}
