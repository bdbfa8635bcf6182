// What a person does by mistake, and the page must neither do nor say: resigning, losing moves, wrong marks, odd names.

import assert from "node:assert/strict";
import { browse, choose, each, enter, seen, serve, start, turn } from "./page.mjs";

const server = await serve("--engine-memory", "128"),
  browser = await browse();
const GAME = "b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4_e3xc3xc5xa5";

const go = async (page, hash) => {
  await page.goto(`${new URL(page.url()).origin}/${hash}`);
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
};
const moves = page => page.evaluate(() => [...document.querySelectorAll(".moves [data-ply]")].map(e => e.textContent));
// The plies of moves that are marked as mistakes.
const mistakes = page =>
  page.locator(".moves .move:has(.mark:not(.fine))").evaluateAll(all => all.map(({ dataset }) => +dataset.ply));
const shown = page => page.evaluate(() => document.querySelector(".moves [aria-current]")?.dataset.ply ?? "0");

const slips = {
  async "resigning is asked again, and neither it nor a draw is offered from an earlier position"({ page }) {
    await start(page, "masters-15");
    await enter(page, (await turn(page, -1)).moves[0]);
    await turn(page, 1);
    await page.click("[data-action=resign]");
    await page.click("[data-action=go-on]");
    // Nothing is pushed aside or covered by the question: it stands in the row of the flag.
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      const box = async selector => JSON.stringify(await page.locator(selector).boundingBox()),
        before = [await box(".moves"), await box(".panel.play > .actions")];
      await page.click("[data-action=resign]");
      await page.waitForSelector("[data-action=go-on]:focus");
      assert.deepEqual([await box(".moves"), await box(".panel.play > .actions")], before, `${width}`);
      const [flag, question] = await Promise.all(
        ["resign", "really-resign"].map(action => page.locator(`[data-action=${action}]`).boundingBox()),
      );
      // With what surrounds it, beside the bar of the page.
      const { right, free } = await page.evaluate(() => ({
        right: document.querySelector(".apart .menu").getBoundingClientRect().right,
        free: document.documentElement.clientWidth,
      }));
      assert.ok(question.x >= 0 && right < free, `${width}: the question is seen, ${right} of ${free}`);
      assert.ok(Math.abs(question.y - flag.y) < 12, `${width}: ${question.y} and ${flag.y}`);
      await page.click("[data-action=go-on]");
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.click("[data-action=resign]");
    await page.waitForSelector("[data-action=go-on]:focus");
    assert.ok(!(await page.evaluate(() => document.querySelector("main.table .status.over"))));
    await page.click("[data-ply='1']");
    for (const action of ["resign", "offer-draw"])
      await page.waitForSelector(`[data-action=${action}]:disabled`, { state: "attached" });
    await page.click("[data-step=last]");
    await page.waitForSelector("[data-action=offer-draw]:not(:disabled)", { state: "attached" });
    await page.click("[data-action=resign]");
    await page.click("[data-action=really-resign]");
    await page.waitForSelector("main.table .status.over");
    await page.evaluate(() => (location.hash = "#/archive"));
    await page.locator("[data-kept]", { hasText: "You lose" }).waitFor();
  },

  async "a draw that is agreed too late does not undo a resignation"({ page }) {
    await page.addInitScript(() => {
      globalThis.answers = 0;
      globalThis.WebSocket = class extends WebSocket {
        constructor(address) {
          super(address);
          this.addEventListener("message", ({ data }) => (globalThis.answers += data.startsWith("bestmove")));
        }
      };
    });
    await page.reload();
    await start(page, "masters-15");
    await turn(page, -1);
    await page.evaluate(() => {
      for (const action of ["offer-draw", "resign", "really-resign"])
        document.querySelector(`[data-action=${action}]`).click();
    });
    await page.waitForFunction(() => globalThis.answers > 0);
    assert.match((await seen(page)).status, /You resigned\. The fox wins\./);
  },

  async "a hint does not cut off the engine that thinks"({ page, sent }) {
    await start(page, "masters-15", { limit: "movetime 10000" });
    await enter(page, (await turn(page, -1)).moves[0]);
    await page.waitForFunction(() => /is thinking/.test(document.querySelector("main.table .status").textContent));
    const asked = line => sent.filter(each => each === line).length;
    const told = source =>
      page.waitForFunction(
        source => new RegExp(source).test(document.querySelector("main.table .told").textContent),
        source,
      );
    await page.click("[data-action=hint]");
    // It is the only piece of its side: where it goes has a ring, the move is not shown yet.
    await told("^Look at (?!d4)[a-g][1-7]\\. Ask again");
    assert.equal(await page.locator("circle.arrow").count(), 1);
    assert.equal(await page.locator("path.arrow").count(), 0);
    await page.click("[data-action=hint]");
    await told("^Try d4");
    assert.ok((await page.locator("path.arrow").count()) > 0);
    assert.equal(asked("go movetime 800"), 1);
    assert.equal(asked("stop"), 0);
  },

  async "what a set-up, a deletion and a new game lose comes back"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}`);
    await page.waitForSelector("[data-ply='8']");
    const before = await moves(page),
      undone = () =>
        page.waitForFunction(
          before =>
            JSON.stringify([...document.querySelectorAll(".moves [data-ply]")].map(e => e.textContent)) === before,
          JSON.stringify(before),
        );
    await page.click("[data-part=setup] summary");
    await page.fill("#position-text", "3/3/7/3F3/7/GGG/GG1 g");
    await page.click("[data-action=use]");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 0);
    // Until it is taken back it is a game of its own.
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith("game ")).length),
      count = await kept();
    assert.match(await page.locator("#undo").textContent(), /among My games/);
    await page.click("[data-action=undo]");
    await undone();
    assert.equal(await kept(), count - 1);
    await page.click("[data-ply='3']");
    await page.click("[data-action=delete-from-here]");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 2);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Control+z");
    await undone();
    // What an undo replaces can be had back, too.
    await page.click("[data-action=undo]");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 2);
    await page.click("[data-action=undo]");
    await undone();
    await page.click("[data-tab=play]");
    await choose(page, "new-game");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 0);
    await page.click("[data-action=undo]");
    await undone();
  },

  async "moves that are taken back from an earlier position come back, and so does the end of the game"({ page }) {
    await go(page, `#/play/masters-15?moves=${GAME}`);
    const count = n => page.waitForFunction(n => document.querySelectorAll("[data-ply]").length === n, n);
    await count(8);
    await page.click("[data-action=resign]");
    await page.click("[data-action=really-resign]");
    await page.waitForSelector("main.table .status.over");
    await page.click("[data-ply='3']");
    await page.waitForSelector("[data-ply='3'][aria-current]");
    await page.click("[data-action=take-back]");
    await count(2);
    await page.click("[data-action=undo]");
    await count(8);
    await page.waitForSelector("main.table .status.over");
    assert.match((await seen(page)).status, /The geese resigned\. The fox wins\./);
    // A variation of an analysis has not ended so.
    await page.click("[data-tab=analyse]");
    await page.click("[data-ply='1']");
    await page.waitForFunction(() => document.querySelectorAll(".layer-legal [data-move]").length > 0);
    const other = (await seen(page)).moves.find(({ move }) => move !== "d4c4");
    await enter(page, other);
    await page.waitForSelector(".variation");
    await page.waitForFunction(() => /to move/.test(document.querySelector("main.table .status").textContent));
  },

  async "a set-up keeps every piece, also when answers come late"({ page }) {
    await go(page, "#/analyse/masters-15?fen=3/3/7/3F3/7/GGG/GG1%20g");
    await page.click("[data-part=setup] summary");
    await page.click("[data-letter=G]");
    const put = point => page.locator(`main.table [data-point="${point}"]`).click({ force: true });
    const [late] = await Promise.all([new Promise(done => page.route("**/api/look", done, { times: 1 })), put("e1")]);
    await Promise.all([page.waitForResponse("**/api/look"), put("a4")]);
    await page.waitForSelector("[data-verdict].fine");
    await Promise.all([page.waitForResponse("**/api/look"), late.continue()]);
    await put("g4");
    await page.waitForFunction(() => document.querySelector("#position-text").value === "3/3/7/G2F2G/7/GGG/GGG g");
  },

  async "the arrow keys are the game's until Tab leads to the board"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}`);
    await page.waitForSelector("[data-ply='8'][aria-current]");
    for (const mode of ["analyse", "play"]) {
      await page.click(`[data-tab=${mode}]`);
      await page.waitForSelector("[data-ply='8'][aria-current]");
      await page.locator('main.table [data-point="d7"]').click({ force: true });
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector("[data-ply='7'][aria-current]");
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector("[data-ply='8'][aria-current]");
    }
    await page.locator("svg[role=application]").focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("[data-cursor]");
    assert.equal(await shown(page), "8");
  },

  async "a review marks nothing that the search would play itself, and text and arrow are of one move"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}`);
    await page.click("[data-tab=review]");
    await page.click(".panel.review summary");
    await page.selectOption(".panel.review select", "nodes 100000");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.match(await page.locator("[data-formula]").textContent(), /100,000/, "the number that was used");
    const marked = (await moves(page)).filter(text => /[?]/.test(text));
    assert.ok(marked.length > 0, "giving geese away is a mistake");
    // A fox that has to take takes.
    assert.ok(!marked.some(text => text.includes("x")), `${marked}`);
    for (let ply = 8; ply >= 0; ply--) {
      const [text, arrows, played] = await page.evaluate(() => [
        document.querySelector("[data-better]").textContent,
        [...document.querySelectorAll("[data-arrow]")].map(({ dataset }) => dataset.arrow),
        [...document.querySelectorAll("[data-marked]")].map(({ dataset }) => dataset.marked),
      ]);
      const [better] = await page
        .locator("[data-better] .line:has-text('Better:') [data-pv]")
        .evaluateAll(all => all.map(each => each.dataset.pv));
      // Both moves are of the position before the mistake, where they can be seen.
      const [, mistake] = /^(.+?)[?!]+$/.exec((await moves(page))[ply]) ?? [];
      assert.deepEqual([arrows, played], mistake ? [[better], [mistake]] : [[], []], `${ply}: ${text}`);
      if (mistake) assert.ok(better && text.includes(`Now comes: ${mistake}`), text);
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(
        ply => (document.querySelector(".moves [aria-current]")?.dataset.ply ?? "0") === `${Math.max(0, ply)}`,
        ply - 1,
      );
    }
  },

  async "judging can be stopped, and what was judged stands"({ page }) {
    // The search of the fifth position ends when it is stopped.
    let searches = 0;
    await page.routeWebSocket(/./, socket => {
      const server = socket.connectToServer();
      socket.onMessage(line => server.send(line === "go nodes 500000" && ++searches === 5 ? "go infinite" : line));
    });
    await page.reload();
    await go(page, `#/analyse/masters-15?moves=${GAME}&tab=review`);
    await page.click(".panel.review summary");
    await page.selectOption(".panel.review select", "nodes 500000");
    await page.click("[data-action=judge]");
    await page.waitForSelector(".review [role=status]:text-is('Judging ply 4 of 8 … 500,000 positions')");
    await page.waitForFunction(() => document.querySelectorAll(".graph .curve").length === 1);
    await page.click("[data-action=judge]:has-text('Stop')");
    await page.waitForSelector("[data-action=judge]:has-text('Judge again')");
    assert.equal(await page.locator(".review [role=status]").first().textContent(), "");
    // The start is solved: the curve of what is estimated begins behind it.
    assert.equal((await page.locator(".graph .curve").getAttribute("points")).split(" ").length, 3);
    assert.equal(await page.locator("[data-good]").count(), 2);
  },

  async "a game that is solved is not called flawless"({ page }) {
    await go(page, "#/analyse/bell-13?moves=@d4_c3c4");
    await page.click("[data-tab=review]");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    const said = await page.locator("[data-summary]").textContent();
    assert.match(
      said,
      /Solved: .* won for the geese\. (How many per cent .* is an estimate|Which moves keep that is an estimate)/,
    );
    assert.match(
      await page.locator(".graph .curve").getAttribute("points"),
      /^200\.0,/,
      "what is estimated is no fall from what is proved of the start",
    );
    // The fox was lost before it moved: that is no play without a fault.
    const rows = await page.locator(".scores tbody tr").allTextContents();
    assert.match(
      rows.find(text => text.startsWith("fox")),
      /^foxlost with best play/,
    );
    assert.match(
      rows.find(text => text.startsWith("geese")),
      /^geese\d+\s%/,
    );
  },

  async "giving up what is not lost is the turning point of a game"({ page }) {
    await start(page, "masters-15");
    await enter(page, (await turn(page, -1)).moves[0]);
    await turn(page, 1);
    await page.click("[data-action=resign]");
    await page.click("[data-action=really-resign]");
    // At once, by the tab as by the button.
    await page.click("[data-tab=review]");
    await page.waitForSelector("[data-good]");
    const last = "Resignation\\?\\? in a position worth \\d\\d\\s% to the geese\\.?$",
      isSaid = async (selector, name) =>
        assert.match(await page.locator(selector).last().textContent(), new RegExp(`^${name}: ${last}`));
    await isSaid("[data-turning]", "Last turning point");
    await isSaid("[data-better] p", "At the end");
    // It is no move, of which the marks are counted.
    const row = page.locator(".scores tr", { has: page.locator("[data-good='0']") });
    assert.match(await row.textContent(), /^geese.*\d+\s%000Learn$/i);
    // The turning point is gone to.
    await page.keyboard.press("Home");
    await page.click("[data-turning] button");
    await page.waitForSelector("[data-ply='2'][aria-current]");
  },

  async "the headline says where the game was turned last, and what lost most"({ page }) {
    await go(page, `#/play/masters-15?moves=${GAME}`);
    await page.click("[data-action=resign]");
    await page.click("[data-action=really-resign]");
    await page.click("[data-tab=review]");
    await page.waitForSelector("[data-good]");
    const turns = await page.locator("[data-turning] button").allTextContents();
    assert.equal(turns.length, 2, `${turns}`);
    assert.match(turns[0], /^Last turning point: \d+\.\s\S+: the geese (6[1-9]|[7-9]\d)\s% → ([0-5]\d|60)\s%$/);
    assert.match(turns[1], /^Greatest loss: Resignation\?\? in a position worth \d\d\s% to the geese$/);
  },

  async "a line explains each mark, goes to its move, and stays with the game"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}&tab=review`);
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    // What was lost stands below the curve, in sight together with the board.
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      for (const way of ["[data-action=next-mistake]", "[data-turning] button"]) {
        await page.click("[data-step=first]");
        await page.click(way);
        await page.waitForSelector("[data-better] [data-pv]");
        const [better, graph, board] = await page.evaluate(() =>
          ["[data-better]", ".graph", "main.table [data-position]"].map(part =>
            document.querySelector(part).getBoundingClientRect(),
          ),
        );
        assert.ok(graph.bottom <= better.top && better.bottom <= height, `${width}: ${better.bottom} ${graph.bottom}`);
        assert.ok(
          board.top >= 0 && board.bottom <= height,
          `${width}: the board is at ${board.top} to ${board.bottom}`,
        );
      }
      // What one steps with stays where it is.
      const places = new Set();
      for (const ply of [1, 3, 6, 7, 8]) {
        await page.click(`[data-ply='${ply}']`);
        await page.waitForSelector(`[data-ply='${ply}'][aria-current]`);
        await page.evaluate(() => scrollTo(0, 0));
        places.add((await page.locator("[data-step=on]").boundingBox()).y);
      }
      assert.equal(places.size, 1, `${width}: ${[...places]}`);
    }
    // Before a mistake it is said to come, behind it to have been played; the move is lit in the list both times.
    const points = () => page.evaluate(() => document.querySelector(".graph .curve").getAttribute("points")),
      said = name => page.locator("[data-better] p", { hasText: name }).textContent();
    const told = async () => {
      const all = [];
      for (const ply of await mistakes(page)) {
        await page.click(`[data-ply='${ply}']`);
        await page.waitForSelector(`[data-ply='${ply}'][aria-current]`);
        const line = await said("Just played:");
        await page.keyboard.press("ArrowLeft");
        await page.waitForSelector(`[data-ply='${ply}'].next`);
        assert.equal(await said("Now comes:"), line.replace("Just played", "Now comes"));
        all.push(line);
      }
      return all;
    };
    const lines = await told(),
      curve = await points();
    assert.ok(lines.length > 0);
    for (const line of lines)
      assert.match(
        line,
        /^Just played: \S+[?]{1,2}!? .*: the chances of the (geese|fox) fall from \d+\s% to \d+\s%\.$/,
      );
    await page.reload();
    await page.waitForSelector("[data-good]");
    assert.deepEqual([await told(), await points()], [lines, curve], "a review is not forgotten");
    // In Dutch words are longer: no button is cut off.
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", "nl");
    await page.waitForSelector("html[lang=nl] [data-good]");
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.locator(".scores").evaluate(scores => scores.scrollWidth - scores.clientWidth);
      assert.ok(wide <= 0, `${width}: ${wide}`);
    }
  },

  async "a position is worth one thing, whichever move is spoken of"({ page }) {
    for (const moves of [GAME, "c3c4_d4c5_e3d4_c5xc3xe5_f3f4_e5f5_g3f3"]) {
      await go(page, `#/analyse/masters-15?moves=${moves}&tab=review`);
      await page.click("[data-action=judge]");
      await page.waitForSelector("[data-good]");
      await page.keyboard.press("Home");
      let last = null;
      for (const [ply, move] of moves.split("_").entries()) {
        await page.keyboard.press("ArrowRight");
        await page.waitForSelector(`[data-ply='${ply + 1}'][aria-current]`);
        // The last sentence with figures is of the move that led here.
        const said = await page.locator("[data-better] p:not(.line)").first().textContent(),
          [from, to = from] = said.match(/\d+(?=\s%)/g).map(Number);
        assert.ok(said.startsWith(`Just played: ${move}`), said);
        if (last !== null) assert.equal(from, 100 - last, `${said} after ${last} %`);
        last = to;
      }
    }
  },

  async "where a solution is lost a longer look finds the move, and what it does not find is no flawless game"({
    page,
  }) {
    const lost =
      "b4xd4_c6xc4_c3xc5_e3xc3_e1xe3_e4xc4_e6xe4_c4xc6xe6_e7xe5_a5xc5_b3xd3_c7xe7_d2xd4_c1xe1_d5xb5_a3xa5_f5xd5_e4xe2";
    let isDull = true;
    await page.routeWebSocket(/./, socket => {
      const server = socket.connectToServer();
      socket.onMessage(line => server.send(isDull ? line.replace("go movetime 5000", "go nodes 1") : line));
    });
    await page.reload();
    await go(page, `#/analyse/solitaire?moves=${lost}&tab=review`);
    await page.click("[data-action=judge]");
    await page.waitForFunction(() => document.querySelector("[data-good]")?.textContent === "n/a");
    assert.match(
      await page.locator(".panel.review").textContent(),
      /Between \d+\. and \d+\. the player gave away what they had/,
    );
    isDull = false;
    await page.click("[data-action=look-closer]");
    await page.waitForSelector("[data-turning] button");
    assert.match(await page.locator("[data-formula]").textContent(), /100,000/);
    assert.equal(await page.locator("[data-action=look-closer]").count(), 0, "nothing is unseen");
    assert.equal((await mistakes(page)).length, 1);
    await page.waitForSelector("[data-learn='0']:not(:disabled)");
    assert.match(await page.locator("[data-good]").textContent(), /^\d+\s%$/);
    assert.equal(
      await page.locator("[data-turning]").textContent(),
      "Last turning point: 11.\u00a0b3xd3??: the player win → loss",
    );
  },

  async "a slip that a first look does not see is found, and a side that is lost from the start has its lessons, too"({
    page,
  }) {
    // Alphabeta proves after some seconds that this move loses in nine moves, and others hold.
    const slow =
      "@c2_a1b2_@c3_b2b1_@a3_a5b4_@a5_b1a1_@a4_b4xd2_@b4_d2xb2_@c5_e5d5_@b5_b2c1_@e5_c1d2_@a2_d2c3_@e3_e1e2_" +
      "@e4_e2e1_@c1_c3d4_@b3_e1d1_@b1_d1e1_@c4_d4c3_@d1_a1b2_@e2_b2a1_@c2_c3d4_@d2_e1xc3_b1b2_d4d3_e2e1_" +
      "d3d2_e3e2_d2e3_e2d2_d5d4_d2e2_e3d3_e2d2_d4e3_b2b1_c3d4_c2b2_d3c3_b2c2_c3b2_b3c3_b2b3_b1b2_b3xd3_b2b3_" +
      "e3e2_e5d5_d4e5_d2e3_a1b2_c1d2_b2c3_d2c1_d3d2_a2a1_d2xb2";
    await go(page, `#/analyse/bagha-chal?moves=${slow}&tab=review`);
    await page.waitForSelector("[data-good]");
    const loser = page.locator(".scores tr", { has: page.locator("[data-good='0']") });
    assert.match(await loser.textContent(), /^goats\d\d\s%100Learn$/);
    assert.ok(await page.locator("[data-learn='0']").isEnabled());
    assert.match(await page.locator("[data-turning]").textContent(), /^Last turning point: 30\.\sb3c3\?\?: the goats /);

    const lost =
      "@c5_e3e4_c5c6_e2e3_c6c5_d3d4_c5c4_a3a4_c4b4_b3a3_b4c4_d2d3_c4b4_d1d2_b4b3_d4c4_b3b4_d3d4_b4c5_d2d3_" +
      "c5d5_a4a5_d5c5_c1d1_c5d6_c3b3_d6c6_c2c3_c6c5_e1e2_c5d5_f3f4_d5c5_d1d2_c5d6_e3f3_d6d7_e2e3_d7d6_e4e5_" +
      "d6d5_f4f5_d5c5_f3f4_c5c6_e5d5_c6c5_f5e5_c5c6_b3b4";
    await go(page, `#/analyse/bell-13?moves=${lost}&tab=review`);
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.equal(await page.locator("[data-good='0']").textContent(), "lost with best play");
    assert.match(await page.locator("[data-turning]").textContent(), /^Greatest loss: \d+\.\s\S+\?!: the fox /);
    assert.match(
      await page.locator("[data-formula]").textContent(),
      /5 % is enough for \?! where a proof .* and for a side that is lost with best play/,
    );
    await page.click("[data-learn='0']");
    await page.waitForSelector(".lesson:has-text('fox')");
  },

  async "where there is no game to judge one is read"({ page, sent }) {
    await go(page, "#/analyse/masters-15?tab=review");
    await page.waitForSelector("[data-action=judge]", { state: "hidden" });
    await page.fill("#game-text", "1. d4d9");
    await page.click("[data-action=load-game]");
    await page.waitForSelector(".review [role=alert]:has-text('d4d9')");
    // Of a text that can be read in part that is said, and the part is judged.
    await page.fill("#game-text", `${GAME.replaceAll("_", " ")} d4d9`);
    await page.click("[data-action=load-game]");
    await page.waitForSelector("[data-turning] button");
    await page.waitForSelector(".review [role=alert]:visible:has-text('d4d9')");
    assert.ok(!(await page.locator("#game-text").isVisible()));
    // How it has ended is read, too.
    await go(page, "#/analyse/bell-13?tab=review");
    await page.fill("#game-text", '[White "Ann"]\n[Result "1-0"]\n[Reason "resignation"]\n\n1. @d4 c3c4 1-0');
    await page.click("[data-action=load-game]");
    await page.waitForSelector("[data-better]:has-text('At the end: Resignation?? in a position worth')");
    await page.waitForSelector(".scores:has-text('Ann')");
    // One that is over is judged once: no search cuts off another.
    await go(page, "#/analyse/fox-and-hounds?tab=review");
    await page.fill(
      "#game-text",
      "1. d8c7 c1b2 2. c7d6 e1d2 3. d6c5 d2c3 4. c5d4 c3b4 5. d4c3 b2a3 6. c3d2 a1b2 7. d2e1",
    );
    await page.click("[data-action=load-game]");
    await page.waitForSelector("[data-good]");
    assert.equal(sent.filter(line => line === "stop").length, 0);
    // So is one of another ruleset, over or not.
    await go(page, "#/analyse/masters-15?tab=review");
    await page.fill("#game-text", '[Variant "fox-and-hounds"]\n\n1. d8c7 c1b2');
    await page.click("[data-action=load-game]");
    await page.waitForSelector("h1:has-text('Fox and Hounds')");
    await page.waitForSelector("[data-good]");
  },

  async "a file with a move that is none is judged as far as it can be played"({ page }) {
    await page.evaluate(() => void (location.hash = "#/archive"));
    const files = [
      ["fox-and-hounds", "1. d8c7 c1c5 2. c7d6 1-0", 1],
      ["masters-15", "1. b3b4 d4c4 2. b4b5 a1a9 3. e3f4 *", 3],
    ];
    for (const [variant, text, count] of files) {
      await page.goto(`${new URL(page.url()).origin}/#/archive`);
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("[data-action=open-file]")]),
        buffer = Buffer.from(`[Variant "${variant}"]\n\n${text}\n`);
      await chooser.setFiles({ name: "game.pgn", mimeType: "text/plain", buffer });
      await page.waitForSelector("[data-good]");
      assert.equal((await moves(page)).length, count);
      await page.waitForSelector("#undo:has-text('Not taken')");
    }
  },

  async "of a game of dice alone the review shows the chances and the luck, unasked"({ page }) {
    await go(page, "#/analyse/goose?moves=6%2B3_2%2B1&tab=review");
    await page.waitForSelector("[data-summary]:has-text('Nobody chose a move here')");
    assert.ok(!(await page.locator("[data-action=judge]").isVisible()));
    assert.match(
      await page.locator("[data-turning]").textContent(),
      /^Luckiest throw: 1\.\s6\+3: player 1 5\d\s% → 5\d\s%Unluckiest: 2\.\s2\+1: player 2 /,
    );
    const points = await page.locator(".graph .curve").getAttribute("points");
    assert.equal(points.split(" ").length, 3);
    // Where each die is for a counter of one's choice the choices are judged.
    await go(page, "#/analyse/goose-team?moves=6%2B3_1:6_2:3_5%2B4_1:5_1:4&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.match((await page.locator("[data-good]").allTextContents()).join(), /^\d+\s%,\d+\s%$/);
  },

  async "tables that are made soon prove the judgement, unasked"({ page }) {
    await go(page, "#/analyse/catch-the-hare?moves=a3a4_c3c4_e3e4_c4b4&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForSelector(".review [role=status]:has-text('Building')");
    await page.waitForSelector("[data-better]:has-text('as is proved')");
    await page.waitForSelector("[data-good]");
    assert.doesNotMatch(await page.locator("[data-summary]").textContent(), /estimate/);
  },

  async "a review stays that of the game when one looks at other moves"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}&tab=review`);
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    const known = () => page.locator(".panel.review :is(.scores, [data-turning], [data-summary])").allTextContents(),
      curve = () => page.locator(".graph .curve").getAttribute("points"),
      before = [await known(), await curve()];
    await page.click("[data-action=next-mistake]");
    const here = await shown(page);
    await page.locator("[data-better] .line:has-text('Better:') [data-pv]").nth(2).click();
    await page.waitForSelector(".variation [aria-current]");
    assert.deepEqual([await known(), await curve()], before);
    // The line can be read on, with the place in it.
    assert.equal(await page.locator("[data-better] [data-pv]").nth(2).getAttribute("aria-current"), "step");
    // It is told that this is not the game.
    await page.waitForSelector("[data-better]:has-text('In the game:')");
    // Judged again it is the game that is judged.
    await page.click(".panel.review summary");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-action=judge]:has-text('Stop')");
    await page.waitForSelector("[data-action=judge]:has-text('Judge again')");
    assert.equal(await page.locator(".scores [data-good]").count(), 2);
    assert.ok((await mistakes(page)).length > 0);
    await page.click("[data-action=back-to-game]");
    await page.waitForSelector(`[data-ply='${here}'][aria-current]`);
    await page.waitForSelector("[data-better]:has-text('Now comes')");
    // What an analysis thinks of a position does not change what was said.
    const curveBefore = await curve();
    await page.click("[data-tab=analyse]");
    await page.waitForSelector("[data-line] [data-pv]");
    await page.click("[data-tab=review]");
    await page.waitForSelector(".review .graph .curve");
    assert.equal(await curve(), curveBefore);
  },

  async "each mistake is a task, with hint and solution, and one's own move is judged"({ page }) {
    await go(page, `#/analyse/masters-15?moves=${GAME}&tab=review`);
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-learn='0']:not(:disabled)");
    const before = await moves(page),
      [first] = await mistakes(page),
      said = text =>
        page.waitForFunction(text => document.querySelector("[data-lesson]").textContent.includes(text), text);
    await page.keyboard.press("Home");
    await page.click("[data-action=next-mistake]");
    const of1st = text => page.locator(`[data-better] .line:has-text('${text}') [data-pv]`).first(),
      [better, answer] = await Promise.all(["Better:", "The reply:"].map(text => of1st(text).getAttribute("data-pv")));
    await page.click("[data-learn='0']");
    await page.waitForFunction(() => document.querySelectorAll(".layer-legal [data-move]").length > 0);
    assert.ok(!(await page.locator(".graph").isVisible()) && !(await page.locator("[data-better]").isVisible()));
    assert.ok((await page.locator(".movable").count()) > 1, "what can move is ringed");
    const drawn = () =>
      page.locator(".arrow:not(.head, text)").evaluateAll(all => all.map(({ dataset }) => Object.entries(dataset)[0]));
    const played = before[first - 1].replace(/[?!]+$/, ""),
      of = async move => (await seen(page)).moves.find(each => each.move === move);
    // `enter` waits for a move more in the list: this one is refused.
    const { from, to } = await of(played);
    for (const point of [from, to]) await page.locator(`main.table [data-point="${point}"]`).click({ force: true });
    await said(`✗ ${played} is the mistake of the game`);
    await page.waitForSelector("[data-lesson].wrong");
    // The answer to it is shown, and told from a move that is better.
    await said(`: look for another move. The reply: ${answer}`);
    assert.deepEqual(await drawn(), [
      ["marked", played],
      ["answer", answer],
    ]);
    // Away from the task nothing of it is drawn, and it is there again.
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelectorAll(".layer-arrows > *").length === 0);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("[data-answer]", { state: "attached" });
    await page.click("[data-action=learn-hint]");
    await said(`It begins on ${better.slice(0, 2)}`);
    assert.deepEqual(await drawn(), [["hint", better]]);
    await page.click("[data-action=learn-solution]");
    await said(`${better} was better`);
    assert.match(
      await page.locator("[data-better]").textContent(),
      new RegExp(`: the chances of the geese fall from \\d+\\s% to \\d+\\s%\\.Better:${better}`),
      "what was lost",
    );
    await page.waitForSelector(`[data-marked='${played}']`, { state: "attached" });
    assert.equal(await page.locator("[data-arrow]").getAttribute("data-arrow"), better);
    await page.keyboard.press("ArrowRight");
    assert.equal(await of1st("The reply:").getAttribute("data-pv"), answer, "and how it goes on");
    // Behind the last task it is said how they went.
    let count = 1;
    for (
      await page.click("[data-action=learn-next]");
      await page.locator("[data-action=learn-solution]").count();
      count++
    )
      await page.click("[data-action=learn-next]");
    const ended = (found, ...ways) =>
      page.waitForFunction(
        ([question, said]) =>
          document.querySelector(".question").textContent === question &&
          document.querySelector("[data-lesson]").textContent === said,
        [
          `You found ${found} of ${count}.`,
          `At the first try: ${ways[0]}. After a hint or a wrong try: ${ways[1]}. Shown or skipped: ${ways[2]}.`,
        ],
      );
    await ended(0, 0, 0, count);
    // Once more, with a hint.
    await page.click("[data-action=learn-again]");
    const find = async () => {
      await page.waitForFunction(() => document.querySelectorAll(".layer-legal [data-move]").length > 0);
      const found = await of(better);
      for (const point of [found.from, found.to])
        await page.locator(`main.table [data-point="${point}"]`).click({ force: true });
      await said(`✓ ${better}: right, the best move`);
    };
    await page.click("[data-action=learn-hint]");
    await find();
    for (let n = 0; n < count; n++) await page.click("[data-action=learn-next]");
    await ended(1, 0, 1, count - 1);
    await page.click("[data-action=learn-done].primary");
    // What was found is no part of the game.
    await page.waitForFunction(n => document.querySelectorAll("[data-ply]").length === n, before.length);
    assert.deepEqual(await moves(page), before);
    // The other way: found by oneself.
    const shown = () => new URLSearchParams(location.hash.split("?")[1]).get("moves"),
      whole = await page.evaluate(shown);
    await page.click("[data-learn='0']");
    await find();
    await page.waitForSelector("[data-lesson].fine");
    // Behind it stands why.
    assert.match(
      await page.locator("[data-better]").textContent(),
      new RegExp(`In the game: \\S+\\?+!? .*Better:${better}.*The reply:${answer}`),
    );
    for (let n = 0; n < count; n++) await page.click("[data-action=learn-next]");
    await ended(1, 1, 0, count - 1);
    assert.equal(await page.locator("[data-action=learn-again]").count(), count - 1 > 0 ? 1 : 0);
    // Who leaves a task leaves the game as it was.
    await page.click("[data-tab=analyse]");
    await page.waitForFunction(whole => new URLSearchParams(location.hash.split("?")[1]).get("moves") === whole, whole);
    await page.waitForSelector(".panel.analysis [data-ply]");
    assert.deepEqual(await moves(page), before);
  },

  async "in a lesson nothing is drawn but the lesson's own, and where one piece can move its end is told"({ page }) {
    await go(page, "#/analyse/masters-15?moves=c3c4_d4c5_e3d4_c5xc3xe5_f3f4_e5f5_g3f3&tab=review");
    await page.click("[data-action=judge]");
    await page.click("[data-learn='1']:not(:disabled)");
    await page.waitForSelector(".movable", { state: "attached" });
    for (const point of ["d4", "c5"]) await page.locator(`main.table [data-point="${point}"]`).click({ force: true });
    await page.waitForSelector("[data-answer]", { state: "attached" });
    assert.equal(await page.locator("[data-arrow]").count(), 0);
    await page.click("[data-action=learn-hint]");
    const { hint } = await page.locator("[data-hint]").evaluate(({ dataset }) => ({ ...dataset }));
    assert.equal(await page.locator("[data-lesson]").textContent(), `It ends on ${hint.slice(-2)}.`);
  },

  async "the page that was asked for last is shown, and one that cannot be loaded says so"({ page }) {
    const [late] = await Promise.all([
      new Promise(done => page.route("**/truth.js", done, { times: 1 })),
      page.evaluate(() => void (location.hash = "#/truth/masters-15")),
    ]);
    await page.evaluate(() => void (location.hash = "#/own"));
    await page.waitForSelector("[data-verdict].fine");
    await Promise.all([page.waitForResponse("**/truth.js"), late.continue()]);
    await page.evaluate(() => import("/assets/truth.js"));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.view), "own");
    await page.waitForSelector("[data-verdict].fine");
    await page.route("**/watch.js", route =>
      route.fulfill({ contentType: "text/javascript", body: 'throw new Error("cannot be loaded")' }),
    );
    await page.evaluate(() => void (location.hash = "#/watch"));
    await page.waitForFunction(() => /cannot be loaded/.test(document.querySelector("main .wrong")?.textContent));
  },

  async "every address is answered by a page, and no name is a special one"({ page }) {
    const origin = new URL(page.url()).origin;
    for (const [hash, expected] of [
      ["#/constructor", "[data-game]"],
      ["#/__proto__", "[data-game]"],
      ["#/game/%E0%A4%A", "main .wrong"],
      ["#/play/constructor", "main .wrong"],
      ["#/play", "h1:has-text('Fox and Geese')"],
      ["#/analyse/", "h1:has-text('Fox and Geese')"],
      ["#/analyse/masters-15?tab=__proto__", "[role=tab][data-tab=analyse][aria-selected=true]"],
      ["#/play/masters-15?fen=garbage", "#undo:has-text('position')"],
      ["#/analyse/masters-15?moves=a4a5_zz", "#undo:has-text('zz')"],
    ]) {
      await page.goto("about:blank");
      await page.goto(`${origin}/${hash}`);
      await page.waitForSelector(expected);
    }
    const rules = { name: "odd", extends: "masters-15", geese_side: "constructor", fox_side: "__proto__" };
    await page.goto(`${origin}/#/own`);
    await page.fill("#ruleset-text", JSON.stringify(rules));
    await page.waitForFunction(() => /odd/.test(document.querySelector("[data-verdict].fine")?.textContent));
    const drawn = await page.evaluate(() =>
      [...document.querySelectorAll(".preview .piece")].map(each => each.querySelector(".letter").textContent),
    );
    assert.equal(drawn.join("").replace(/C+/, "C"), "PC");
    assert.equal(drawn.length, 16);
  },

  async "a browser that stores nothing has the page, too"({ page }) {
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("forbidden", "SecurityError");
        },
      }),
    );
    await page.reload();
    await page.waitForSelector("[data-game]");
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", "nl");
    await page.waitForSelector("html[lang=nl]");
    await start(page, "masters-15");
    await enter(page, (await turn(page, -1)).moves[0]);
    assert.equal((await turn(page, 1)).ply, 2);
  },

  async "no more memory is asked for than an engine may take"({ page }) {
    await go(page, "#/analyse/masters-15");
    await page.waitForSelector("[data-line] [data-pv]");
    const offered = await page.evaluate(() =>
      [...document.querySelectorAll("option")].map(each => each.textContent).filter(text => text.endsWith(" MiB")),
    );
    assert.deepEqual(offered, ["16 MiB", "64 MiB"]);
  },
};

await each(slips, server, browser);
