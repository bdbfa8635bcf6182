// Several pages at the same time, each with a run of its own.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, serve, visit } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "reynard-run-pages-")),
  server = await serve("--watch", folder),
  browser = await browse();

const engines = ["a", "b"].map(name => ({ name, program: 0, options: {} })),
  wish = { name: "x", rulesets: ["bell-13"], limits: { nodes: 20 }, engines };
// Past the page, whose console tells what is refused.
async function post(page, path, data) {
  const { origin } = new URL(server.address),
    reply = await page.request.post(origin + path, { data, headers: { origin } });
  return [reply.status(), await reply.json()];
}
const begin = (page, pairs) => post(page, "/api/run", JSON.stringify({ ...wish, pairs }));
// Until the page says this of its run, and which one is marked in the list.
async function says(page, run, text) {
  await page.waitForFunction(
    ([run, text]) => document.querySelector("main [role=status]").textContent.match(`^Run ${run} · .*${text}`),
    [run, text],
  );
  const current = page.locator("[data-run][aria-current]");
  if (await page.locator("[data-run]").count()) assert.equal(await current.getAttribute("data-run"), `run-${run}`);
}

try {
  const visitors = await Promise.all([0, 1, 2].map(() => visit(browser, server))),
    [first, second, last] = visitors.map(({ page }) => page),
    open = (page, hash) => page.goto(`${new URL(server.address).origin}/${hash}`);
  await open(last, "#/watch");
  // A tuning needs to know of what.
  const [status, { error }] = await post(last, "/api/run", JSON.stringify({ ...wish, pairs: 1, iterations: 2 }));
  assert.equal(status, 422);
  assert.match(error, /a tuning has parameters/);

  assert.deepEqual(await begin(last, 1), [200, { ok: true, run: "run-1" }]);
  await says(last, 1, "2 of 2 games · finished");
  // Its games are over before its process is.
  await last.waitForSelector("[data-action=stop-run]", { state: "detached" });
  // Its day is that of its games, whatever happens to its folder.
  utimesSync(join(folder, "run-1"), 1, 1);
  await begin(last, 5000);
  await says(last, 2, "[1-9]\\d* of 10,000 games · under way");
  await last.click("[data-action=stop-run]");
  await says(last, 2, "of 10,000 games · stopped");
  const dated = await last.locator("[data-run=run-1] small").textContent();
  assert.match(dated, new RegExp(` · [A-Z][a-z]{2} \\d+, ${new Date().getFullYear()} · `));

  // Of a run that was stopped there is what it has played.
  const [saved] = await Promise.all([last.waitForEvent("download"), last.click("[data-file='games.pgn']")]),
    games = readFileSync(await saved.path(), "utf8").match(/\[Result /g),
    played = games.length.toLocaleString("en");
  await says(last, 2, `${played} of 10,000 games · stopped`);
  const [report] = await Promise.all([last.waitForEvent("popup"), last.click("[data-file='report.html']")]);
  await report.waitForSelector("[data-verdict]");
  assert.match(await report.locator(".so-far").textContent(), new RegExp(`${played} of 10,000`));
  await report.close();

  // A third run begins: two pages stay where they are, and the one without a name goes on to it.
  await open(first, "#/watch/run-1");
  await open(second, "#/watch/run-2");
  await says(first, 1, "finished");
  await says(second, 2, "stopped");
  await second.waitForFunction(() =>
    /played anew/.test(document.querySelector("[data-action=resume-run] + .quiet").textContent),
  );
  await first.waitForFunction(() => document.querySelectorAll("[data-archive]").length === 2);
  assert.equal((await begin(second, 5000))[1].run, "run-3");
  await says(last, 3, "under way");
  // What is listed there is of the new run, though both are alike.
  await last.waitForFunction(() => {
    const games = [...document.querySelectorAll("[data-archive]")];
    return games.length > 0 && games.every(({ hash }) => hash.startsWith("#/watch/run-3/"));
  });
  for (const [page, run] of [
    [first, 1],
    [second, 2],
  ]) {
    await page.waitForSelector("[data-elsewhere]");
    await page.waitForSelector("[data-run=run-3]", { state: "attached" });
    await says(page, run, run === 1 ? "finished" : "stopped");
    assert.equal(await page.locator("[data-action=resume-run], [data-action=stop-run]").count(), 0);
  }
  assert.equal((await post(first, "/api/run/resume", "run-2"))[0], 409, "one at a time");
  await last.click("[data-action=stop-run]");
  await says(last, 3, "stopped");

  // Each page goes on with its own run, whatever others look at, and its games are those of its run.
  await open(last, "#/watch/run-3");
  await says(last, 3, "stopped");
  await second.click("[data-action=resume-run]");
  await says(second, 2, "under way");
  await last.waitForSelector("[data-elsewhere]");
  await says(last, 3, "stopped");
  await says(first, 1, "finished");
  await first.click("[data-archive='1']");
  await first.waitForSelector("[data-about]");
  assert.equal(await first.evaluate(() => location.hash.split("?")[0]), "#/watch/run-1/game-2");
  await second.click("[data-action=stop-run]");
  await says(second, 2, "stopped");

  // A run that is not there is refused, and nothing else is shown in its place.
  await open(first, "#/watch/run-9");
  await first.waitForFunction(() =>
    /there is no run 'run-9' here/.test(document.querySelector("main [role=status]").textContent),
  );
  assert.equal(await first.locator("[data-archive], [data-verdict]").count(), 0);
  // Why a run has failed that leaves nothing is said at its address.
  await post(first, "/api/run", JSON.stringify({ ...wish, pairs: 1, limits: { nodes: -1 } }));
  await open(first, "#/watch/run-4");
  await first.waitForFunction(() => /^limits/.test(document.querySelector(".course > [role=alert]").textContent));
  visitors.forEach(({ quiet }) => quiet());
  console.log("run-pages: three pages with a run each while others began, went on and were stopped");
} finally {
  await browser.close();
  await server.stop();
}
