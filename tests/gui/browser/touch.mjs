// A whole game on a phone, by touch.

import assert from "node:assert/strict";
import { browse, finish, pictures, serve, start, visit } from "./page.mjs";

const server = await serve(),
  browser = await browse();
try {
  const { page, quiet } = await visit(browser, server, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  await start(page, "bell-13");
  assert.ok(
    await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "nothing to scroll sideways",
  );
  if (pictures) await page.screenshot({ path: `${pictures}/phone.png` });
  const { isOver, status, ply } = await finish(page, {
    how: (page, point) => page.locator(`main.table [data-point="${point}"]`).tap({ force: true }),
  });
  assert.ok(isOver, status);
  quiet();
  console.log(`touch: bell-13, ${ply} plies, ${status}`);
} finally {
  await browser.close();
  await server.stop();
}
