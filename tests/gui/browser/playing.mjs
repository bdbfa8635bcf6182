// A game while it is played: what is shown of its moves, its end, engines that are hurried or halted, and what is kept of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { browse, choose, cut, each, enter, mouse, seen, serve, sound, start, turn } from "./page.mjs";

const server = await serve(),
  browser = await browse();
const GAME = "b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4_e3xc3xc5xa5",
  // One more goose traps the fox.
  TRAP = encodeURIComponent("FGG/G2/2GGG2/7/7/3/3 g");

const go = async (page, hash) => {
  await page.goto("about:blank");
  await page.goto(`${new URL(server.address).origin}/${hash}`);
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
};
const texts = (page, selector) => page.locator(selector).allTextContents();
const says = (page, pattern) =>
  page.waitForFunction(
    source => new RegExp(source).test(document.querySelector("main.table .status").textContent),
    pattern.source,
  );

const playing = {
  async "moves stand in a column for each side; what else they did is told, what was taken lies in a tray"({ page }) {
    await go(page, `#/play/masters-15?moves=${GAME}`);
    await page.waitForSelector("[data-ply='8'][aria-current]");
    assert.deepEqual(await texts(page, ".moves .at0 .move"), ["b3b4", "b4b5", "e3d4", "c3c4"]);
    assert.deepEqual(await texts(page, ".moves .at1 .move"), ["d4c4", "c4c5", "c5xe3", "e3xc3xc5xa5"]);
    assert.deepEqual(await texts(page, ".moves i"), ["1.", "2.", "3.", "4."]);
    await says(page, /The fox takes three geese\.Geese to move/);
    assert.equal(await page.locator(".seat.far .tray .piece").count(), 4);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await says(page, /The fox takes one goose\./);
    assert.equal(await page.locator(".seat.far .tray .piece").count(), 1);
    await page.keyboard.press("?");
    await page.waitForSelector("dialog .keys");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    // Away from boards, too.
    await page.evaluate(() => void (location.hash = "#/archive"));
    await page.waitForFunction(() => document.documentElement.dataset.view === "archive");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog .keys");
    for (const [from, move, news] of [
      [13, "5+1", /Player 1 is at the inn and misses a turn\./],
      [51, "5+2", /Player 1: sent back to 0\./],
    ]) {
      const fen = encodeURIComponent(`p1=${from} p2=0 turn=p1 pot=2 accounts=-1,-1`);
      await go(page, `#/analyse/goose?${new URLSearchParams({ moves: move })}&fen=${fen}`);
      await page.waitForFunction(() => document.querySelector(".moves .news"));
      assert.match((await texts(page, ".moves .news"))[0], news);
      await says(page, news);
    }
  },

  async "counters stay on their field"({ page }) {
    await start(page, "goose-team");
    await turn(page, -1);
    const [field, counters] = await page.evaluate(() => {
      const box = each => each.getBoundingClientRect();
      // The way is 36.5 wide, what is clicked 38.
      const { left, top, width } = box(document.querySelector("main.table [data-point='0']")),
        rim = (width * (1 - 36.5 / 38)) / 2,
        [near, far] = [rim, width - rim];
      return [
        { left: left + near, top: top + near, right: left + far, bottom: top + far },
        [...document.querySelectorAll("main.table .layer-pieces .piece .disc")].map(box),
      ];
    });
    assert.equal(counters.length, 8);
    for (const { left, right, top, bottom } of counters)
      assert.ok(left > field.left && right < field.right && top > field.top && bottom < field.bottom);
  },

  async "as many play the goose as like, also the next time"({ page }) {
    const { origin } = new URL(page.url()),
      players = page.locator(".setup [name=players]"),
      seats = page.locator("main.table .who");
    await page.goto(`${origin}/#/game/goose`);
    await players.selectOption("5");
    await page.locator(".setup [name=side] option", { hasText: "player 5" }).waitFor({ state: "attached" });
    await page.selectOption(".setup [name=side]", { label: "player 3" });
    await page.click("[data-action=play]");
    await seats.nth(4).waitFor();
    assert.equal(await seats.count(), 5);
    await says(page, /Player 3|Player 1/);
    await page.goto(`${origin}/#/game/goose`);
    await page.locator(".setup [name=side] option", { hasText: "player 5" }).waitFor({ state: "attached" });
    assert.equal(await players.inputValue(), "5");
    await players.selectOption("2");
    await page.locator(".setup [name=clocks]").waitFor();
    assert.equal(await page.inputValue(".setup [name=side]"), "0", "there is no third any more");
    // What the server refuses is said in the form.
    await page.route("**/api/ruleset", route => route.fulfill({ json: { ok: false, error: "too many" } }));
    await players.selectOption("8");
    await page.locator(".setup [role=alert]", { hasText: /^too many$/ }).waitFor();
    await page.unroute("**/api/ruleset");
  },

  async "what may be touched shows itself, and a piece to be placed is seen before"({ page }) {
    await start(page, "masters-15");
    const { moves } = await turn(page, -1),
      cursor = point =>
        page.evaluate(
          point => getComputedStyle(document.querySelector(`main.table [data-point="${point}"]`)).cursor,
          point,
        );
    assert.equal(await page.locator(".movable").count(), new Set(moves.map(({ from }) => from)).size);
    assert.equal(await cursor(moves[0].from), "pointer");
    assert.notEqual(await cursor("d4"), "pointer", "the fox is not the person's");
    await page.locator(`main.table [data-point="${moves[0].from}"]`).click({ force: true });
    assert.equal(await page.locator(".movable").count(), 0);
    assert.equal(await cursor(moves[0].to), "pointer");
    await start(page, "bagha-chal");
    assert.equal((await turn(page, -1)).moves.length, await page.locator(".reach.hand").count());
    await page.locator('main.table [data-point="c3"]').hover({ force: true });
    await page.waitForSelector(".layer-ghost .piece");
    await page.locator('main.table [data-point="a1"]').hover({ force: true });
    assert.equal(await page.locator(".layer-ghost .piece").count(), 0, "a tiger stands there");
    await page.focus("main.table [data-position]");
    for (const key of ["Left", "Left", "Down", "Down"]) await page.keyboard.press(`Arrow${key}`);
    assert.equal(await page.locator("#said").textContent(), "a1: tiger");
  },

  async "the end is an event, also without motion, and leads to the next game"({ page }) {
    await go(page, `#/play/masters-15?fen=${TRAP}`);
    await enter(
      page,
      (await seen(page)).moves.find(({ move }) => move === "d5d6"),
    );
    await says(page, /Won by the geese\. The fox is trapped\./);
    await page.selectOption("[name=player-1]", "0");
    await says(page, /You win\. The fox is trapped\./);
    const end = () =>
      page.evaluate(() => [
        +getComputedStyle(document.querySelector(".layer-pieces [data-piece=fox]")).opacity < 1,
        document.querySelector(".layer-pieces [data-piece=goose]").getAnimations().length > 0,
      ]);
    assert.deepEqual(await end(), [true, false]);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.deepEqual((await end())[1], true);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await sound(page, "end");
    await page.setViewportSize({ width: 390, height: 844 });
    for (const action of ["rematch", "swap-sides", "review-game"]) {
      const { x, y, width, height } = await page.locator(`[data-action=${action}]`).boundingBox();
      assert.ok(x >= 0 && x + width <= 390 && y + height <= 844, `${action} is at hand`);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.click("[data-action=swap-sides]");
    await page.waitForFunction(() => document.querySelector("[name=player-0]")?.value === "0");
    await page.waitForSelector("[data-ply='1']");
    assert.equal(await page.locator("main.table .layer-pieces [data-piece=goose]").count(), 6, "from the same start");
    await page.click("[data-action=undo]");
    await says(page, /You win/);
    await page.click("[data-action=review-game]");
    await page.waitForSelector("[data-good]");
    await choose(page, "show-keys");
    await page.click("[data-action=close]");
    // What lies above a page goes with it.
    await choose(page, "show-keys");
    await page.evaluate(() => (location.hash = "#/archive"));
    await page.waitForSelector("h1:has-text('My games')");
    assert.equal(await page.locator("dialog").count(), 0);
  },

  async "an engine is hurried, two of them are halted"({ page, sent }) {
    const more = n => page.waitForFunction(n => document.querySelectorAll("[data-ply]").length > n, n),
      hurry = () => page.click("[data-action=move-now]:not(:disabled)");
    await start(page, "masters-15", { against: "engines", limit: "movetime 10000" });
    await hurry();
    await more(0);
    await page.click("[data-action=pause]");
    await says(page, /Paused/);
    const asked = sent.length,
      { ply } = await seen(page);
    await page.click("[data-step=first]");
    await page.click("[data-step=last]");
    await says(page, /Paused/);
    assert.ok(!sent.slice(asked).some(line => /^go\b/.test(line)), "nobody thinks");
    await page.click("[data-action=resume]");
    await hurry();
    await more(ply);
    await start(page, "masters-15", { against: "0", limit: "movetime 10000" });
    assert.ok(await page.locator("[data-action=move-now]:disabled").count());
    await enter(page, (await turn(page, -1)).moves[0]);
    const before = sent.length;
    await page.waitForFunction(() => {
      const now = document.querySelector("[data-action=move-now]:not(:disabled)");
      if (now) document.querySelector("[data-action=menu]").click();
      now?.click();
      return !!now;
    });
    assert.equal((await turn(page, 1)).ply, 2);
    assert.equal(sent.slice(before).filter(line => line === "stop").length, 1);
    await page.waitForSelector(".menu [data-action=new-game]");
    await page.keyboard.press("Escape");
    await page.focus("[data-action=take-back]");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 0);
  },

  async "a side is remembered from game to game, wherever it sits"({ page }) {
    const side = async name => {
      await page.goto("about:blank");
      await page.goto(`${new URL(server.address).origin}/#/game/${name}`);
      await page.waitForSelector("[data-action=play]");
      return page.evaluate(() => document.querySelector("[name=side]").selectedOptions[0].text);
    };
    assert.equal(await side("masters-15"), "geese");
    await page.selectOption("[name=side]", { label: "fox" });
    assert.deepEqual([await side("two-foxes-24"), await side("bell-13")], ["foxes", "fox"]);
  },

  async "nothing is cut or covered, on a small phone and in Dutch either"({ page }) {
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", "nl");
    await page.waitForSelector("html[lang=nl]");
    const boxes = selector =>
        page.locator(selector).evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON())),
      meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [320, 568],
    ]) {
      await page.setViewportSize({ width, height });
      for (const moves of ["b3b4", "b3b4&tab=review"]) {
        await go(page, `#/analyse/masters-15?moves=${moves}`);
        await page.evaluate(() => document.querySelectorAll("details").forEach(part => (part.open = true)));
        assert.deepEqual(await cut(page), [], `${width}: ${moves}`);
      }
      for (const link of await boxes("nav a")) assert.ok(link.left >= 0 && link.right <= width, `${width}: ${link}`);
      await start(page, "masters-15", { limit: "nodes 2000" });
      assert.deepEqual(await cut(page), [], `${width}: play`);
      const rows = (await boxes(".panel.play > .actions .icon")).map(({ top, bottom }) => `${top} ${bottom}`);
      const words = await page
        .locator(".panel.play > .actions .icon")
        .evaluateAll(all => all.map(each => getComputedStyle(each, "::after").content.slice(1, -1)));
      if (width > 384) assert.deepEqual([words[0], words.at(-1)], ["Terugnemen", "Opgeven"], `${width}: words`);
      if (width < 400) assert.equal(new Set(rows).size, 1, `${width}: the actions stand in one row, equally high`);
      await start(page, "goose");
      const [roll] = await boxes("[data-action=roll]"),
        others = await boxes(".steps button, [role=tab], .side-of, .who, .status, .panel.play > .actions, select");
      assert.ok(others.length > 12 && roll.bottom <= height);
      assert.deepEqual(
        others.filter(other => meet(roll, other)),
        [],
        `${width}: the dice`,
      );
      // So stands what ends jumps.
      await go(page, "#/play/masters-15?moves=b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4");
      for (const point of ["e3", "c3"]) await page.locator(`main.table [data-point="${point}"]`).click({ force: true });
      await page.waitForSelector("[data-action=stop-here]");
      const [[stop], [below]] = [await boxes("[data-action=stop-here]"), await boxes(".panel.play > .actions")];
      assert.ok(stop.bottom <= height && !meet(stop, below), `${width}: to stop here`);
    }
    // Where a screen is low the board is as small as its picture, so that a click falls on the point that is seen.
    await page.setViewportSize({ width: 844, height: 390 });
    for (const hash of ["#/play/masters-15", "#/analyse/masters-15"]) {
      await go(page, hash);
      await page.evaluate(() => document.querySelector("[data-part=setup] summary")?.click());
      const [{ width, height }] = await boxes("main.table [data-position]");
      assert.ok(Math.abs(width / height - 1) < 0.01, `${hash}: ${width} by ${height}`);
    }
  },

  async "an end by captures says how many were taken, a lost puzzle does not dance"({ page }) {
    for (const [game, fen, taking, text] of [
      [
        "bagha-chal",
        "F3F/1GG2/GGGGG/GGGGG/FG2F f hand=3",
        "a1xc1",
        /Won by the tigers\. The tigers have taken five goats\./,
      ],
      ["kaooa", "1/FG2/2/1/2 f hand=3", "a4xd4", /Won by the vulture\. The vulture has taken four crows\./],
    ]) {
      await go(page, `#/play/${game}?fen=${encodeURIComponent(fen)}`);
      await enter(
        page,
        (await seen(page)).moves.find(({ move }) => move === taking),
      );
      await says(page, text);
    }
    await go(page, `#/play/solitaire?fen=${encodeURIComponent("3/3/7/7/7/3/P1P p")}`);
    await says(page, /Not solved\. No jump is left\./);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.ok(
      await page.evaluate(() =>
        [...document.querySelectorAll(".layer-pieces [data-piece]")].every(
          peg => getComputedStyle(peg).animationName === "none",
        ),
      ),
    );
  },

  async "an officer that did not jump is taken off with a word and a cross, also behind the next move"({ page }) {
    await go(page, "#/play/siege?moves=@e5_@d5_b5c5_d5d6");
    const crosses = n => page.waitForFunction(n => document.querySelectorAll(".layer-marks .gone").length === n, n);
    await says(page, /^The officer did not jump and is taken off\./);
    await crosses(1);
    for (const n of [1, 0]) {
      const { moves, ply } = await seen(page);
      await enter(
        page,
        moves.find(({ move }) => !move.includes("x")),
      );
      await turn(page, ply);
      await crosses(n);
      assert.equal(/^The officer did not jump/.test((await seen(page)).status), n === 1);
    }
  },

  async "until a person has moved it is said what the side plays for, and nothing is pushed when that goes"({ page }) {
    for (const [width, height] of [
      [1280, 860],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      await start(page, "masters-15");
      const { moves } = await turn(page, -1),
        box = async () => JSON.stringify(await page.locator(".moves").boundingBox()),
        before = await box();
      assert.equal(
        await page.locator("main.table .told").textContent(),
        "Hem in the fox so that it can neither step nor jump.",
      );
      await enter(page, moves[0]);
      await turn(page, 1);
      assert.doesNotMatch(await page.locator("main.table .told").textContent(), /Hem in/);
      assert.equal(await box(), before);
    }
  },

  async "five strengths have names"({ page }) {
    await page.goto(`${new URL(page.url()).origin}/#/game/masters-15`);
    const names = ["Beginner", "Easy", "Medium", "Hard", "Master", "Other …"];
    await page.waitForFunction(names => {
      const { options, selectedOptions } = document.querySelector("[name=limit]");
      return [...options].map(({ text }) => text).join() === names && selectedOptions[0].text === "Easy";
    }, names.join());
  },

  async "a piece that cannot move says so, and Escape lets go of one that was chosen"({ page }) {
    await start(page, "masters-15");
    const { moves } = await turn(page, -1);
    await mouse.point(page, "c1");
    await says(page, /^This goose cannot move\./);
    await mouse.point(page, "d4");
    await mouse.point(page, moves[0].from);
    await page.waitForSelector("main.table .picked");
    assert.doesNotMatch((await seen(page)).status, /fox cannot/, "the fox is not to move");
    await page.keyboard.press("Escape");
    await page.waitForSelector("main.table .picked", { state: "detached" });
    // Also where nothing of the board has the keyboard.
    await mouse.point(page, moves[0].from);
    await page.waitForSelector("main.table .picked");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Escape");
    await page.waitForSelector("main.table .picked", { state: "detached" });
  },

  async "what engines heard and said can be read, and a game is shared as a link, text and pictures"({ page }) {
    await start(page, "masters-15");
    await enter(page, (await turn(page, -1)).moves[0]);
    const { position } = await turn(page, 1);
    await choose(page, "engine-log");
    const log = await page.inputValue("[data-share=log]");
    assert.match(log, /^reynard fox > go nodes 20$/m);
    assert.match(log, /^reynard fox < bestmove /m);
    await page.click("[data-action=close]");
    await choose(page, "share");
    await sound(page, "share");
    assert.equal(await page.inputValue("[data-share=position]"), position);
    assert.match(await page.inputValue("[data-share=game]"), /\[Black "reynard"\]\n\[Variant "masters-15"\]/);
    const file = async kind => {
      const [saved] = await Promise.all([page.waitForEvent("download"), page.click(`[data-action=save-${kind}]`)]);
      assert.equal(saved.suggestedFilename(), `masters-15-2.${kind}`);
      return readFileSync(await saved.path());
    };
    const svg = (await file("svg")).toString();
    assert.match(svg, /^<svg [^>]*viewBox/);
    assert.deepEqual([svg.match(/data-piece="/g).length, svg.includes('<circle class="movable')], [16, false]);
    assert.deepEqual([...(await file("png")).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const link = await page.inputValue("[data-share=link]");
    await page.goto("about:blank");
    await page.goto(link);
    await page.waitForFunction(
      position => document.querySelector("main.table [data-position]")?.dataset.position === position,
      position,
    );
  },

  async "a game that nobody has played is not kept, a comment alone is"({ page }) {
    await start(page, "bell-13", { side: "1" });
    await page.waitForFunction(() => document.querySelectorAll(".moves [data-ply]").length === 1);
    await go(page, "#/analyse/masters-15?fen=3/3/7/3F3/7/GGG/GGG%20g");
    await go(page, "#/analyse/siege");
    await page.fill("[aria-label=Comment]", "a hard one");
    await page.locator("[aria-label=Comment]").blur();
    await page.click(".brand");
    await page.waitForSelector(".shelf [data-game]");
    assert.equal(await page.locator("[data-recent]").count(), 0);
    await page.evaluate(() => (location.hash = "#/archive"));
    await page.waitForSelector("[data-kept]");
    assert.deepEqual(await page.locator("[data-kept] a").allTextContents(), ["Siege (Asalto)"]);
    assert.match(await page.locator("[data-kept]").textContent(), /analysis/, "it is no game");
    await page.click("[data-kept] a");
    await page.waitForFunction(() => document.querySelector("[aria-label=Comment]")?.value === "a hard one");
  },

  async "games are kept: looked for, gone on with, saved, deleted and had back"({ page }) {
    const origin = new URL(page.url()).origin;
    await start(page, "bell-13");
    await enter(page, (await turn(page, -1)).moves[0]);
    await go(page, `#/analyse/masters-15?moves=${GAME}`);
    await page.waitForSelector("[data-ply='8']");
    // Two rulesets of one name are two rulesets.
    for (const geese of [13, 2]) {
      await page.goto(`${origin}/#/own`);
      await page.waitForSelector("[data-verdict].fine");
      await page.fill(
        "#ruleset-text",
        JSON.stringify({
          name: "mine",
          extends: "masters-15",
          geese: geese === 13 ? 13 : ["a3", "b3"],
          fox_wins_below: 2,
        }),
      );
      await page.waitForFunction(
        n =>
          /mine/.test(document.querySelector("[data-verdict].fine")?.textContent) &&
          document.querySelectorAll(".preview .piece").length === n,
        geese + 1,
      );
      await page.click("[data-action=play]");
      await page.waitForSelector("main.table [data-position]:not([data-position=''])");
      await enter(page, (await turn(page, -1)).moves[0]);
    }
    // One of a time before games had dates.
    await page.evaluate(() => {
      const tree = { start: null, moves: [["a4a5", "", ""]] };
      localStorage.setItem("game old", JSON.stringify({ variant: "masters-15", seats: [null, null], tree }));
    });
    await page.goto(`${origin}/#/archive`);
    const rows = n => page.waitForFunction(n => document.querySelectorAll("[data-kept]").length === n, n);
    await rows(5);
    await sound(page, "archive");
    await page.fill("[name=search]", "mine");
    await rows(2);
    const pieces = [];
    for (const index of [0, 1]) {
      await page.locator("[data-kept] a").nth(index).click();
      await page.waitForSelector("main.table [data-position]:not([data-position=''])");
      pieces.push(await page.locator("main.table .layer-pieces [data-piece=goose]").count());
      await page.goto(`${origin}/#/archive`);
      await page.fill("[name=search]", "mine");
      await rows(2);
    }
    assert.deepEqual(pieces.sort(), [13, 2].sort());
    await page.fill("[name=search]", "masters c5xe3");
    await rows(1);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("[data-action=save-all]")]);
    assert.match(readFileSync(await saved.path(), "utf8"), /\[Variant "masters-15"\][^]*1\. b3b4 d4c4 2\./);
    await page.click("[data-kept] [data-action=delete]");
    await rows(0);
    await page.fill("[name=search]", "");
    await rows(4);
    await page.click("[data-action=undo]");
    await rows(5);
    await page.click("[data-action=delete-all]");
    await rows(0);
    await page.reload();
    await page.waitForFunction(() => document.querySelector("[data-found]")?.textContent === "0 of 0 games");
  },

  async "a position that cannot be had is a sentence, and the next one goes on"({ page, errors }) {
    await start(page, "masters-15", { against: "people" });
    const [first] = (await turn(page, -1)).moves;
    await page.route(
      "**/api/look",
      route => route.fulfill({ status: 500, json: { ok: false, error: "out of order" } }),
      { times: 1 },
    );
    for (const point of [first.from, first.to]) await mouse.point(page, point);
    await says(page, /has failed: out of order/);
    await page.click("[data-action=try-again]");
    await says(page, /to move/);
    errors.splice(0);
  },
};

await each(playing, server, browser);
