// A tournament and a tuning while they run, a finished tournament, and a build of tables, seen in the page.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "../program.mjs";
import { browse, choose, noneLive, pictures, serve, visit } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "reynard-watch-")),
  run = join(folder, "run"),
  tables = join(folder, "tables");
mkdirSync(tables);
const spec = {
  name: "two and two",
  format: "round-robin",
  pairs: 2,
  rulesets: ["masters-15"],
  engines: [
    { name: "more", limits: { nodes: 200 } },
    { name: "less", limits: { nodes: 20 } },
  ],
};
writeFileSync(join(folder, "spec.json"), JSON.stringify(spec));
execFileSync(program, ["tournament", "run", join(folder, "spec.json"), "--out", run, "--quiet"], {
  stdio: ["ignore", "ignore", "inherit"],
});
const server = await serve("--watch", run, "--tables", tables),
  browser = await browse();

// A run of this program that is watched by a server of its own until the test has seen enough.
async function live(name, words, spec, look) {
  const file = join(folder, `${name}.json`),
    out = join(folder, name);
  writeFileSync(file, JSON.stringify(spec));
  mkdirSync(out);
  const run = spawn(program, [...words, file, "--out", out, "--quiet"], { stdio: "ignore" }),
    ended = new Promise(done => run.on("close", done)),
    server = await serve("--watch", out),
    { page, context, quiet } = await visit(browser, server);
  try {
    await page.goto(`${new URL(page.url()).origin}/#/watch`);
    await look(page);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
    run.kill("SIGKILL");
    await ended;
    // A test that has not decided has not finished, nor has a tuning.
    await page.waitForFunction(() => document.querySelector("main [role=status]").textContent.endsWith("stopped"));
    await noneLive(page);
    quiet();
  } finally {
    run.kill("SIGKILL");
    await context.close();
    await server.stop();
  }
}

const games = page =>
  page
    .locator("main [role=status]")
    .textContent()
    .then(text => +/(\d+) of/.exec(text)?.[1]);
// Until something of an element is another than when it was first seen.
const changes = async (page, selector, read) => {
  await page.evaluate(() => delete globalThis.before);
  await page.waitForFunction(
    ([selector, read]) => {
      const now = document.querySelector(selector)?.[read];
      return now && now !== (globalThis.before ??= now);
    },
    [selector, read],
  );
};

