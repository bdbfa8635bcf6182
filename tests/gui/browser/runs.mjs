// Tournaments that are started, stopped, taken up again and finished from the page; a tuning; a game to learn.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browse, noneLive, pictures, serve, visit } from "./page.mjs";

// What the console says of it.
const REFUSED = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)",
  folder = mkdtempSync(join(tmpdir(), "reynard-runs-")),
  foreign = new URL("../../engines/ugi_engine.py", import.meta.url).pathname,
  server = await serve("--watch", folder, "--engine", foreign),
  browser = await browse();
try {
  const { page, errors, quiet } = await visit(browser, server);
  await page.addInitScript(() => {
    globalThis.isRecord = () => /^#\/watch\/run-\d+\/game-/.test(location.hash);
    globalThis.runningClock = () => document.querySelector("main.table .who.now [data-clock]")?.textContent;
  });
  await page.reload();
  const openForm = () => page.locator("details:has(> .run-form)").evaluate(form => (form.open = true));
  await page.goto(`${new URL(page.url()).origin}/#/watch`);
  await page.waitForSelector("details[open] > .run-form");
  await page.waitForSelector("[name=how] option[value='Searcher=mcts']", { state: "attached" });
  if (pictures) await page.screenshot({ path: `${pictures}/run-form.png`, fullPage: true });
  // A program that is chosen in the last moment plays by what it knows itself.
  const [asked] = await Promise.all([
    new Promise(done =>
      page.route("**/api/run", route => (route.fulfill({ json: { ok: true } }), done(route.request()))),
    ),
    page.evaluate(() => {
      const program = document.querySelector("[name=program]");
      program.value = "1";
      program.dispatchEvent(new Event("change"));
      document.querySelector("[data-action=start-run]").click();
    }),
  ]);
  const [first, second] = asked.postDataJSON().engines;
  assert.deepEqual([first.program, first.options, second.options], [1, {}, { Searcher: "alphabeta" }]);
  await page.unroute("**/api/run");
  await page.selectOption("[name=program] >> nth=0", "0");
  await page.selectOption("[name=how] >> nth=0", "Searcher=mcts");
  // Of what is not in the list a number is asked for.
  const amount = page.locator("[name=amount]");
  for (const [limits, value, expected] of [
    ["nodes", "345", { nodes: 345 }],
    ["movetime_ms", "0.25", { movetime_ms: 250 }],
    ["0", null, { nodes: 200 }],
  ]) {
    await page.selectOption("[name=limits]", limits);
    assert.equal(await amount.isVisible(), value !== null);
    if (value !== null) await amount.fill(value);
    const [wish] = await Promise.all([
      page.waitForRequest("**/api/run"),
      page.route("**/api/run", route => route.fulfill({ status: 422, json: { ok: false, error: "no" } })),
      page.click("[data-action=start-run]"),
    ]);
    assert.deepEqual(wish.postDataJSON().limits, expected);
    await page.locator(".run-form [role=alert]", { hasText: /^no$/ }).waitFor();
    assert.deepEqual(errors.splice(0), [REFUSED]);
    await page.unroute("**/api/run");
  }
  // So long that it does not end before it is stopped.
  await page.selectOption("[name=limits]", { index: 7 });
  await page.fill("[name=pairs]", "1000");
  await page.click("[data-action=start-run]");

  // The address names the new run.
  await page.waitForFunction(() => location.hash === "#/watch/run-1");
  // Boards with names, clocks and what was said of the last move.
  await page.waitForSelector("[data-live] [data-clock='0']");
  // What each engine thought, with the line that it expects.
  await page.waitForFunction(() => {
    const thoughts = [...document.querySelector("[data-live]").querySelectorAll("[data-said]")];
    return thoughts.every(({ textContent }) => /^[+−#]\d.* \d+ positions · \w+/.test(textContent.replaceAll(",", "")));
  });
  await page.waitForSelector("[data-live] .graph .curve", { state: "attached" });
  if (pictures) await page.screenshot({ path: `${pictures}/run-live.png` });
  // A click on one leads to its game, which goes on with its clocks; who looks back stays there. Of a game that ends
  // meanwhile the record is shown: then it is seen in the next one.
  const isStill = async (condition, known) => {
    await page.waitForFunction(condition, known);
    return !page.url().includes("/game-");
  };
  const goesOn = async () =>
    isStill(
      count => globalThis.isRecord() || document.querySelectorAll("[data-ply]").length > count,
      await page.locator("[data-ply]").count(),
    );
  async function isFollowed() {
    await page.locator("[data-live]:not([hidden]) a").first().click();
    const isSeen = () =>
      globalThis.isRecord() || (document.querySelector(".table [data-ply]") && globalThis.runningClock() !== undefined);
    if (!(await isStill(isSeen)) || !(await goesOn())) return false;
    const shown = await page.evaluate(() => globalThis.runningClock());
    if (!(await isStill(shown => globalThis.isRecord() || globalThis.runningClock() !== shown, shown))) return false;
    // Its scores are drawn from the end of its opening of 4 plies on.
    const isDrawn = () => {
      const curves = [...document.querySelectorAll(".graph .curve")].map(curve => curve.getAttribute("points"));
      const points = curves.join(" ").split(" ").length;
      return globalThis.isRecord() || points >= document.querySelectorAll("[data-ply]").length - 5;
    };
    if (!(await isStill(isDrawn))) return false;
    await page.evaluate(() => document.querySelector("[data-step=first]").click());
    const isAtStart = () => globalThis.isRecord() || location.hash.endsWith("ply=0");
    if (!(await isStill(isAtStart)) || !(await goesOn()) || !page.url().endsWith("ply=0")) return false;
    // There is a way back to where the game stands.
    await page.evaluate(() => document.querySelector("[data-action=to-live]")?.click());
    const isAtEnd = () => {
      const last = [...document.querySelectorAll("[data-ply]")].at(-1),
        back = document.querySelector("[data-action=to-live]");
      return globalThis.isRecord() || (last?.ariaCurrent !== null && back && !back.checkVisibility());
    };
    return isStill(isAtEnd);
  }
  while (!(await isFollowed())) {
    await page.goBack();
    await page.waitForSelector("[data-live]:not([hidden]) a");
  }
  await page.goBack();
  // A move of its list leads to the position behind it.
  await page.locator("[data-live]:not([hidden]) [data-ply='2']").first().click();
  await page.waitForFunction(() => globalThis.isRecord() || /\/live-\d+\?ply=2$/.test(location.hash));
  await page.waitForSelector(".table [data-ply='2'][aria-current]");
  await page.goBack();
  await page.click("[data-action=stop-run]");
  await page.waitForSelector("[data-action=resume-run]");
  await noneLive(page);
  await page.waitForFunction(() => /games · stopped$/.test(document.querySelector("main [role=status]").textContent));

  await page.click("[data-action=resume-run]");
  await page.waitForSelector("[data-live]:not([hidden]) [data-clock='0']");
  await page.click("[data-action=stop-run]");
  await page.waitForSelector("[data-action=resume-run]");
  await openForm();
  await page.selectOption("[name=limits]", { index: 0 });
  await page.fill("[name=pairs]", "2");
  await page.click("[data-action=start-run]");
  const done = () => /4 of 4 games · finished/.test(document.querySelector("main [role=status]").textContent);
  await page.waitForFunction(done, null, { timeout: 600_000 });
  await page.waitForSelector("[data-verdict]");
  await page.waitForFunction(() => document.querySelectorAll("[data-archive]").length === 4);
  if (pictures) await page.screenshot({ path: `${pictures}/run-end.png`, fullPage: true });
  // The verdict comes first, with the limit above and its warning below; the form stays folded until it is wanted.
  const [verdict, form] = await page.evaluate(() =>
    ["[data-verdict]", "details:has(> .run-form)"].map(
      name => document.querySelector(name).getBoundingClientRect().top,
    ),
  );
  assert.ok(verdict < form && verdict < 300, `${verdict} ${form}`);
  assert.equal(await page.locator("details:has(> .run-form)").getAttribute("open"), null);
  assert.match(await page.locator("main header p").first().textContent(), /round-robin · 200 nodes a move/);
  // Its report is one click away and runs, in the language of the page, but reaches nothing of the server; its games are saved.
  const speak = async language => {
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", language);
    await page.waitForSelector(`html[lang=${language}] [data-file='report.html']`);
  };
  await speak("nl");
  const [report] = await Promise.all([page.waitForEvent("popup"), page.click("[data-file='report.html']")]);
  await report.waitForSelector("html[lang=nl] [data-verdict]");
  await report.waitForSelector("[aria-label='Rekenwerk per zet']", { state: "attached" });
  await report.locator("[data-archive]").first().click();
  await report.waitForSelector("[data-about]");
  assert.equal(await report.evaluate(() => globalThis.origin), "null");
  assert.equal(await report.evaluate(() => fetch("/api/about").catch(() => "refused")), "refused");
  await report.close();
  await speak("en");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("[data-file='games.pgn']")]);
  assert.equal(readFileSync(await saved.path(), "utf8").match(/\[Result /g).length, 4);
  const journal = readFileSync(join(folder, "run-2/journal.jsonl"), "utf8").trim().split("\n");
  assert.equal(journal.length, 5, "a head and four games");

  // Both runs are listed, the last first; a click shows one.
  const runs = page.locator("[data-run]"),
    isShown = (run, text) =>
      page.waitForFunction(
        ([run, text]) =>
          document.querySelector(`[data-run=${run}][aria-current]`) &&
          text === document.querySelector("main [role=status]").textContent.includes("finished"),
        [run, text],
      );
  await isShown("run-2", true);
  assert.deepEqual(await runs.evaluateAll(all => all.map(({ dataset }) => dataset.run)), ["run-2", "run-1"]);
  assert.match(await runs.first().textContent(), /^Run 2: .*15 geese.*mcts.*alphabeta.*200 nodes a move · .*202\d/);
  // The one that is shown says how it stands like every other.
  assert.match(await runs.first().textContent(), /4 of 4 games · finished.* (won|beat|scored|and) /);
  assert.match(await runs.last().textContent(), /of 2,000 games · stopped/);
  // What can be done is done with the run that is shown.
  assert.equal(await page.locator("[data-action=resume-run]").count(), 0);
  await runs.last().click();
  await isShown("run-1", false);
  assert.doesNotMatch(await page.locator("main").textContent(), / won with | beat /);
  await page.click("[data-action=resume-run]");
  await page.waitForSelector("[data-action=stop-run]");
  await page.locator("[data-run=run-2]").click();
  await isShown("run-2", true);
  await page.waitForSelector("[data-elsewhere]");
  assert.equal(await page.locator("[data-action=stop-run]").count(), 0);
  assert.equal(await page.locator("details:has(> .run-form)").isVisible(), false);
  await page.click("[data-elsewhere]");
  await page.waitForFunction(() => location.hash === "#/watch/run-1");
  await page.click("[data-action=stop-run]");
  await page.waitForSelector("[data-action=resume-run]");
  await page.reload();
  await isShown("run-1", false);
  assert.equal(await page.evaluate(() => location.hash), "#/watch/run-1");
  await page.locator("[data-run=run-2]").click();
  await isShown("run-2", true);
  await page.goBack();
  await isShown("run-1", false);
  await page.goForward();
  await isShown("run-2", true);
  // A game stands below its run, and leads back to it.
  await page.locator("[data-archive='1']").click();
  await page.waitForSelector("[data-about]");
  assert.match(await page.evaluate(() => location.hash), /^#\/watch\/run-2\/game-2/);
  assert.match(
    await page.locator("[data-about]").textContent(),
    /^Game 2 · reynard \w+ – reynard \w+ · (1 : 0|0 : 1|½ : ½) · (Won by|A? ?[Dd]raw).+\.$/,
  );
  await page.locator(".panel.record a.button").click();
  await isShown("run-2", true);
  await page.waitForFunction(() => document.querySelectorAll("[data-archive]").length === 4);

  // What the form can know to be wrong is said at its field, and nothing begins.
  await openForm();
  // How many games there will be is told, and the list of games can be searched.
  const total = text =>
    page.waitForFunction(text => document.querySelector("[data-total]").textContent.startsWith(`${text}. `), text);
  await page.fill("[name=pairs]", "6");
  await page.fill(".offered [type=search]", "tiger");
  const offered = () => page.locator(".offered .check:visible input").evaluateAll(all => all.map(({ value }) => value));
  assert.ok((await offered()).includes("bagha-chal") && !(await offered()).includes("bell-13"));
  await page.check("[name=ruleset][value=bagha-chal]");
  await total("6 pairs with 2 games: 24 games");
  await page.click("[data-action=add-engine]");
  await total("6 pairs with 2 games: 72 games");
  await page.locator(".engines li:last-child > button").click();
  await page.uncheck("[name=ruleset][value=bagha-chal]");
  await total("6 pairs with 1 game: 12 games");
  await page.fill(".offered [type=search]", "");
  let asks = 0;
  await page.route("**/api/run", route => (asks++, route.fulfill({ json: { ok: true, run: "run-1" } })));
  const fault = async (name, change, back) => {
    await change();
    await page.click("[data-action=start-run]");
    const said = await page
      .locator(`[name=${name}]`)
      .first()
      .evaluate(field => field.validationMessage);
    await back();
    return said;
  };
  const put = value => () => page.locator("[name=options]").first().fill(value),
    masters = "[name=ruleset][value=masters-15]";
  await page.waitForSelector("[name=how] option[value='Searcher=mcts']", { state: "attached" });
  assert.match(
    await fault(
      "ruleset",
      () => page.uncheck(masters),
      () => page.check(masters),
    ),
    /at least one game/,
  );
  assert.match(await fault("options", put("Hash=9999999"), put("")), /^Hash is a number from 1 to 2,048\.$/);
  assert.match(await fault("options", put("Hahs=1"), put("")), /no option Hahs/);
  assert.equal(asks, 0);
  // From the address of another run one is led to the new one.
  const atNew = () => page.waitForFunction(() => location.hash === "#/watch/run-1");
  assert.equal(await fault("options", put(" Hash = 16, "), atNew), "");
  assert.equal(asks, 1);
  await page.unroute("**/api/run");

  // A tuning of one engine takes the place of the tournament.
  await openForm();
  await page.selectOption("[name=kind]", "tuning");
  await page.waitForSelector("[name=parameter][value=MctsExploration]");
  // What has no effect there is not offered, and the rest is said in words.
  const groups = () =>
    page.locator("[data-group]:not([hidden])").evaluateAll(all => all.map(each => each.dataset.group));
  assert.deepEqual(await groups(), ["mcts", "proof"]);
  assert.match(await page.locator("[data-group=mcts]").textContent(), /Weight of the exploration term/);
  // A run that fails at once has no address: the page stays at its form, with the reason.
  const here = page.url();
  await page.check("[name=parameter][value=MctsRolloutExploration]");
  await page.click("[data-action=start-run]");
  await page.locator(".run-form [role=alert]", { hasText: /MctsRolloutExploration changes nothing/ }).waitFor();
  assert.equal(page.url(), here);
  assert.deepEqual(errors.splice(0), [REFUSED]);
  await page.uncheck("[name=parameter][value=MctsRolloutExploration]");
  await page.click("[data-action=start-run]");
  const missing = await page
    .locator("[name=parameter]:enabled")
    .first()
    .evaluate(box => box.validationMessage);
  assert.match(missing, /at least one setting/);
  // It has one game, the last one chosen.
  await page.check("[name=ruleset][value=bell-13]");
  await page.check("[name=ruleset][value=masters-15]");
  assert.equal(await page.locator("[name=ruleset]:checked").count(), 1);
  await page.check("[name=parameter][value=MctsExploration]");
  await page.selectOption("[name=limits]", { index: 0 });
  // Of many games the final match is a quarter, of few so many that they prove something.
  for (const [iterations, pairs, told] of [
    ["100", "10", /: 2,000 games, then a final match of at most 500: at most 2,500 in all\./],
    ["2", "1", /: 4 games, then a final match of at most 100: at most 104 in all\./],
  ]) {
    await page.fill("[name=iterations]", iterations);
    await page.fill("[name=pairs]", pairs);
    assert.match(await page.locator("[data-total]").textContent(), told);
  }
  // Every level is offered once, by its name if it has one.
  const strengths = await page.locator("[name=how]").first().locator("option").allInnerTexts();
  assert.equal(new Set(strengths).size, strengths.length, `${strengths}`);
  const levels = await page
    .locator("[name=how]")
    .first()
    .locator("option[value^='Skill Level']")
    .evaluateAll(all => all.map(({ value }) => value));
  assert.ok(levels.length > 5 && new Set(levels).size === levels.length, `${levels}`);
  await page.click("[data-action=start-run]");
  await page.waitForFunction(() => /MctsExploration/.test(document.querySelector(".charts")?.textContent));
  await page.waitForSelector("[data-action=stop-run]", { state: "detached" });
  assert.equal((await page.locator("main [role=alert]").allTextContents()).join(""), "", "nothing has gone wrong");
  assert.match(await page.locator("main header h1").textContent(), /^Tuning of MctsExploration/);
  // It says what that is, and how many games there are in all: those of the search, and of the final match if there is one.
  assert.match(await page.locator("main .quiet[lang=en]").textContent(), /^MctsExploration: Weight of the exploration/);
  // The page may be told that the run is over before it has heard of its last games.
  await page.locator("main [role=status]", { hasText: / (4 of 4|104 of 104) games · finished$/ }).waitFor();
  // It has its games and a report, which shows the way of the parameter, too.
  const [games] = await Promise.all([page.waitForEvent("download"), page.click("[data-file='games.pgn']")]);
  assert.match(readFileSync(await games.path(), "utf8"), /^\[Event /m);
  const [trace] = await Promise.all([page.waitForEvent("popup"), page.click("[data-file='report.html']")]);
  await trace.waitForFunction(() => /MctsExploration/.test(document.querySelector(".charts")?.textContent));
  await trace.close();

  // What goes wrong later is said without the files of the server, once: the next visit begins anew.
  await page.goto(`${new URL(server.address).origin}/#/watch`);
  await page.waitForSelector("[data-run]", { state: "attached" });
  const engines = ["a", "b"].map(name => ({ name, program: 0, options: {} })),
    wish = { name: "x", rulesets: ["bell-13"], limits: { nodes: -1 }, pairs: 1, engines },
    alert = page.locator(".course > [role=alert]");
  await page.evaluate(body => fetch("/api/run", { method: "POST", body }), JSON.stringify(wish));
  assert.deepEqual(errors.splice(0), [REFUSED]);
  await page.waitForFunction(() => document.querySelector(".course > [role=alert]").textContent !== "");
  assert.match(await alert.textContent(), /^limits/);
  await page.reload();
  await page.waitForSelector("[data-run]", { state: "attached" });
  assert.equal(await alert.textContent(), "");

  // Where one searcher alone plays by learned weights it is named.
  await page.goto(`${new URL(server.address).origin}/#/game/siege`);
  await page.waitForSelector("text=With mcts the engine plays with the weights learned for Siege (Asalto).");
  // A game of which nothing is learned can be learned, with progress, until it is stopped.
  await page.goto(`${new URL(server.address).origin}/#/game/great-siege`);
  // It is asked first.
  assert.ok(!(await page.isVisible("[data-action=start-run]")));
  await page.click("[data-action=train-the-engine]");
  await page.click("[data-action=start-run]");
  await page.waitForFunction(() =>
    /is being learned\. \S/.test(document.querySelector("[data-learning]")?.textContent),
  );
  // Nothing is left of the run before.
  await page.waitForFunction(() => !document.querySelector("[data-archive], [data-verdict]"));
  await page.click("[data-action=stop-run]");
  await page.waitForSelector("[data-action=resume-run]");
  assert.equal(await page.locator("[data-learning]").textContent(), "");
  quiet();
  console.log(
    "runs: a tournament started, stopped, taken up again and finished from the page, a tuning, a game to learn",
  );
} finally {
  await browser.close();
  await server.stop();
}
