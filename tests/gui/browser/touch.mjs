// Whole games on a phone, by touch; then a move of a line of a search.

import assert from "node:assert/strict";
import { browse, finish, pictures, searchesOn, serve, start, visit } from "./page.mjs";

const server = await serve(),
  browser = await browse();
const byTouch = {
  point: (page, point) => page.locator(`main.table [data-point="${point}"]`).tap({ force: true }),
  button: (page, selector) => page.tap(selector),
};
try {
  const { page, context, quiet } = await visit(browser, server, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  for (const name of ["bell-13", "bagha-chal", "solitaire"]) {
    await start(page, name);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "nothing to scroll sideways",
    );
    if (pictures) await page.screenshot({ path: `${pictures}/phone-${name}.png` });
    const { status, ply } = await finish(page, { by: byTouch });
    // What can be done at the end is not behind the bar.
    await page.waitForFunction(() => {
      const { x, y, width, height } = document.querySelector("[data-action=rematch]").getBoundingClientRect();
      return !!document.elementFromPoint(x + width / 2, y + height - 2)?.closest("[data-action=rematch]");
    });
    console.log(`touch: ${name}, ${ply} plies, ${status}`);
  }

  // The line stays as it is under the finger, though the search goes on.
  await page.goto(`${new URL(page.url()).origin}/#/analyse/masters-15`);
  const move = page.locator("[data-line='1'] [data-pv]").nth(1),
    finger = await context.newCDPSession(page),
    touch = (type, ...touchPoints) => finger.send("Input.dispatchTouchEvent", { type, touchPoints });
  // Until it is pressed it may go away.
  const press = async () => {
    const at = await move.evaluate(each => {
      each.scrollIntoView({ block: "center" });
      const { x, y, width, height } = each.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    await touch("touchStart", at);
    const under = await page.evaluateHandle(({ x, y }) => document.elementFromPoint(x, y), at);
    if (await under.evaluate(each => "pv" in each.dataset)) return under;
    await touch("touchCancel");
    return press();
  };
  const under = await press();
  await searchesOn(page);
  assert.ok(await under.evaluate(each => each.isConnected));
  await touch("touchCancel");
  await searchesOn(page);
  await page.waitForFunction(each => !each.isConnected, under);
  // What is tapped and leads nowhere holds the list no longer than the tap.
  const place = await page.evaluate(() => {
    const { x, y, width, height } = document.querySelector("[data-line='1'] b").getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await touch("touchStart", place);
  const tapped = await page.evaluateHandle(({ x, y }) => document.elementFromPoint(x, y), place);
  await searchesOn(page);
  assert.ok(await tapped.evaluate(each => each.isConnected));
  await touch("touchEnd");
  await page.waitForFunction(each => !each.isConnected, tapped);
  await move.tap();
  await page.waitForSelector("[data-ply='2'][aria-current]");
  quiet();
} finally {
  await browser.close();
  await server.stop();
}
