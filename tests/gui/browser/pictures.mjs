// The main states in light, dark and on a phone, as pictures, and those of the README (copies stand in tests/pictures):
// PICTURES=FOLDER node pictures.mjs

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../program.mjs";
import { browse, pictures, serve, visit } from "./page.mjs";

const GAME = "b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4_e3xc3xc5xa5";
// One that tables judge: the last hound to move lets the fox through.
const TABLED = "d8c7_g1f2_c7b6_f2e3_b6c5_a1b2_c5b4_e3d4_b4a3_e1d2_a3b4_b2a3";
const STATES = {
  choose: "",
  rules: "#/game/siege",
  play: "#/play/masters-15?moves=a3b4_d4e5_c3c4_e5d5",
  solitaire: "#/play/solitaire",
  goose: "#/play/goose",
  "the-game": "#/play/the-game?moves=@d1_@f5_@b1_@e6",
  analyse: `#/analyse/masters-15?${new URLSearchParams({ moves: "a3b4_d4e5_c3c4" })}`,
  review: `#/analyse/masters-15?moves=${GAME}&tab=review`,
  own: "#/own",
};
const SIZES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
};

assert.ok(pictures, "PICTURES names no folder");
const server = await serve(),
  browser = await browse();
for (const [size, options] of Object.entries(SIZES)) {
  const { page, context, quiet } = await visit(browser, server, options);
  for (const [state, hash] of Object.entries(STATES)) {
    await page.goto("about:blank");
    await page.goto(`${new URL(server.address).origin}/${hash}`);
    await page.waitForSelector(
      "[data-game], .rules, main.table [data-position]:not([data-position='']), [data-verdict].fine",
    );
    if (state === "analyse")
      await page.waitForFunction(() => +document.querySelector("[data-nodes]")?.dataset.nodes > 20000);
    if (state === "review") {
      await page.click("[data-action=judge]");
      await page.waitForSelector("[data-good]");
      await page.click("[data-action=next-mistake]");
    }
    await page.evaluate(async () => {
      await document.fonts.ready;
      await Promise.all(document.getAnimations().map(animation => animation.finished));
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.screenshot({ path: `${pictures}/${size}-${state}.png` });
  }
  quiet();
  await context.close();
}
await server.stop();

// A small picture for the README.
async function shoot(page, name) {
  await page.evaluate(() => document.fonts.ready);
  const session = await page.context().newCDPSession(page),
    { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(`${pictures}/${name}.webp`, Buffer.from(data, "base64"));
}

const folder = mkdtempSync(join(tmpdir(), "reynard-pictures-")),
  [tables, run, spec] = ["tables", "run", "spec.json"].map(name => join(folder, name));
mkdirSync(run);
execFileSync(program, ["table", "build", "fox-and-hounds", "--dir", tables], { stdio: "ignore" });
writeFileSync(
  spec,
  JSON.stringify({
    name: "mcts against alphabeta",
    rulesets: ["masters-15"],
    format: "match",
    pairs: 100,
    concurrency: 2,
    openings: { kind: "random", plies: 4 },
    engines: ["mcts", "alphabeta"].map(name => ({ name, options: { Searcher: name } })),
    limits: { clock_ms: 20_000, increment_ms: 200 },
  }),
);
const played = spawn(program, ["tournament", "run", spec, "--out", run, "--quiet"], { stdio: "ignore" }),
  watched = await serve("--tables", tables, "--watch", run);
try {
  const { page } = await visit(browser, watched, { viewport: { width: 1080, height: 700 } }),
    go = async (hash, until) => {
      await page.goto("about:blank");
      await page.goto(`${new URL(watched.address).origin}/${hash}`);
      await page.waitForSelector(until, { state: "attached" });
    };
  await go("", "[data-game]");
  await shoot(page, "first");
  await page.setViewportSize({ width: 1080, height: 860 });
  await go(`#/analyse/fox-and-hounds?moves=${TABLED}&tab=review`, ".layer-legal.valued [data-exact=true]");
  await page.click("[data-action=judge]");
  await page.waitForSelector("[data-good]");
  await page.click("[data-turning] button");
  await page.waitForSelector("[data-better]:not(:empty)");
  await page.evaluate(() => scrollTo(0, 0));
  await shoot(page, "review");
  await go("#/watch", "[data-live='1'] [data-clock='0']");
  // In the middle of their games.
  await page.waitForFunction(() => {
    const boards = [...document.querySelectorAll("[data-live]:not([hidden])")],
      isUnderWay = board =>
        /[+−#]\d/.test(board.textContent) &&
        [...board.querySelectorAll("[data-clock]")].some(({ textContent }) => textContent < "0:14");
    return boards.length === 2 && boards.every(isUnderWay);
  });
  await shoot(page, "live");
} finally {
  played.kill("SIGKILL");
  await browser.close();
  await watched.stop();
}
