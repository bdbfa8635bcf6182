// Whole games by keyboard alone: steps, pieces that are put on the board, and dice.

import assert from "node:assert/strict";
import { boardLayout } from "../../../src/svg/board.js";
import { neighbour } from "../../../src/gui/assets/entry.js";
import { json } from "../program.mjs";
import { browse, finish, serve, visit } from "./page.mjs";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The arrow keys from one point to another.
function keys(layout, from, to) {
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

async function pressButton(page, selector) {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

const server = await serve(),
  browser = await browse();
try {
  const { page, quiet } = await visit(browser, server);
  for (const name of ["goose-team", "bagha-chal", "masters-15"]) {
    const [board] = await json(name, [], "board"),
      layout = boardLayout(board, false);
    await page.goto(`${new URL(page.url()).origin}/#/`);
    await pressButton(page, `[data-game=${name}]`);
    await page.waitForSelector("[data-action=play]");
    await pressButton(page, "[data-action=play]");
    await page.waitForSelector("main.table [data-position]:not([data-position=''])");
    let at = [...layout.places.keys()][Math.floor(layout.places.size / 2)];
    const point = async (page, point) => {
      await tabTo(page, "svg.board");
      for (const key of keys(layout, at, point)) await page.keyboard.press(key);
      at = point;
      await page.keyboard.press("Enter");
    };
    const { status, ply } = await finish(page, { by: { point, button: pressButton } });
    assert.match(await page.locator("#said").textContent(), /./, "what happens is said to screen readers");
    console.log(`keyboard: ${name}, ${ply} plies, ${status}`);
  }
  // The menu, and the way to the next game.
  await pressButton(page, "[data-action=menu]");
  await page.waitForSelector(".menu [data-action=new-game]:focus");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[data-action=menu]:focus");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog [data-action=close]:focus");
  await page.keyboard.press("Enter");
  await pressButton(page, "[data-action=rematch]");
  await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length === 0);
  quiet();
} finally {
  await browser.close();
  await server.stop();
}
