// A server of the program and a browser that looks at its page.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { program } from "../program.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const pictures = process.env.PICTURES;
// One game of each family, and of each way to play.
export const FAMILIES = ["masters-15", "bell-13", "siege", "bagha-chal", "goose-team", "the-game", "solitaire"];
// Nothing that a test waits for takes as long as this.
export const PATIENCE_MS = +(process.env.PATIENCE_MS ?? 120_000);
if (pictures) mkdirSync(pictures, { recursive: true });

// {address, stop}: a server on a free port with a home of its own.
export const serve = (...options) => serveAt(mkdtempSync(join(tmpdir(), "reynard-gui-")), "0", ...options);

// The same on a port, and with a home that may have been one before.
export async function serveAt(home, port, ...options) {
  if (process.env.GUI_ADDRESS) return { address: process.env.GUI_ADDRESS, stop: async () => {} };
  const child = spawn(program, ["gui", "--no-open", "--port", port, ...options], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home },
  });
  child.stderr.on("data", data => process.stderr.write(data));
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", line => {
      const found = /http:\/\/\S+/.exec(line);
      if (found) resolve(found[0]);
    });
    child.on("close", code => reject(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise(done => child.on("close", done));
  return { address, home, stop: () => (child.kill("SIGINT"), ended) };
}

export const browse = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
    timeout: PATIENCE_MS,
  });

// A page that fails the test when the console shows an error; `sent` has the lines that it sends to engines.
export async function visit(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: "en",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage(),
    wait = page.waitForFunction.bind(page),
    errors = [],
    sent = [];
  // While a page is drawn anew what a test looks for is not there yet.
  page.waitForFunction = (holds, ...more) =>
    wait(new Function("argument", `try { return (${holds})(argument) } catch { return false }`), ...more);
  page.on("websocket", socket => socket.on("framesent", ({ payload }) => sent.push(payload.toString())));
  page.on("console", message => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", error => errors.push(error.stack));
  await page.goto(server.address);
  await page.waitForSelector("[data-game]");
  return { page, context, errors, sent, quiet: () => assert.deepEqual(errors, [], "the console") };
}

// Of strengths all but a few are behind one choice more. The form may be drawn anew at any time, when engines have told what
// they play.
export const selectFrom = (page, name, index, value) =>
  page.waitForFunction(
    ([name, index, value]) => {
      const field = document.querySelectorAll(`[name=${name}]`)[index],
        has = value => [...field.options].some(option => option.value === `${value}`),
        choice = [value, "more"].find(has);
      if (choice) field.value = choice;
      if (choice) field.dispatchEvent(new Event("change"));
      return choice === value;
    },
    [name, index, value],
  );

export async function start(page, ruleset, { against, side, limit = "nodes 20" } = {}) {
  await page.goto(`${new URL(page.url()).origin}/#/game/${ruleset}`);
  await page.waitForSelector("[data-action=play]");
  // Two engines have a limit each.
  for (const [name, value] of Object.entries({ against, side, limit })) {
    const fields = page.locator(`[name=${name}]`);
    for (let n = 0; value !== undefined && n < (await fields.count()); n++) await selectFrom(page, name, n, value);
  }
  await page.click("[data-action=play]");
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
}

// Chooses what stands in the menu of a game.
export async function choose(page, action) {
  await page.click("[data-action=menu]");
  await page.click(`[data-action=${action}]`);
}

// Choices whose text has not the room that it needs, or what else is wider than the page.
export const cut = page =>
  page.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d"),
      isCut = field => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field),
          // With the sign that opens it.
          room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 16;
        pen.font = font;
        return pen.measureText(field.selectedOptions[0]?.text ?? "").width > room;
      };
    const fields = [...document.querySelectorAll("select")].filter(field => field.getClientRects().length > 0),
      isWide = document.documentElement.scrollWidth > innerWidth;
    return [...fields.filter(isCut).map(field => field.selectedOptions[0].text), ...(isWide ? ["the page"] : [])];
  });

