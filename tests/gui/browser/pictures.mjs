// The main states in light, dark and on a phone, as pictures, and the one of the README (a copy stands in tests/pictures):
// PICTURES=FOLDER node pictures.mjs

import assert from "node:assert/strict";
import { browse, pictures, serve, visit } from "./page.mjs";

const GAME = "b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4_e3xc3xc5xa5";
const STATES = {
  choose: "",
  rules: "#/game/siege",
  play: "#/play/masters-15?moves=a3b4_d4e5_c3c4_e5d5",
  solitaire: "#/play/solitaire",
  goose: "#/play/goose",
  "the-game": "#/play/the-game?moves=@a1-c4",
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
      await page.waitForSelector("[data-accuracy]");
      await page.click("[data-action=next-mistake]");
    }
    await page.evaluate(async () => {
      await document.fonts.ready;
      await Promise.all(document.getAnimations().map(animation => animation.finished));
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.screenshot({ path: `${pictures}/${size}-${state}.png` });
    if (size === "light" && state === "review") {
      await page.setViewportSize({ width: 1080, height: 700 });
      await page.screenshot({ path: `${pictures}/page.jpg`, type: "jpeg", quality: 82 });
    }
  }
  quiet();
  await context.close();
}
await browser.close();
await server.stop();
