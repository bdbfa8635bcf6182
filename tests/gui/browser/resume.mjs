// Games go on after the server was killed and started anew, without a reload.

import assert from "node:assert/strict";
import { browse, enter, seen, serve, serveAt, start, turn, visit } from "./page.mjs";

let server = await serve();
const { port } = new URL(server.address),
  browser = await browse();
try {
  const { page } = await visit(browser, server);
  const speak = async language => {
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", language);
  };
  // Pages without a socket find out when they need the server: modules, the words of a language, a game.
  for (const [act, seen] of [
    [() => page.evaluate(() => void (location.hash = "#/truth/masters-15")), ".atlas [data-proof]"],
    [() => page.evaluate(() => void (location.hash = "#/")), "[data-game]"],
    [() => page.click(".hero"), "main.table .layer-legal [data-move]"],
    [() => page.click("[data-tab=review]"), ".panel.review"],
    [() => speak("nl"), "html[lang=nl]"],
  ]) {
    await server.stop();
    // A page that has noticed by itself takes nothing until the server is there again.
    const acting = act();
    if (seen !== "[data-game]") await page.waitForSelector("#away:not([hidden])");
    server = await serveAt(server.home, port);
    await acting;
    await page.waitForSelector(seen, { state: "attached" });
    await page.waitForSelector("#away", { state: "hidden" });
  }
  await speak("en");
  // One that needs nothing notices by itself.
  await page.evaluate(() => void (location.hash = "#/"));
  await page.waitForSelector("[data-game]");
  await server.stop();
  await page.waitForSelector("#away:not([hidden])");
  server = await serveAt(server.home, port);
  await page.waitForSelector("#away", { state: "hidden" });
  // One that cannot be had though the server is there.
  await page.route("**/own.js", route => route.fulfill({ status: 404 }));
  await page.evaluate(() => void (location.hash = "#/own"));
  await page.waitForSelector("main .wrong");
  await page.unroute("**/own.js");
  await page.click("main [data-action=try-again]");
  await page.waitForSelector("main:not(:has(.wrong)) [data-verdict].fine");

  await start(page, "masters-15");
  await enter(page, (await turn(page, -1)).moves[0]);
  const { position, ply } = await turn(page, 1);
  assert.equal(ply, 2);
  await server.stop();
  await page.waitForSelector("#away:not([hidden])");
  assert.ok(await page.evaluate(() => document.querySelector("main").inert), "nothing can be done without a server");
  server = await serveAt(server.home, port);
  await page.waitForSelector("#away", { state: "hidden" });
  await page.waitForFunction(() => /your move/.test(document.querySelector("main.table .status").textContent));
  assert.equal((await seen(page)).position, position);
  await enter(page, (await seen(page)).moves[0]);
  assert.equal((await turn(page, 3)).ply, 4);

  // A game of one's own ruleset, which the new server has to be told, though the page is left meanwhile.
  await page.evaluate(() => void (location.hash = "#/own"));
  await page.waitForSelector("[data-verdict].fine");
  await page.click("[data-action=play]");
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
  const own = await page.evaluate(() => location.hash);
  await enter(page, (await turn(page, -1)).moves[0]);
  assert.equal((await turn(page, 1)).ply, 2);
  await server.stop();
  await page.waitForSelector("#away:not([hidden])");
  await page.evaluate(() => void (location.hash = "#/"));
  server = await serveAt(server.home, port);
  await page.waitForSelector("#away", { state: "hidden" });
  await page.waitForSelector("[data-game]");
  assert.ok(!(await page.evaluate(() => document.querySelector("main").inert)), "the page is alive again");
  await page.evaluate(own => void (location.hash = own), own);
  await page.waitForSelector("main.table .status");
  const next = (await turn(page, 1)).moves[0];
  await enter(page, next);
  assert.equal((await turn(page, 3)).ply, 4);
  // The page is made anew when the server is back: the old board still has its moves for a moment.
  await page.evaluate(() => void (document.querySelector("main.table [data-position]").id = "old"));
  await server.stop();
  await page.waitForSelector("#away:not([hidden])");
  server = await serveAt(server.home, port);
  await page.waitForSelector("#away", { state: "hidden" });
  await page.waitForFunction(
    () => !document.querySelector("#old") && document.querySelector("main.table .layer-legal [data-move]"),
  );
  await enter(page, (await seen(page)).moves[0]);
  assert.equal((await turn(page, 5)).ply, 6);
  // Nobody's time runs while nothing can be done.
  await page.clock.install();
  await page.goto("about:blank");
  await page.goto(`${new URL(server.address).origin}/#/game/masters-15`);
  await page.locator("[name=clocks]").check();
  await page.click("[data-action=play]");
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
  await enter(page, (await turn(page, -1)).moves[0]);
  await turn(page, 1);
  const left = () => page.locator('[data-clock="0"]').textContent();
  await server.stop();
  await page.waitForSelector("#away:not([hidden])");
  // The next tick holds the clock.
  await page.clock.runFor(200);
  const held = await left();
  await page.clock.fastForward(60_000);
  assert.equal(await left(), held);
  server = await serveAt(server.home, port);
  await page.waitForSelector("#away", { state: "hidden" });
  await page.waitForFunction(() => document.querySelectorAll("main.table .layer-legal [data-move]").length > 0);
  assert.ok((await left()) <= held, "nothing is given back");
  await page.clock.fastForward(5000);
  await page.waitForFunction(held => document.querySelector('[data-clock="0"]').textContent < held, held);
  console.log("resume: a server started anew goes on with the game");
} finally {
  await browser.close();
  await server.stop();
}