// What axe finds fault with in a state of the page.
export async function sound(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0].html} ${nodes[0].failureSummary}`),
    [],
  );
}

export const seen = page =>
  page.evaluate(() => ({
    position: document.querySelector("main.table [data-position]").dataset.position,
    status: document.querySelector("main.table .status").textContent,
    isOver: document.querySelector("main.table .status").classList.contains("over"),
    moves: [...document.querySelectorAll("main.table .layer-legal [data-move]")].map(({ dataset }) => ({ ...dataset })),
    ply: document.querySelectorAll(".moves [data-ply]").length,
    buttons: [...document.querySelectorAll(".now button:not(:disabled)")].map(({ dataset }) => dataset.action),
  }));

// Until a search of an analysis has told more, and what it tells is drawn.
export async function searchesOn(page) {
  const before = await page.evaluate(() => document.querySelector("[data-nodes]").dataset.nodes);
  await page.waitForFunction(before => +document.querySelector("[data-nodes]").dataset.nodes > +before, before);
}

// Until no board of a watched run is live.
export const noneLive = page => page.waitForFunction(() => !document.querySelector("[data-live]:not([hidden])"));

// The position behind the one that was seen, or the same one when the person is to act.
export async function turn(page, before) {
  await page.waitForFunction(ply => {
    const status = document.querySelector("main.table .status"),
      moves = document.querySelectorAll("main.table .layer-legal [data-move]").length,
      count = document.querySelectorAll(".moves [data-ply]").length;
    return (
      status.classList.contains("over") ||
      (count > ply && (moves > 0 || document.querySelectorAll(".now button:not(:disabled)").length > 0))
    );
  }, before);
  return seen(page);
}

// Ways to reach what stands on the page: points of the board and buttons.
export const mouse = {
  point: (page, point) => page.locator(`main.table [data-point="${point}"]`).click({ force: true }),
  button: (page, selector) => page.click(selector),
};

// Enters a move by its points; `by` clicks or taps or drags.
export async function enter(page, { move, from, path, to }, by = mouse) {
  if (
    from === "hand" &&
    (await page.locator(".hand:not(:disabled)").count()) > 0 &&
    !(await page.evaluate(to => !!document.querySelector(`[data-target="${to}"]`), to))
  )
    await by.button(page, ".hand:not(:disabled)");
  const ply = await page.locator(".moves [data-ply]").count();
  for (const point of from === "hand" || (from === to && !path) ? [to] : [from, ...path.split(" ")]) {
    await by.point(page, point);
    // Nothing more to be named: the move is on its way.
    if (point !== from && (await page.locator("[data-target]").count()) === 0) break;
  }
  const until = state =>
    page.waitForFunction(state, ply).catch(async () => {
      const now = await seen(page);
      assert.fail(
        `${move} (${from} ${path} ${to}) could not be entered: ${JSON.stringify({ ...now, moves: now.moves.length })}`,
      );
    });
  // The move is played, or the piece could jump on and has to stop here.
  await until(
    ply =>
      document.querySelectorAll(".moves [data-ply]").length > ply ||
      document.querySelector("[data-action=stop-here]") !== null,
  );
  if ((await page.locator("[data-action=stop-here]").count()) > 0) await by.button(page, "[data-action=stop-here]");
  await until(ply => document.querySelectorAll(".moves [data-ply]").length > ply);
}

// Plays until the game is over, with moves drawn by a fixed rule.
export async function finish(page, { by = mouse, most = 400, choose = draw } = {}) {
  let now = await turn(page, -1);
  for (let n = 0; !now.isOver && n < most; n++) {
    if (now.buttons.includes("roll")) await by.button(page, "[data-action=roll]");
    else if (now.buttons.includes("pass")) await by.button(page, "[data-action=pass]");
    else await enter(page, choose(now, n), by);
    now = await turn(page, now.ply);
  }
  assert.ok(now.isOver, `not over after ${now.ply} plies: ${now.status} ${now.position}`);
  return now;
}

// Captures first, so that games come to an end.
function draw({ moves }, n) {
  const captures = moves.filter(({ move }) => move.includes("x")),
    from = captures.length > 0 ? captures : moves;
  return from[(n * 7919 + 13) % from.length];
}

// Runs each test that the command line names a word of, or all, with a visitor of its own; then ends server and browser.
export async function each(tests, server, browser) {
  const only = process.argv.slice(2);
  let failed = 0;
  for (const [name, run] of Object.entries(tests)) {
    if (only.length > 0 && !only.some(word => name.includes(word))) continue;
    const visitor = await visit(browser, server);
    try {
      await run(visitor);
      visitor.quiet();
      console.log(`ok: ${name}`);
    } catch (failure) {
      failed++;
      console.log(`FAILED: ${name}\n${failure.stack}`);
      if (pictures) await visitor.page.screenshot({ path: `${pictures}/failed-${failed}.png` });
    }
    await visitor.context.close();
  }
  await browser.close();
  await server.stop();
  process.exitCode = failed > 0 ? 1 : 0;
}
