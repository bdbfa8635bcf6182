// What the page weighs, how soon it paints, how long its tasks are while a piece is dragged on the largest board.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { assets } from "../program.mjs";
import { browse, enter, seen, serve, start, turn, visit } from "./page.mjs";

const svg = new URL("../../../src/svg/", import.meta.url).pathname;
const files = [
  ...readdirSync(assets).map(name => assets + name),
  ...["board.js", "pieces.json", "fonts.css", "board.css", "colours.css"].map(name => svg + name),
];
const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
assert.ok(bytes <= 220 * 1024, `the page weighs ${bytes} bytes`);

const server = await serve(),
  browser = await browse();
try {
  const { page } = await visit(browser, server),
    paints = [];
  await page.addInitScript(() => {
    globalThis.shift = 0;
    const add = entry => (globalThis.shift += entry.hadRecentInput ? 0 : entry.value);
    new PerformanceObserver(list => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
  });
  for (let load = 0; load < 10; load++) {
    await page.reload();
    await page.waitForSelector("[data-game]");
    const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    await page.waitForFunction(paint);
    paints.push(await page.evaluate(paint));
  }
  const median = paints.sort((a, b) => a - b)[5];
  await start(page, "great-siege", { against: "people" });
  for (let officer = 0; officer < 3; officer++) {
    await page.locator(`main.table [data-point="${["c7", "d8", "e9"][officer]}"]`).click({ force: true });
    await turn(page, officer);
  }
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver(list =>
      globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
  });
  const [{ from }] = await page.evaluate(() =>
    [...document.querySelectorAll("main.table .layer-legal [data-move]")].map(({ dataset }) => ({ ...dataset })),
  );
  const box = await page.locator(`main.table [data-point="${from}"]`).boundingBox();
  await page.mouse.move(box.x + 9, box.y + 9);
  await page.mouse.down();
  for (let step = 0; step < 120; step++)
    await page.mouse.move(box.x + 150 * Math.sin(step / 9), box.y - 120 * Math.abs(Math.cos(step / 7)));
  await page.mouse.up();
  await page.locator("main.table [data-position]").press("Escape");
  const now = await seen(page);
  await enter(page, now.moves[0]);
  await turn(page, now.ply);
  const { shift, tasks } = await page.evaluate(() => ({ shift: globalThis.shift, tasks: globalThis.tasks })),
    longest = Math.max(0, ...tasks);
  console.log(
    `bars: ${(bytes / 1024).toFixed(1)} KiB packed, first paint ${median.toFixed(0)} ms (median of 10), longest task while dragging ${longest || "under 50"} ms, layout shift ${shift.toFixed(3)}`,
  );
  // Thirty times what an idle machine takes.
  assert.ok(median < 3000, `the first paint takes ${median} ms`);
  assert.ok(longest < 1500, `a task while dragging takes ${longest} ms`);
  // The layout does not depend on the speed of the machine.
  assert.equal(shift, 0, "the layout shifts");
} finally {
  await browser.close();
  await server.stop();
}
