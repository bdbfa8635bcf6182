// A finished tournament and a build of tables, seen in the page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../program.mjs";
import { browse, pictures, serve, visit } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "reynard-watch-")), run = join(folder, "run"), tables = join(folder, "tables");
mkdirSync(tables);
const spec = { name: "two and two", format: "round-robin", pairs: 2, rulesets: ["masters-15"], engines: [{ name: "more", limits: { nodes: 200 } }, { name: "less", limits: { nodes: 20 } }] };
writeFileSync(join(folder, "spec.json"), JSON.stringify(spec));
execFileSync(program, ["tournament", "run", join(folder, "spec.json"), "--out", run, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
const server = await serve("--watch", run, "--tables", tables), browser = await browse();
try {
  const { page, quiet } = await visit(browser, server), origin = new URL(page.url()).origin;
  await page.goto(`${origin}/#/watch`);
  await page.waitForSelector("[data-archive]");
  assert.match(await page.locator("main").textContent(), /4 .*more/s);
  if (pictures) await page.screenshot({ path: `${pictures}/watch.png` });
  await page.locator("[data-archive='0']").click();
  await page.waitForSelector("[data-action=judge]");
  await page.waitForSelector("[data-ply='1']");
  await page.click("[data-action=judge]");
  await page.waitForSelector("[data-accuracy]", { timeout: 120000 });
  if (pictures) await page.screenshot({ path: `${pictures}/archive.png` });

  await page.goto(`${origin}/#/truth/bell-13`);
  await page.fill("[name=geese]", "5");
  await page.click("[data-action=build]");
  await page.waitForSelector("table.grid tbody tr", { timeout: 60000 }).catch(async failure => { console.log(await page.locator("main").textContent()); throw failure; });
  assert.match(await page.locator("table.grid").textContent(), /bell-13/);
  quiet();
  console.log("watch: a tournament, a game of it reviewed, tables built");
} finally {
  await browser.close();
  await server.stop();
}