// A report of two games whose winner was named last: it speaks from the winner's point of view, calls sides as each game
// does, and on a phone shows a number of every row.
async function ofTwoGames() {
  const [weak, strong] = [
      { name: "weak", options: { "Skill Level": "4" } },
      { name: "strong", options: { "Skill Level": "12" } },
    ],
    out = join(folder, "two"),
    rest = { name: "weak – strong", pairs: 5, limits: { nodes: 500 }, openings: { kind: "random", plies: 2 }, seed: 1 },
    two = { ...spec, ...rest, rulesets: ["masters-15", "hare-and-hounds"], engines: [weak, strong] };
  writeFileSync(join(folder, "two.json"), JSON.stringify(two));
  execFileSync(program, ["tournament", "run", join(folder, "two.json"), "--out", out, "--quiet"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const width of [390, 320]) {
    const context = await browser.newContext({ viewport: { width, height: 844 } }),
      file = await context.newPage();
    await file.goto(`file://${out}/report.html`);
    assert.match(await file.locator("[data-verdict]").textContent(), /^strong beat weak/);
    assert.equal(await file.locator("h1").textContent(), "strong – weak");
    const captions = await file.locator("figcaption").allTextContents();
    assert.ok(
      captions.some(text => /^Elo of strong against weak over the games: \d/.test(text)),
      `${captions}`,
    );
    await file.evaluate(() => document.querySelectorAll("details").forEach(part => (part.open = true)));
    const tables = await file.locator("table.sorted").evaluateAll(all =>
      all.map(table => {
        const place = table.parentElement,
          { left, right } = place.getBoundingClientRect(),
          isSeen = cell => {
            const text = document.createRange();
            text.selectNodeContents(cell);
            const box = text.getBoundingClientRect();
            return box.width > 0 && box.left >= left && box.right <= right;
          },
          rows = [...table.tBodies[0].rows].map(row => [...row.cells]),
          heads = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent);
        return {
          title: place.getAttribute("aria-label"),
          text: table.textContent,
          isWide: place.scrollWidth > place.clientWidth,
          unseen: rows.filter(cells => !cells.every(cell => !cell.textContent || isSeen(cell))).length,
          unnamed: rows.flat().filter(cell => !heads.includes(cell.dataset.head)).length,
        };
      }),
    );
    assert.ok(tables.length > 9, `${tables.length} tables`);
    for (const { title, text, ...found } of tables) {
      assert.deepEqual(found, { isWide: false, unseen: 0, unnamed: 0 }, `${title}, ${width}`);
      assert.doesNotMatch(text, /\((fox|geese)\)/, title);
    }
    // Each number has its head, so that none stands above them; a rank and its engine are one line.
    const ranking = file.locator("table.sorted").first();
    assert.equal(await ranking.locator("thead").isVisible(), false);
    assert.match(await ranking.locator("tbody tr").first().innerText(), /^1\s+strong\s/);
    const [rank, engine] = await ranking
      .locator("tbody td")
      .evaluateAll(all => all.slice(0, 2).map(cell => cell.getBoundingClientRect()));
    assert.ok(rank.top < engine.bottom && engine.top < rank.bottom && rank.right < engine.left);
    // Numbers below zero have one sign, and charts one height.
    const texts = await file.locator(".charts text, td.n").allTextContents();
    assert.ok(texts.some(text => text.startsWith("−")) && !texts.some(text => text.startsWith("-")), `${texts}`);
    const views = await file.locator(".charts svg").evaluateAll(all => all.map(svg => svg.getAttribute("viewBox")));
    assert.equal(new Set(views).size, 1, `${views}`);
    // The number of plies has its unit, and company.
    const alone = await file.locator(".games tbody tr").evaluateAll(all =>
      all
        .filter(({ cells: [, , , length, ending] }) => {
          const [one, other] = [length, ending].map(cell => cell.getBoundingClientRect());
          return !/plies$/.test(length.textContent) || one.top >= other.bottom || other.top >= one.bottom;
        })
        .map(row => row.textContent),
    );
    assert.deepEqual(alone, []);
    assert.ok(await file.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await context.close();
  }
}

try {
  const engines = [
    { name: "first", options: { Searcher: "alphabeta" } },
    { name: "second", options: { Searcher: "mcts" } },
  ];
  await live(
    "live-tournament",
    ["tournament", "run"],
    {
      name: "going on",
      rulesets: ["bell-13"],
      format: "sprt",
      pairs: 500,
      sprt: { elo0: 0, elo1: 1 },
      openings: { kind: "random", plies: 4 },
      concurrency: 1,
      engines,
      limits: { movetime_ms: 20 },
      max_plies: 40,
      seed: 7,
    },
    async page => {
      await changes(page, "[data-live] [data-position]", "outerHTML");
      const chart = text => page.locator(".charts figure", { hasText: text });
      await chart("Log-likelihood ratio").locator(".curve").waitFor({ state: "attached" });
      assert.deepEqual(
        await page
          .locator("main table.sorted")
          .first()
          .locator("tbody td:nth-child(2)")
          .allTextContents()
          .then(names => names.sort()),
        ["first", "second"],
      );
      assert.match(await page.locator("main header").textContent(), /LLR −?\d+\.\d\d.*−2\.94.*2\.94/);
      assert.equal(await chart("Log-likelihood ratio").locator(".bound").count(), 2, "the bounds of the test");
      await chart(/^Elo of (first against second|second against first)/).waitFor({ state: "attached" });
      assert.match(await page.locator("[data-verdict]").textContent(), /(first|second) (leads|and)/);
      await page.waitForSelector("[data-archive]");
      // On a phone the score stands right above the boards.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForFunction(() => {
        const [verdict, board, about] = ["[data-verdict]", "[data-live]:not([hidden]) .board", ".report header p"].map(
          part => document.querySelector(part).getBoundingClientRect(),
        );
        return verdict.bottom < board.top && board.top < 300 && about.top > board.bottom;
      });
      await page.setViewportSize({ width: 1280, height: 860 });
      // What is looked for and in which order stays while games come in, and so does the keyboard.
      await page.locator(".games th button", { hasText: "Length" }).click();
      await page.fill("[name=search]", "bell");
      const before = await games(page),
        listed = () => page.locator(".games tbody td:nth-child(4)").allTextContents();
      await page.waitForFunction(
        before => +/(\d+) of/.exec(document.querySelector("[data-found]").textContent)[1] > before,
        before,
      );
      assert.ok(await page.locator("[name=search]").evaluate(each => each === document.activeElement));
      assert.equal(await page.inputValue("[name=search]"), "bell");
      assert.equal(await page.locator(".games th[aria-sort=descending]").textContent(), "Length");
      const lengths = await listed(),
        plies = lengths.map(text => parseInt(text));
      assert.ok(
        lengths.every(text => /^\d+\sply$|^\d+\splies$/.test(text)),
        `${lengths}`,
      );
      assert.deepEqual(
        plies,
        [...plies].sort((a, b) => b - a),
      );
      await page.fill("[name=search]", "masters");
      assert.equal((await listed()).length, 0);
      await page.fill("[name=search]", "");
      // A live board leads to its game, and with the end of that to its record.
      // Between two games it is hidden and takes no key.
      while (await page.evaluate(() => location.hash === "#/watch")) {
        await page.waitForFunction(() => {
          const link = document.querySelector("[data-live] a");
          link?.focus();
          return location.hash !== "#/watch" || (link && document.activeElement === link);
        });
        await page.keyboard.press("Enter");
      }
      await page.waitForFunction(() =>
        /#\/(live\/\d+|watch\/live-tournament\/game-\d+)\?ply=[1-9]/.test(location.hash),
      );
      await page.waitForFunction(() => /#\/watch\/live-tournament\/game-\d+\?ply=[1-9]/.test(location.hash));
      await page.waitForSelector("main.table .status.over");
      await page.goBack();
      await page.waitForSelector("[data-live] a");
    },
  );
  // Its head says what is played, how far it is, and who are its players.
  const isTuning = new RegExp(
    [
      /^grid\n+Fox and Geese after Bell, 13 geese: reynard \(EvalFile=linear\) · 300 nodes a move/,
      /\d+ of 101 points, not finished: each is a set of values, with which “point” plays “start”, which has the start values/,
      /\d+ games in \d+ points, .* of them drawn/,
      /Played: \w+ \d+, \d{4} · reynard \d/,
    ]
      .map(({ source }) => source)
      .join(".*"),
    "s",
  );
  // So many that the page is looked at long before the end.
  const values = Array.from({ length: 101 }, (_, index) => index);
  await live(
    "live-tuning",
    ["tune"],
    {
      name: "grid",
      ruleset: "bell-13",
      method: "grid",
      pairs: 100,
      limits: { nodes: 300 },
      engine: { options: { EvalFile: "linear" } },
      openings: { kind: "random", plies: 4 },
      parameters: [{ name: "EvalFoxReach", min: 0, max: 100, values }],
      max_plies: 40,
    },
    async page => {
      await page
        .locator(".charts", { hasText: "EvalFoxReach" })
        .locator(".mark")
        .first()
        .waitFor({ state: "attached" });
      await changes(page, ".charts", "outerHTML");
      assert.match(await page.locator("main header").innerText(), isTuning);
      // 101 points with 100 pairs each, and a final match of at most 1000.
      assert.match(await page.locator("main [role=status]").textContent(), /\d+ of 2[0-2],\d+ games · under way/);
    },
  );
  const alone = await browser.newPage();
  await alone.goto(`file://${folder}/live-tuning/trace.html`);
  assert.equal(await alone.locator("h1").textContent(), "grid");
  await alone.waitForFunction(() => document.querySelector("main header")?.innerText.includes("Fox and Geese"));
  assert.match(await alone.locator("main header").innerText(), isTuning);
  // At its end it has the games of its final match, each on a board.
  const tuned = join(folder, "tuned");
  writeFileSync(
    `${tuned}.json`,
    JSON.stringify({
      ruleset: "bell-13",
      method: "grid",
      pairs: 1,
      final_pairs: 10,
      limits: { nodes: 20 },
      engine: { options: { EvalFile: "linear" } },
      openings: { kind: "random", plies: 4 },
      parameters: [{ name: "EvalFoxReach", values: [100] }],
      max_plies: 20,
    }),
  );
  execFileSync(program, ["tune", `${tuned}.json`, "--out", tuned, "--quiet"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await alone.goto(`file://${tuned}/trace.html`);
  await alone.locator("[data-found]", { hasText: /^20 of 20/ }).waitFor();
  assert.equal(await alone.locator(".games h2").textContent(), "Games of the final match");
  const fared = alone.getByRole("region", { name: "Final match" }).locator("tbody tr");
  assert.deepEqual(await fared.locator("td:first-child").allTextContents(), ["fox", "geese", "both"]);
  assert.deepEqual([...new Set(await alone.locator("[data-archive] :is(b, span)").allTextContents())].sort(), [
    "found",
    "untuned",
  ]);
  await alone.locator("[data-archive]").first().click();
  await alone.waitForSelector("[data-ply='20']");
  await alone.click("[data-step=last]");
  await alone.waitForFunction(() => location.hash.endsWith("?ply=20"));
  await alone.close();
  // More games than the server gives at a time are all listed.
  const many = join(folder, "many"),
    random = name => ({ name, options: { Searcher: "random" }, limits: { nodes: 1 } });
  writeFileSync(
    join(folder, "many.json"),
    JSON.stringify({
      ...spec,
      rulesets: ["masters-15", "bagha-chal"],
      pairs: 130,
      engines: [random("one"), random("two")],
      max_plies: 2,
    }),
  );
  execFileSync(program, ["tournament", "run", join(folder, "many.json"), "--out", many, "--quiet"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const manyServer = await serve("--watch", many);
  try {
    const { page, context } = await visit(browser, manyServer);
    await page.goto(`${new URL(page.url()).origin}/#/watch`);
    await page.waitForFunction(() => /^520 of 520/.test(document.querySelector("[data-found]")?.textContent));
    // Foxes and tigers are not added up: each game has bars of its own.
    assert.deepEqual(await page.locator(".sides h3").allTextContents(), ["Fox and Geese, 15 geese", "Bagha Chal"]);
    const sides = await page
      .locator(".sides .bars")
      .evaluateAll(all =>
        all.map(bars => [...bars.querySelectorAll("span:first-child, b")].map(each => each.innerText)),
      );
    for (const [index, names] of [
      ["fox", "geese"],
      ["tigers", "goats"],
    ].entries())
      assert.deepEqual(
        sides[index].toSorted(),
        ["one", "two"]
          .flatMap(engine => names.map(name => [`${engine}, ${name}`, "65 / 130"]))
          .flat()
          .toSorted(),
      );
    const byGame = page.locator(".games th button", { hasText: "Game" });
    for (const first of ["520", "1"]) {
      await byGame.click();
      assert.equal(await page.locator(".games tbody td").first().textContent(), first);
    }
    await context.close();
  } finally {
    await manyServer.stop();
  }
  const { page, quiet } = await visit(browser, server),
    origin = new URL(page.url()).origin;
  await page.goto(`${origin}/#/watch`);
  await page.waitForSelector("[data-archive]");
  assert.match(await page.locator("main").textContent(), /4 .*more/s);
  if (pictures) await page.screenshot({ path: `${pictures}/watch.png` });
  await page.locator("[data-archive='0']").click();
  await page.waitForSelector("[data-ply='1']");
  // What the engines said stands beside the moves and is drawn.
  await page.waitForSelector(".record .graph .curve[points*=' ']", { state: "attached" });
  await page.click("[data-step=last]");
  await page.waitForFunction(() => /positions/.test(document.querySelector("[data-said]").textContent));
  // Who played it, and how it ended, also where that is not on the board.
  const named = await Promise.all([".seat.near", ".seat.far"].map(seat => page.locator(seat).textContent()));
  assert.deepEqual(named.map(text => /more|less/.exec(text)?.[0]).sort(), ["less", "more"]);
  await page.waitForSelector("main.table .status.over");
  await page.click("[data-tab=review]");
  await page.waitForSelector("[data-good]");
  if (pictures) await page.screenshot({ path: `${pictures}/archive.png` });

  // The report is the same page with the games in it: it needs no server, on a phone either.
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" }),
    file = await context.newPage(),
    failures = [];
  file.on("pageerror", failure => failures.push(failure.stack));
  file.on("console", message => message.type() === "error" && failures.push(message.text()));
  await file.goto(`file://${run}/report.html`);
  assert.match(await file.locator("[data-verdict]").textContent(), /(more|less) (beat|scored|and) /);
  assert.ok(await file.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it fits a phone");
  await file.selectOption("[name=by-engine]", "more");
  await file.selectOption("[name=by-result]", "won");
  const won = await file.locator("[data-archive] b").allTextContents();
  assert.ok(
    won.every(name => name === "more"),
    `filtered: ${won}`,
  );
  await file.selectOption("[name=by-result]", "");
  assert.equal(await file.locator("[data-archive]").count(), 4);
  // What each side won, whatever engine it was.
  const bySide = /^Games won by the \w+: (\d); by the \w+: (\d); drawn: (\d)\.$/,
    counts = bySide.exec(await file.locator(".sides p").first().textContent()).slice(1);
  assert.equal(
    counts.reduce((sum, n) => sum + +n, 0),
    4,
  );
  // The list and the table of endings have the same words.
  const endingsOf = (rows, column) => file.locator(`${rows} td:nth-child(${column})`).allTextContents(),
    listed = await endingsOf(".games tbody tr", 5),
    counted = await endingsOf("[aria-label=Endings] tbody tr", 2);
  assert.deepEqual(counted.sort(), [...new Set(listed)].sort());
  // The games stand before the charts and all tables.
  const isBehind = await file.evaluate(() => {
    const [games, charts] = [".games", ".charts"].map(name => document.querySelector(name));
    return !!(games.compareDocumentPosition(charts) & Node.DOCUMENT_POSITION_FOLLOWING) && charts.checkVisibility();
  });
  assert.ok(isBehind);
  const headings = await file.locator("h2:not(summary *)").allTextContents();
  assert.deepEqual(headings.slice(-2), ["Results", "Play"]);
  // What takes more knowledge is folded away together.
  const experts = file.locator("details", { has: file.locator("> summary", { hasText: "For experts" }) });
  for (const title of ["Pairs of games", "Work per move", "Settings and machines", "Engines", "Spec as JSON"])
    assert.equal(await experts.locator("summary", { hasText: title }).count(), 1, title);
  // Of the tables the ranking alone is open.
  const points = file.locator("table.sorted").first();
  assert.deepEqual(await file.locator("details[open] summary").allTextContents(), ["Charts", "Ranking"]);
  await file.setViewportSize({ width: 1280, height: 844 });
  await points.locator("th button", { hasText: "Engine" }).click();
  assert.deepEqual(await points.locator("tbody td:nth-child(2)").allTextContents(), ["less", "more"]);
  await file.setViewportSize({ width: 390, height: 844 });
  await file.locator("[data-archive='2']").click();
  await file.waitForSelector("[data-ply='1']");
  const plies = await file.locator("[data-ply]").count(),
    pieces = () => file.locator(".board [data-on]").evaluateAll(all => all.map(({ dataset }) => dataset.on).sort());
  await file.keyboard.press("ArrowRight");
  await file.waitForFunction(() => /ply=1$/.test(location.hash));
  const first = await pieces();
  await file.click("[data-step=last]");
  await file.waitForFunction(plies => location.hash.endsWith(`ply=${plies}`), plies);
  assert.notDeepEqual(await pieces(), first);
  assert.match(await file.locator(".status.over").textContent(), /\w/);
  // The address names the ply that is shown.
  await file.reload();
  await file.waitForSelector(`[data-ply='${plies}'][aria-current]`);
  await file.locator(".graph svg").click();
  await file.waitForFunction(half => location.hash.endsWith(`ply=${half}`), Math.round(plies / 2));
  if (pictures) await file.screenshot({ path: `${pictures}/report-game.png` });
  const position = await file.locator("main.table [data-position]").getAttribute("data-position");
  assert.match(position, /^3\/3\/[^ ]+ [fg]/, "the position has its text");
  await choose(file, "share");
  assert.equal(await file.inputValue("[data-share=position]"), position);
  assert.match(await file.inputValue("[data-share=game]"), /\[Variant "masters-15"\]/);
  assert.equal(await file.locator("[data-share=link]").count(), 0);
  await file.click("[data-action=close]");
  // In Dutch its head, its captions and its numbers are.
  await file.click("[data-action=look]");
  await file.selectOption("[name=language]", "nl");
  await file.goto(`file://${run}/report.html`);
  await file.waitForSelector("html[lang=nl] [data-verdict]");
  assert.match(
    await file.locator("main header").textContent(),
    /ieder tegen ieder, 4 partijen in 2 paren.*Gespeeld: \d+ [a-z]+ \d{4}/s,
  );
  assert.match(await file.locator("figcaption").first().textContent(), /Elo met 95%-interval/);
  const conditions = await file.locator("#conditions table").allTextContents();
  assert.match(
    conditions.join(),
    /vormieder tegen ieder.*paren2.*toezichtstart in ms 10000.*in dit proces200 knopen per zet/s,
  );
  assert.doesNotMatch(conditions.join(), /\b(program|machine|played|format|pairs|supervision|nodes)\b/);
  const titles = await file.locator("td.ruleset").allTextContents();
  assert.ok(titles.length > 0 && titles.every(title => title === "Vos en ganzen, 15 ganzen"), `${titles}`);
  const scores = file.locator("table.sorted").first().locator("tbody td.n");
  assert.ok((await scores.allTextContents()).every(text => !/\d\.\d/.test(text)));
  assert.deepEqual(failures, [], "the console of the report");
  await context.close();
  await ofTwoGames();

  await page.goto(`${origin}/#/truth/bell-13`);
  await page.waitForSelector("[name=build]");
  await page.selectOption("[name=build]", "5");
  await page.click("[data-action=build]");
  await page
    .waitForFunction(() => /^4–5 geese, [\d,.]+ [KM]iB$/.test(document.querySelector("[data-tables]").textContent))
    .catch(async failure => {
      console.log(await page.locator("main").textContent());
      throw failure;
    });
  quiet();
  console.log(
    "watch: a tournament and a tuning while they ran, a finished tournament, a game of it reviewed, its report, tables built",
  );
} finally {
  await browser.close();
  await server.stop();
}
