// A tournament of four short games that is started, stopped, taken up again and finished from the page; a tuning.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, noneLive, pictures, serve, visit } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "reynard-runs-")),
  server = await serve("--watch", folder),
  browser = await browse();
try {
  const { page, quiet } = await visit(browser, server);
  await page.goto(`${new URL(page.url()).origin}/#/watch`);
  await page.waitForSelector("details[open] > .run-form");
  await page.waitForSelector("[name=how] option[value='Searcher=mcts']", { state: "attached" });
  if (pictures) await page.screenshot({ path: `${pictures}/run-form.png`, fullPage: true });
  await page.selectOption("[name=limits]", { index: 6 });
  await page.fill("[name=pairs]", "2");
  await page.click("[data-action=start-run]");

  // Boards with names, clocks and what was said of the last move.
  await page.waitForSelector("[data-live] [data-clock='0']");
  await page.waitForFunction(() => /[+−#]\d/.test(document.querySelector("[data-live] figcaption").textContent));
  if (pictures) await page.screenshot({ path: `${pictures}/run-live.png` });
  // A click on one leads to its game, which goes on; who looks back stays there.
  await page.click("[data-live] a");
  const plies = n => page.waitForFunction(n => document.querySelectorAll("[data-ply]").length > n, n),
    count = () => page.locator("[data-ply]").count();
  await plies(0);
  await plies(await count());
  await page.click("[data-step=first]");
  await page.waitForFunction(() => location.hash.endsWith("ply=0"));
  await plies(await count());
  assert.match(page.url(), /#\/live\/\d+\?ply=0$/);
  await page.goBack();
  await page.click("[data-action=stop-run]");
  await page.waitForSelector("[data-action=resume-run]");
  await noneLive(page);

  await page.click("[data-action=resume-run]");
  await page.waitForSelector("[data-action=stop-run]");
  const done = () => /4 of 4 games · finished/.test(document.querySelector("main [role=status]").textContent);
  await page.waitForFunction(done, null, { timeout: 600_000 });
  await page.waitForSelector("[data-verdict]");
  await page.waitForFunction(() => document.querySelectorAll("[data-archive]").length === 4);
  if (pictures) await page.screenshot({ path: `${pictures}/run-end.png`, fullPage: true });
  const journal = readFileSync(join(folder, "run-1/journal.jsonl"), "utf8").trim().split("\n");
  assert.equal(journal.length, 5, "a head and four games");

  // A tuning of one engine takes the place of the tournament.
  await page.click("details:has(> .run-form) > summary");
  await page.selectOption("[name=kind]", "tuning");
  await page.waitForSelector("[name=parameter]");
  await page.check("[name=parameter][value=MctsExploration]");
  await page.selectOption("[name=limits]", { index: 0 });
  await page.fill("[name=iterations]", "2");
  await page.fill("[name=pairs]", "1");
  await page.click("[data-action=start-run]");
  await page.waitForFunction(() => /MctsExploration/.test(document.querySelector(".charts")?.textContent));
  await page.waitForSelector("[data-action=stop-run]", { state: "detached" });
  assert.equal((await page.locator("main [role=alert]").allTextContents()).join(""), "", "nothing has gone wrong");
  // Its page shows the way of the parameter, too.
  await page.goto(`file://${folder}/run-2/trace.html`);
  assert.match(await page.locator(".charts").textContent(), /MctsExploration/);
  quiet();
  console.log("runs: a tournament started, stopped, taken up again and finished from the page, and a tuning");
} finally {
  await browser.close();
  await server.stop();
}
