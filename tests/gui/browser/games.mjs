// Whole games by mouse: node games.mjs [RULESET ...]; without names one of each family.

import assert from "node:assert/strict";
import { FAMILIES, browse, finish, pictures, serve, start, visit } from "./page.mjs";

const names = process.argv.length > 2 ? process.argv.slice(2) : FAMILIES;
const server = await serve(),
  browser = await browse();
try {
  for (const name of names) {
    const { page, context, quiet } = await visit(browser, server),
      begun = Date.now();
    await start(page, name);
    const { status, ply } = await finish(page);
    // Two throws and a third may end a game of the goose: 53 is reached by a 9.
    assert.ok(ply >= (name.startsWith("goose") ? 3 : 5), `${name}: ${ply} plies`);
    quiet();
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
    console.log(`${name}: ${ply} plies, ${status}, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    await context.close();
  }
} finally {
  await browser.close();
  await server.stop();
}
