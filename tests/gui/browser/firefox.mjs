// Whole games in Debian's Firefox, one of each family: node firefox.mjs [RULESET ...]. Playwright needs a Firefox of its own,
// so that Puppeteer drives this one; what the helpers of the other tests ask of a page is asked of it here.

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import puppeteer from "puppeteer-core";
import { FAMILIES, PATIENCE_MS, finish, serve, start } from "./page.mjs";

const timeout = PATIENCE_MS;

class Place {
  constructor(page, selector, index = 0) {
    Object.assign(this, { page, selector, index });
  }
  nth = index => new Place(this.page, this.selector, index);
  first = () => this.nth(0);
  count = () => this.page.evaluate(selector => document.querySelectorAll(selector).length, this.selector);
  async click() {
    const { x, y } = await this.page.evaluate(
      (selector, index) => {
        const { x, y, width, height } = document.querySelectorAll(selector)[index].getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      },
      this.selector,
      this.index,
    );
    await this.page.mouse.click(x, y);
  }
  selectOption = value =>
    this.page.evaluate(
      (selector, index, value) => {
        const field = document.querySelectorAll(selector)[index];
        field.value = value;
        field.dispatchEvent(new Event("change"));
      },
      this.selector,
      this.index,
      value,
    );
}

// Puppeteer's own waits make functions of text in the page, which its content security policy forbids in Firefox. What
// `does` finds has to be a value: an element does not come out of that browser.
async function until(page, does, given) {
  for (const end = Date.now() + timeout; !(await page.evaluate(does, given)); await setTimeout(20))
    assert(Date.now() < end, `still waiting for ${does} of ${given}`);
}

const isThere = ([selector, state]) => {
  const found = document.querySelector(selector);
  return found !== null && (state === "attached" || found.getClientRects().length > 0);
};

const visitor = page => ({
  url: () => page.url(),
  goto: address => page.goto(address),
  evaluate: (does, given) => page.evaluate(does, given),
  locator: selector => new Place(page, selector),
  click: async selector => (await until(page, isThere, [selector]), new Place(page, selector).click()),
  waitForFunction: (does, given) => until(page, does, given),
  waitForSelector: (selector, { state } = {}) => until(page, isThere, [selector, state]),
});

const names = process.argv.length > 2 ? process.argv.slice(2) : FAMILIES,
  server = await serve(),
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "intl.accept_languages": "en" },
    timeout,
  });
try {
  const page = await browser.newPage(),
    errors = [];
  page.on("console", message => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", error => errors.push(error.stack));
  await page.setViewport({ width: 1280, height: 860 });
  await page.goto(server.address);
  for (const name of names) {
    const begun = Date.now();
    await start(visitor(page), name);
    const { ply, status } = await finish(visitor(page));
    assert.deepEqual(errors, [], "the console");
    console.log(`firefox: ${name}: ${ply} plies, ${status}, ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  }
} finally {
  await browser.close();
  await server.stop();
}
