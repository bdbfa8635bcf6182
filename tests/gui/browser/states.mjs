// Analysis with tables, review, set-up, own rulesets, a foreign engine, languages, resuming; axe-core looks at each state.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answers, program } from "../program.mjs";
import {
  browse,
  choose,
  each,
  enter,
  mouse,
  searchesOn,
  seen,
  selectFrom,
  serve,
  sound,
  start,
  turn,
} from "./page.mjs";

const tables = join(mkdtempSync(join(tmpdir(), "reynard-tables-")), "tables");
execFileSync(program, ["table", "build", "bell-13", "--geese", "6", "--dir", tables], { stdio: "ignore" });
execFileSync(program, ["table", "build", "fox-and-hounds", "--dir", tables], { stdio: "ignore" });
const foreign = new URL("../../engines/ugi_engine.py", import.meta.url).pathname;
const server = await serve("--tables", tables, "--engine", foreign, "--engine", program),
  browser = await browse();

const go = async (page, hash) => {
  await page.goto(`${new URL(page.url()).origin}/${hash}`);
  await page.waitForSelector("main.table [data-position]:not([data-position=''])");
};

const states = {
  async "the choice of games"({ page }) {
    assert.equal(await page.locator("[data-game]").count(), 92);
    await sound(page, "choose");
    await page.click("[data-game=siege]");
    await page.waitForSelector("[data-action=play]");
    assert.deepEqual(
      await page.evaluate(() => [...document.querySelectorAll("[data-win]")].map(({ dataset }) => dataset.win)),
      ["shut in", "fortress", "captured"],
    );
    const captions = await page.locator("[data-win] figcaption").allTextContents();
    assert.match(
      captions.join("; "),
      /^Won by attackers: officers cannot move any more; .*; Won by officers: fewer than \d+ \w+ are left$/,
    );
    await sound(page, "rules");
    // Numbers of variants have a noun, dice alone no strength, and paths no directions.
    const at = async (name, waited) => {
      await page.goto(`${new URL(page.url()).origin}/#/game/${name}`);
      await page.waitForFunction(text => document.querySelector("h1").textContent === text, waited);
      await page.waitForSelector("[data-action=play]");
    };
    await at("masters-13", "Fox and Geese, 13 geese");
    assert.equal(await page.textContent(".chips small"), "geese");
    assert.equal(await page.locator("[name=limit]").count(), 1);
    await at("kaooa", "Kaooa");
    assert.deepEqual(await page.locator(".diagrams:not(.wins)").count(), 0);
    await at("goose", "The Game of the Goose");
    assert.deepEqual(await page.locator("[name=limit], .chips small").count(), 0);
    // There nothing can be taken back before one has moved, whatever an engine has done.
    await start(page, "masters-15", { side: "1" });
    await page.waitForSelector("[data-ply='1']");
    await page.waitForFunction(() => document.querySelector(".movable"));
    assert.ok(await page.isDisabled("[data-action=take-back]"));
    // The only person sits below, whichever way the board lies.
    for (const name of ["as usual", "turned"]) {
      assert.deepEqual(await page.locator(".seat.near .who > :is(b, .quiet)").allTextContents(), ["fox", "you"], name);
      await page.click("[data-action=flip]");
    }
    // On the first page one click lets one play either side.
    for (const [action, side] of [
      ["Play the geese", "geese"],
      ["Play the fox", "fox"],
    ]) {
      await page.evaluate(() => (location.hash = "#/"));
      await page.click(`.invitation :text-is("${action}")`);
      await page.waitForFunction(side => document.querySelector(".seat.near b").textContent === side, side);
    }
  },

  async "on a phone a game can be begun at once, and what can be undone stands beside what is touched"({ page }) {
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.isVisible(".card > a > span"), "cards say what their games are");
    await page.goto(`${new URL(page.url()).origin}/#/game/bagha-chal`);
    // The button is on the screen, also when the form is drawn anew.
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("[data-action=play]").getBoundingClientRect();
      return top > 0 && bottom > top && bottom <= 844;
    });
    // A wide board stands upright there, so that its points can be touched.
    await go(page, "#/play/aadu-puli-attam");
    const ratio = () =>
        page
          .locator("main.table svg[data-style]")
          .evaluate(({ viewBox: { baseVal } }) => baseVal.width / baseVal.height),
      sizes = await page.locator(".hit").evaluateAll(all => all.map(hit => hit.getBoundingClientRect().width));
    assert.ok(sizes.length === 23 && sizes.every(size => size >= 28), `${sizes}`);
    assert.ok((await ratio()) < 1);
    await page.setViewportSize({ width: 844, height: 390 });
    await page.waitForFunction(() => document.querySelector("main.table svg[data-style]").viewBox.baseVal.width > 700);
    for (const [width, high] of [
      [390, 844],
      [1440, 900],
    ]) {
      await page.setViewportSize({ width, height: high });
      await start(page, "masters-15", { against: "people" });
      await enter(page, (await turn(page, -1)).moves[0]);
      await choose(page, "new-game");
      await page.waitForSelector("#undo:not([hidden])");
      const hidden = await page.evaluate(() => {
        const bar = document.querySelector("#undo").getBoundingClientRect(),
          buttons = [...document.querySelectorAll(".panel > .actions button, .now button")];
        return buttons.filter(button => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return left < bar.right && right > bar.left && top < bar.bottom && bottom > bar.top;
        }).length;
      });
      assert.equal(hidden, 0, `${width}`);
    }
  },

  async "one click on the first board and one plays, and may go on with it later"({ page }) {
    await page.click(".hero");
    await page.waitForSelector("main.table .layer-legal [data-move]", { state: "attached" });
    const { status, moves } = await seen(page);
    assert.match(status, /geese/i);
    await page.waitForFunction(() => document.querySelector("[name=limit]")?.selectedOptions[0].textContent === "Easy");
    await enter(page, moves[0]);
    await turn(page, 1);
    const id = await page.evaluate(() => new URLSearchParams(location.hash.split("?")[1]).get("id"));
    await page.click(".brand");
    await page.click(`[data-recent="${id}"]`);
    await page.waitForSelector("main.table .layer-legal [data-move]", { state: "attached" });
    assert.ok((await seen(page)).ply >= 2);
  },

  async "variants of one game share a card, and games stand by kind or region"({ page }) {
    const card = page.locator(".card", { has: page.locator("[data-game=bell-13]") });
    assert.deepEqual(await card.locator("[data-game]").evaluateAll(all => all.map(({ dataset }) => dataset.game)), [
      "bell-13",
      "bell-15",
      "bell-17",
    ]);
    assert.match(await card.locator(".marks").textContent(), /15 min.*medium.*won for the geese/);
    assert.doesNotMatch(await page.locator("main").textContent(), /\w+-\d\d/, "no internal names");
    await page.fill(".shelf [type=search]", "zzzz");
    assert.match(await page.locator(".shelf [role=status]").textContent(), /“zzzz”/);
    await page.fill(".shelf [type=search]", "");
    assert.equal(await page.locator(".shelf [role=status]").textContent(), "");
    // A group shows a few cards, and all of them when it is asked to.
    const foxes = page.locator(".shelf section").first(),
      cards = foxes.locator(".card:visible");
    assert.equal(await cards.count(), 4);
    await foxes.locator(".more").click();
    assert.ok((await cards.count()) > 10);
    assert.equal(await foxes.locator(".more:visible").count(), 0);
    // They are found by what plays there, by where they come from, and in spite of a slip.
    const found = async (words, ...names) => {
      await page.fill(".shelf [type=search]", words);
      for (const name of names)
        assert.ok(await page.locator(`.card:visible [data-game=${name}]`).count(), `${words} ${name}`);
    };
    await found("goose", "masters-15", "goose");
    await found("tiger", "bagha-chal", "len-choa");
    await found("INDIA", "kaooa");
    await found("yaguarete", "yaguarete-kora");
    for (const slip of ["halatfl", "halataffl", "halatzfl"]) await found(slip, "halatafl");
    await found("jaguar dogs", "adugo");
    // What is found is in sight, also on a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => window.scrollTo(0, 0));
    await found("jaguar dogs");
    const { y } = await page.locator(".card:visible").first().boundingBox();
    assert.ok(y > 0 && y < 600, `${y}`);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.fill(".shelf [type=search]", "");
    await page.click("[data-action=by-region]");
    // What is chosen can be read under the pointer, which a new frame finds there.
    await page.hover("[data-action=by-region]");
    await page.waitForFunction(() => document.querySelector("[data-action=by-region]").matches(":hover"));
    const [ink, ground] = await page.locator("[data-action=by-region]").evaluate(chip => {
      const { color, backgroundColor } = getComputedStyle(chip);
      return [color, backgroundColor].map(text => +/\d+/.exec(text)[0]);
    });
    assert.ok(Math.abs(ink - ground) > 120, `${ink} ${ground}`);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.action), "by-region");
    const asia = page.locator(".shelf section", { has: page.locator("h3", { hasText: "Asia" }) });
    assert.equal(await asia.locator("[data-game=bagha-chal]").count(), 1);
    assert.equal(await page.locator("[data-game]").count(), 92);
  },

  async "boards and pieces have themes, which are kept"({ page }) {
    const looks = () =>
      page.evaluate(() => {
        const [board, disc] = [".hero .board", ".hero .disc"].map(one => getComputedStyle(document.querySelector(one)));
        return `${board.backgroundColor} ${disc.display}`;
      });
    const found = [await looks()];
    await page.click("[data-action=look]");
    for (const [name, value] of Object.entries({ board: "slate", pieces: "figures" })) {
      await page.selectOption(`[name=${name}]`, value);
      found.push(await looks());
    }
    assert.equal(new Set(found).size, 3, found);
    await sound(page, "looks");
    await page.reload();
    await page.waitForSelector(".hero");
    assert.equal(await looks(), found[2]);
  },

  async "every colour agrees with the tables"({ page }) {
    const fen = "3/3/7/3F3/GG3GG/GGG/3 g",
      [table] = (
        await answers([
          `setoption name UCI_Variant value bell-13`,
          `setoption name TablePath value ${tables}`,
          `position fen ${fen.replace("GG3GG/GGG/3", "GG3GG/1GG/3")}`,
          "query table",
        ])
      ).map(JSON.parse);
    await go(page, `#/analyse/bell-13?${new URLSearchParams({ fen: fen.replace("GG3GG/GGG/3", "GG3GG/1GG/3") })}`);
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    const { moves } = await seen(page),
      share = { win: "1.000", draw: "0.500", loss: "0.000" };
    assert.deepEqual(
      new Map(moves.map(({ move, value, plies }) => [move, `${value} ${plies}`]).sort()),
      new Map(
        table.moves
          .map(({ move, value, plies }) => [move, `${share[value]} ${value === "draw" ? undefined : plies}`])
          .sort(),
      ),
    );
    // A proof stands above what the engine says, and in its place.
    const worth = { win: "Proved win", draw: "Proved draw", loss: "Proved loss" }[table.value];
    await page.waitForFunction(worth => document.querySelector(".search header b")?.textContent === worth, worth);
    assert.match(await page.locator("[data-proved]").textContent(), /^Proved by tables: with best play /);
    assert.match(await page.locator("[data-line] b").first().textContent(), /^(win|draw|loss) (#\d+)?$/);
    await sound(page, "analysis");
  },

  async "what only one can play, dice and placements are said in their own words"({ page }) {
    await go(page, "#/analyse/solitaire");
    await page.waitForFunction(() =>
      /^A solution in \d+ moves$/.test(document.querySelector(".search b")?.textContent),
    );
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    assert.equal(await page.locator("[data-mate]").count(), 0, "a solution that was found need not be the shortest");
    await go(page, "#/analyse/goose");
    await page.waitForFunction(() => document.querySelectorAll("[data-choice] small + small").length === 21);
    const throws = await page
        .locator("[data-choice]")
        .evaluateAll(all =>
          all.map(each => [...each.querySelectorAll("small")].map(small => parseInt(small.textContent))),
        ),
      [mine] = await page.locator(".searches td").allTextContents();
    assert.equal(
      throws.reduce((sum, [odds]) => sum + odds, 0),
      36,
    );
    const mean = throws.reduce((sum, [odds, share]) => sum + (odds * share) / 36, 0);
    assert.ok(Math.abs(mean - parseFloat(mine)) < 0.6, `${mean} ${mine}: the throws together are worth the position`);
    await go(page, "#/analyse/siege");
    await page.waitForFunction(() => {
      // The best one is larger.
      const sizes = [...document.querySelectorAll(".reach.hand:is(.guess, .exact)")].map(
        each => getComputedStyle(each).r,
      );
      return sizes.includes("11px") && sizes.every(size => /^1[14]px$/.test(size));
    });
  },

  async "moves to choose from stand in whole rows, and a proof stands in place of what an engine thinks"({ page }) {
    const cut = () =>
        page.evaluate(() => {
          const { bottom, height } = document.querySelector(".legal-moves").getBoundingClientRect(),
            all = [...document.querySelectorAll("[data-choice]")].map(each => each.getBoundingClientRect());
          return { height, cut: all.filter(each => each.top < bottom - 1 && each.bottom > bottom + 1).length };
        }),
      chosen = async hash => {
        await go(page, hash);
        await page.waitForFunction(() => document.querySelectorAll("[data-choice] small").length > 3);
        return cut();
      };
    const fresh = await chosen("#/analyse/bagha-chal"),
      begun = await chosen("#/analyse/bagha-chal?moves=@c1");
    // Lines, moves and arrows have one scale; the score of the engine is a figure beside its depth.
    assert.match(await page.locator(".search header b").textContent(), /^\d+\s%$/);
    assert.match(await page.locator(".search header span").textContent(), /^[+−]\d+\.\d\d · depth \d/);
    assert.deepEqual([fresh.cut, begun.cut], [0, 0]);
    assert.ok(fresh.height > 130 && fresh.height === begun.height, JSON.stringify([fresh, begun]));
    // Where there is nothing to delete or to make the main line, nothing offers it.
    await go(page, "#/analyse/bagha-chal");
    await page.waitForSelector("[data-action=delete-from-here]:disabled");
    // Where a piece is put there is no arrow: the moves of the lines stand out among the others.
    await page.waitForFunction(() => {
      const radii = [...document.querySelectorAll(".reach.guess")].map(each => getComputedStyle(each).r);
      return radii.includes("14px") && radii.includes("11px");
    });
    await go(page, "#/analyse/bell-13");
    await page.waitForFunction(() => document.querySelector(".search header b")?.textContent === "Proved loss");
    assert.match(await page.locator(".search header span").textContent(), /^Depth/i);
  },

  async "a search colours what no table knows, hatched, and can be hidden"({ page }) {
    await go(page, "#/analyse/masters-15");
    await page.waitForSelector("[data-move][data-exact=false]", { state: "attached" });
    await page.waitForSelector("[data-line] [data-pv]");
    await page.click(".switches summary");
    await page.locator("[data-switch=double]").check();
    await page.waitForFunction(
      () =>
        document.querySelectorAll("[data-searcher]").length === 2 &&
        [...document.querySelectorAll("[data-searcher] header")].every(({ dataset }) => +dataset.nodes > 0) &&
        document.querySelectorAll("[data-searcher] [data-line]").length === 6,
    );
    await sound(page, "compare");
    await page.locator("[data-line] [data-pv]").first().click();
    assert.equal((await turn(page, 0)).ply, 1);
    await page.waitForSelector("[data-move][data-value]", { state: "attached" });
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Space");
    assert.equal((await turn(page, 1)).ply, 2, "space plays the best move");
    await page.locator("[data-switch=hidden]").check();
    assert.equal(await page.locator("[data-value]").count(), 0);
    assert.ok(
      !(await page.locator(".searches").isVisible()) &&
        !(await page.locator(".graph").isVisible()) &&
        !(await page.locator(".evalbar").isVisible()),
    );
    await page.locator("[data-switch=hidden]").uncheck();
    await page.locator("[data-switch=double]").uncheck();
    await page.emulateMedia({ colorScheme: "dark" });
    await sound(page, "analysis-dark");
    await page.emulateMedia({ colorScheme: "light" });
  },

  async "lines are arrows with their share, previewed under the pointer, gone to by a click; a search stops"({ page }) {
    await go(page, "#/analyse/masters-15");
    await page.waitForSelector("[data-line='3'] [data-pv]");
    const { position } = await seen(page),
      line = () => page.locator("[data-line='1'] [data-pv]").evaluateAll(all => all.map(each => each.dataset.pv));
    // What is known of the start is said, and a line that is too long ends behind a move.
    assert.match(
      await page.locator("[data-proved]").textContent(),
      /^Solved: .* won for the geese\. How many per cent a move is behind /,
    );
    assert.equal(await page.locator(".search header b").textContent(), "Proved win");
    assert.match(await page.locator(".search header span").textContent(), /^depth \d/);
    // Beside a proof no line has a chance: it is the best, or so much behind it.
    for (const worth of await page.locator("[data-line] b").allTextContents())
      assert.match(worth, /^(best|−\d+|win .*) ?$/);
    assert.equal(await page.locator(".evalbar").getAttribute("data-share"), "1.000");
    // It turns with the board, by whatever that is turned.
    for (const [turn, end] of [
      [() => page.keyboard.press("f"), "top"],
      [() => page.click(".analysis [data-action=flip]"), "bottom"],
    ]) {
      await turn();
      await page.waitForFunction(end => {
        const bar = document.querySelector(".evalbar i");
        return (parseFloat(getComputedStyle(bar).transformOrigin.split(" ")[1]) === 0) === (end === "top");
      }, end);
    }
    await page.waitForFunction(() =>
      [...document.querySelectorAll("[data-line]")].some(line => line.scrollWidth > line.clientWidth),
    );
    // Asked again until it holds: the page still grows, and moves the lines.
    await page.waitForFunction(() =>
      [...document.querySelectorAll("[data-line]")].every(line => {
        line.scrollIntoView({ block: "nearest" });
        const { right, top, height } = line.getBoundingClientRect();
        return document.elementsFromPoint(right - 2, top + height / 2)[0]?.localName === "li";
      }),
    );
    // Each has its value, also where several meet.
    await page.waitForFunction(() => {
      const lines = [...document.querySelectorAll("[data-line] [data-pv]:first-of-type")],
        best = [...document.querySelectorAll("[data-best]")];
      return (
        lines.length === 3 && lines.every(({ dataset: { pv } }) => best.some(({ dataset }) => dataset.best === pv))
      );
    });
    assert.match(await page.locator("[data-best]").first().textContent(), /^(best|−\d+)$/);
    // No value stands on another one or on a piece.
    const boxes = async selector =>
      await page
        .locator(`main.table ${selector}`)
        .evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON()));
    const values = await boxes(".percent-plate");
    for (const value of values)
      for (const other of [...values, ...(await boxes(".layer-pieces .disc"))])
        assert.ok(
          other === value ||
            Math.max(value.left, other.left) >= Math.min(value.right, other.right) ||
            Math.max(value.top, other.top) >= Math.min(value.bottom, other.bottom),
          JSON.stringify([value, other]),
        );
    await page.hover("[data-line='1'] [data-pv] >> nth=1");
    await page.waitForSelector("svg.previewed");
    const [first, second] = await line(),
      [behind] = await answers([`position startpos moves ${first} ${second}`, "query fen"]);
    await page.waitForFunction(
      behind => document.querySelector("main.table [data-position]").dataset.position === behind,
      behind,
    );
    await page.hover("main.table .status");
    await page.waitForFunction(
      position => document.querySelector("main.table [data-position]:not(.previewed)")?.dataset.position === position,
      position,
    );
    await page.click(".switches summary");
    await page.selectOption(".switches [name=limit]", "nodes 100000");
    await page.waitForFunction(() => document.querySelector("[data-action=search]").textContent === "Search again");
    await page.selectOption(".switches [name=limit]", "infinite");
    await page.waitForFunction(() => document.querySelector("[data-action=search]").textContent === "Stop");
    await page.waitForSelector("[data-line] [data-pv]");
    await page.click("[data-action=search]");
    await page.waitForFunction(() => document.querySelector("[data-action=search]").textContent === "Search again");
    // A move has one value, in its line and in the list.
    await page.waitForFunction(() =>
      [...document.querySelectorAll("[data-line]")].every(line => {
        const { pv } = line.querySelector("[data-pv]").dataset,
          chip = document.querySelector(`[data-choice='${pv}'] small`);
        return line.querySelector("b").textContent.trim() === chip.textContent.split(" −")[0].trim();
      }),
    );
    assert.ok((await page.locator("[data-line] [data-pv]").count()) > 0, "what was found stays");
    await page.click("[data-line='1'] [data-pv] >> nth=1");
    await page.waitForSelector("[data-ply='2'][aria-current]");
  },

  async "moves that lose are one chip until they are asked for, and nothing is called a thought that is proved"({
    page,
  }) {
    await go(page, "#/analyse/fox-and-hounds?fen=4/2F1/4/4/1GG1/4/4/1G1G%20g");
    const chips = page.locator("[data-choice]"),
      fold = page.locator("[data-fold]");
    await fold.waitFor();
    const { moves } = await seen(page),
      lost = moves.filter(({ value, exact }) => value === "0.000" && exact === "true").length;
    assert.ok(lost > 3, `${lost}`);
    assert.equal(await fold.textContent(), `${lost} more lose`);
    assert.equal(await chips.count(), moves.length - lost);
    await fold.click();
    await page.waitForFunction(n => document.querySelectorAll("[data-choice]").length === n, moves.length);
    assert.equal(await fold.count(), 0);
    await go(page, "#/analyse/goose-team");
    await page.waitForFunction(() => document.querySelectorAll("[data-choice]").length === 21);
    await page.waitForFunction(() => /how likely it is\.$/.test(document.querySelector("[data-legend]").textContent));
    // The signs of its moves are explained, those of placements where there are any.
    await go(page, "#/analyse/bagha-chal");
    await page.waitForFunction(() =>
      /^best: .* \+ wins.* @c5: /.test(document.querySelector("[data-legend]").textContent),
    );
    await go(page, "#/analyse/hare-and-hounds");
    await page.waitForFunction(() => /^Solved/.test(document.querySelector("[data-proved]").textContent));
    await page.waitForFunction(() => {
      const all = [...document.querySelectorAll("[data-choice]")];
      return all.length > 0 && all.every(chip => chip.classList.contains("exact"));
    });
    assert.doesNotMatch(await page.locator("[data-proved]").innerText(), /engine thinks/);
  },

  async "a small window shows the first moves of the game below the engine's"({ page }) {
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const moves of [
      "masters-15",
      "masters-15?moves=c3b4_d4c4_b4a5",
      "bagha-chal",
      "bagha-chal?moves=@c1_a1b1_@a3",
    ]) {
      await go(page, `#/analyse/${moves}`);
      await page.waitForFunction(() => document.querySelectorAll("[data-choice] small").length > 2);
      const { y } = await page.locator(".moves").boundingBox();
      assert.ok(y < 640, `${moves} ${y}`);
    }
  },

  async "a line stands still while the keyboard is in it, though the search goes on"({ page }) {
    await go(page, "#/analyse/masters-15");
    await page.waitForSelector("[data-line='3'] [data-pv]");
    await page.locator("[data-action=search]").focus();
    await page.keyboard.press("Tab");
    const [first] = await page.locator("[data-line='1'] [data-pv]").elementHandles();
    await searchesOn(page);
    assert.ok(await first.evaluate(each => each === document.activeElement), "the first move has the focus");
    await page.waitForSelector("svg.previewed");
    await page.keyboard.press("Tab");
    await searchesOn(page);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-ply='2'][aria-current]");
    await page.waitForFunction(() => document.activeElement.closest("[data-line]"));
    await page.locator("[data-action=search]").focus();
    await page.waitForSelector("main.table [data-position]:not(.previewed)");
    const choice = () => page.evaluate(() => document.activeElement.dataset.choice);
    await page.locator("[data-choice]").first().press("Tab");
    const chosen = await choice();
    await searchesOn(page);
    assert.equal(await choice(), chosen);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[data-ply='3'][aria-current]");
    await page.waitForFunction(() => document.activeElement.dataset.choice);
  },

  async "arrows and circles are drawn with the right button or a finger, and stay with their position"({ page }) {
    await go(page, "#/analyse/masters-15?moves=a3b4");
    await page.waitForSelector(".layer-legal [data-move]", { state: "attached" });
    const drag = async (from, to, { button = "right", keys = [] } = {}) => {
      const middle = async point => {
        const box = await page.locator(`main.table [data-point="${point}"]`).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      for (const key of keys) await page.keyboard.down(key);
      await page.mouse.move(...(await middle(from)));
      await page.mouse.down({ button });
      await page.mouse.move(...(await middle(to)), { steps: 4 });
      await page.mouse.up({ button });
      for (const key of keys) await page.keyboard.up(key);
    };
    const drawn = () =>
      page.evaluate(() => [...document.querySelectorAll("[data-drawn]")].map(({ dataset }) => dataset.drawn));
    await drag("d4", "d6");
    await drag("c3", "c3", { keys: ["Shift"] });
    await drag("e5", "g5", { keys: ["Alt"] });
    const all = ["green d4 d6", "red c3", "blue e5 g5"];
    assert.deepEqual(await drawn(), all);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("[data-step=back]:disabled");
    assert.deepEqual(await drawn(), []);
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector("[data-step=back]:not(:disabled)");
    assert.deepEqual(await drawn(), all);
    await drag("d4", "d6");
    assert.deepEqual(await drawn(), all.slice(1), "the same again takes it off");
    await page.locator("[data-switch=draw]").check();
    await drag("d4", "e4", { button: "left" });
    assert.deepEqual(await drawn(), [...all.slice(1), "green d4 e4"]);
    assert.equal(await page.locator("[data-ply]").count(), 1, "and nothing is played");
    await page.locator("[data-switch=draw]").uncheck();
    await page.locator('main.table [data-point="d7"]').click({ force: true });
    assert.deepEqual(await drawn(), [], "a click clears the board");
  },

  async "variations, comments and the address"({ page }) {
    await go(page, "#/analyse/masters-15?moves=a3b4_d4e5_c3c4");
    const isEnterable = () => document.querySelectorAll(".layer-legal [data-move]").length > 0;
    await page.waitForFunction(isEnterable);
    const left = await page.evaluate(() => {
      document.querySelector("[data-ply='1']").click();
      return document.querySelectorAll(".layer-legal [data-move]").length;
    });
    assert.equal(left, 0, "nothing can be entered in the position that was left");
    await page.waitForFunction(isEnterable);
    const fox = (await seen(page)).moves.find(({ move }) => move !== "d4e5");
    await enter(page, fox);
    await page.waitForSelector(".variation");
    assert.match(page.url(), new RegExp(`moves=a3b4_${fox.move}`));
    await page.fill("textarea[placeholder=Comment]", "a try");
    await page.locator("textarea[placeholder=Comment]").blur();
    assert.equal(await page.locator(".variation q").textContent(), "a try");
    const { position } = await seen(page);
    await page.reload();
    await page.waitForSelector(".variation");
    assert.equal((await seen(page)).position, position, "the browser and the address keep the game");
  },

  async "a set-up says what is wrong and is used when it is right"({ page }) {
    await go(page, "#/analyse/masters-15");
    await page.waitForFunction(() => /^Solved/.test(document.querySelector("[data-proved]").textContent));
    await page.click("[data-part=setup] summary");
    await page.waitForSelector(".palette [data-letter=F][aria-label=fox] .piece.fox");
    assert.deepEqual(
      await page.evaluate(() => [
        /Solved|know/.test(document.querySelector("main").innerText),
        document.querySelectorAll(".status, .layer-legal [data-move]").length,
        getComputedStyle(document.querySelector(".under")).display,
      ]),
      [false, 1, "none"],
    );
    await page.click("[data-action=clear]");
    await page.waitForFunction(
      () => document.querySelector("[data-verdict].wrong").textContent === "There must be one fox.",
    );
    await page.fill("#position-text", "3/3/7/7/7/GGG/GGF x");
    await page.waitForSelector("[data-verdict].wrong");
    await page.fill("#position-text", "3/3/7/3F3/7/GGG/GG1 g");
    await page.waitForSelector("[data-verdict].fine");
    await page.click("[data-letter=G]");
    await page.locator('main.table [data-point="e1"]').click({ force: true });
    await page.waitForFunction(() => document.querySelector("#position-text").value === "3/3/7/3F3/7/GGG/GGG g");
    await page.click("[data-action=use]");
    await page.waitForFunction(
      () => document.querySelector("main.table [data-position]").dataset.position === "3/3/7/3F3/7/GGG/GGG g",
    );
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("fen=3/3/7/3F3/7/GGG/GGG"));
  },

  async "a review judges every move"({ page }) {
    // Where nothing is judged no mistake is to be gone to.
    await go(page, "#/analyse/masters-15?moves=b3b4&tab=review");
    await page.waitForSelector("[data-action=next-mistake]:disabled");
    // A main button can be read also while it waits.
    const worn = await page.locator("[data-action=judge]").evaluate(judge => {
      judge.disabled = true;
      const { backgroundColor, color, opacity } = getComputedStyle(judge),
        [ground, ink] = [backgroundColor, color].map(text => text.match(/\d+/g).map(Number));
      return { opacity, contrast: Math.min(...ink.map((part, n) => Math.abs(part - ground[n]))) };
    });
    assert.ok(worn.opacity === "1" && worn.contrast > 100, JSON.stringify(worn));
    await go(page, "#/analyse/masters-15?moves=b3b4_d4c4_b4b5_c4c5_e3d4_c5xe3_c3c4_e3xc3xc5xa5");
    await page.click("[data-tab=review]");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    const [geese] = await page.locator("[data-good]").allTextContents();
    assert.match(geese, /^\d\d\s%$/);
    await page.click("[data-action=next-mistake]");
    assert.ok((await page.locator(".moves .mark").count()) > 0, "giving geese away is a mistake");
    // What decided the game stands above: the last mistake that made of a win a draw or a loss, or of a draw a loss.
    const turning = page.locator("[data-turning] button").first();
    assert.match(
      await turning.textContent(),
      /^Last turning point: .*: the \w+ ((6[1-9]|[7-9]\d|100)\s% → ([0-5]?\d|60)\s%|[45]\d\s% → [1-3]?\d\s%)$/,
    );
    // Every way to a mistake ends before it: both moves are arrows there.
    const mistake = await page
        .locator(".moves .move:has(.mark)")
        .first()
        .evaluate(({ dataset }) => +dataset.ply),
      ways = [
        () => turning.click(),
        () => page.click("[data-action=next-mistake]"),
        async () => {
          const { x, y, height } = await page.locator(".graph .slip").first().boundingBox();
          await page.mouse.click(x, y + height / 2);
        },
      ];
    for (const way of ways) {
      await page.keyboard.press("Home");
      await page.waitForFunction(
        () =>
          !document.querySelector(".moves [aria-current]") &&
          document.querySelector("[data-better]").textContent === "",
      );
      await way();
      await page.waitForSelector(`[data-ply='${mistake - 1}'][aria-current]`);
      await page.waitForSelector("[data-marked].blunder", { state: "attached" });
      await page.waitForSelector("[data-arrow]", { state: "attached" });
    }
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(`[data-ply='${mistake}'][aria-current]`);
    // The answer to it is an arrow and the first of a line, whose moves are looked at and gone to.
    const answers = page.locator("[data-better] p").last().locator("[data-pv]"),
      answer = await answers.first().getAttribute("data-pv");
    await page.waitForSelector(`.layer-legal.valued [data-move="${answer}"][data-value]`, { state: "attached" });
    await answers.nth(1).hover();
    await page.waitForSelector("svg.previewed");
    await page.hover("main.table .status");
    await page.waitForSelector("main.table [data-position]:not(.previewed)");
    await sound(page, "review");
    const ply = +(await page.locator(".moves [aria-current]").getAttribute("data-ply"));
    await answers.nth(1).click();
    await page.waitForSelector(`[data-ply='${ply + 2}'][aria-current]`);
  },

  async "a review takes tables at their word, and colours moves by them"({ page }) {
    await go(page, "#/analyse/fox-and-hounds?moves=d8c7_c1b2&tab=review");
    await page.waitForSelector(".layer-legal.valued [data-exact=true]", { state: "attached" });
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.equal(
      await page.locator("[data-turning]").textContent(),
      "Last turning point: 1...\u00a0c1b2??: the hounds win → loss",
    );
    await page.click("[data-turning] button");
    await page.waitForSelector("[data-better] [data-pv]");
    const [played, said, better, reply] = await page.locator("[data-better] p").allTextContents();
    // In short what was played, then the choice with the answer to it.
    assert.equal(played, "Just played: d8c7: still a loss for the fox, as is proved.");
    assert.equal(said, "Now comes: c1b2?? Blunder: for the hounds a win becomes a loss, as is proved.");
    assert.match(better, /^Better:[a-h]\d/);
    // Why: what the answer leads to.
    assert.match(reply, /^The reply:c7d6.*In \d+ moves: the fox has broken through to the first row\.$/);
    const rows = await page.locator(".scores tbody tr").allTextContents();
    assert.deepEqual(rows.map(text => text.slice(0, 14)).sort(), ["foxlost with b", "hounds0\u00a0%100Le"]);
    await sound(page, "review-tables");
    // Where the answer to a mistake was missed, too, it is said once: as what was better.
    await go(page, "#/analyse/fox-and-hounds?moves=d8c7_c1b2_c7b8&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForFunction(() => document.querySelectorAll(".moves .mark").length === 2);
    await page.click("[data-ply='2']");
    await page.waitForFunction(() =>
      /^Just played: c1b2\?\? Blunder: for the hounds a win becomes a loss, as is proved\.Now comes: c7b8\?\? Blunder: for the fox a win .*Better:c7d6/.test(
        document.querySelector("[data-better]").textContent,
      ),
    );
  },

  async "a review says what each move was worth, also where pieces are lost for nothing"({ page }) {
    await go(page, "#/analyse/bell-13?fen=3/3/4F2/4GG1/G6/GG1/G2%20g&moves=c2c3_e5xe3xg5&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.equal(await page.locator(".moves .mark").count(), 0);
    assert.match(
      await page.locator("[data-summary]").textContent(),
      /From move 1 to the end a draw, as is proved: nobody gave it away\.$/,
    );
    await page.click("[data-ply='1']");
    await page.waitForFunction(
      () =>
        document.querySelector("[data-better]").textContent ===
        "Just played: c2c3: still a draw for the geese, as is proved.Next: The fox takes two geese.",
    );
    // A move that alone keeps a win; and a game that only a search judges.
    await go(page, "#/analyse/fox-and-hounds?moves=d8c7_e1d2_c7b6_d2c3_b6c5_c1d2&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForFunction(
      () =>
        document.querySelector("[data-better]").textContent ===
        "Just played: c1d2: still a win for the hounds, as is proved. No other move held it.",
    );
    // That is a mark of its own.
    assert.equal(await page.locator(".moves [aria-current] .mark.fine").textContent(), "!");
    assert.match(await page.locator(".scores thead").textContent(), /^Accuracy!\?\?/);

    await go(page, "#/analyse/masters-15?moves=b3b4&tab=review");
    await page.click("[data-action=judge]");
    await page.waitForFunction(() =>
      /^Just played: b3b4: the chances of the geese stay at \d+\s%\.$/.test(
        document.querySelector("[data-better]").textContent,
      ),
    );
  },

  async "hint, takeback, flip, resignation, and a game that resumes"({ page, context, errors }) {
    await start(page, "masters-15");
    const { moves } = await turn(page, -1);
    await page.click("[data-action=hint]");
    await page.waitForSelector(".arrow", { state: "attached" });
    await enter(page, moves[0]);
    assert.equal((await turn(page, 1)).ply, 2);
    assert.equal(await page.locator(".arrow").count(), 0, "a hint is for one position");
    // What is entered while the server cannot be reached is there afterwards, and is answered.
    await context.setOffline(true);
    const [{ from, to }] = (await seen(page)).moves;
    for (const point of [from, to]) await mouse.point(page, point);
    await page.waitForSelector("#away:not([hidden])");
    await context.setOffline(false);
    await page.waitForSelector("#away", { state: "hidden" });
    assert.ok(errors.splice(0).every(text => text.includes("ERR_INTERNET_DISCONNECTED")));
    const { ply, position } = await turn(page, 3);
    assert.equal(ply, 4);
    await page.reload();
    await page.waitForSelector("main.table [data-position]:not([data-position=''])");
    assert.equal((await seen(page)).position, position);
    await page.click("[data-action=flip]");
    for (const left of [2, 0]) {
      await page.click("[data-action=take-back]");
      await page.waitForFunction(left => document.querySelectorAll("[data-ply]").length === left, left);
    }
    await page.click("[data-action=resign]");
    await page.click("[data-action=really-resign]");
    assert.match((await turn(page, -1)).status, /You resigned\. The fox wins\./);
    const [saved] = await Promise.all([page.waitForEvent("download"), choose(page, "save")]);
    assert.match(
      readFileSync(await saved.path(), "utf8"),
      /\[Variant "masters-15"\]\n\[Result "0-1"\]\n\[Reason "resignation"\]\n\n 0-1/,
    );
    await sound(page, "resigned");
  },

  async "a piece can be dragged"({ page }) {
    await start(page, "masters-15");
    const { moves } = await turn(page, -1),
      [{ from, to }] = moves,
      middle = async point => {
        const box = await page.locator(`main.table [data-point="${point}"]`).boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 8 });
    // The piece in the hand lies on all else, what has been put down under the targets again.
    const isAbove = () =>
      page.evaluate(() => {
        const [pieces, hints] = ["pieces", "hints"].map(name => document.querySelector(`main.table .layer-${name}`));
        return hints.compareDocumentPosition(pieces) === Node.DOCUMENT_POSITION_FOLLOWING;
      });
    await page.waitForSelector(".dragged:last-child");
    assert.equal(await isAbove(), true);
    await page.mouse.up();
    assert.ok((await turn(page, 0)).ply >= 1);
    assert.equal(await isAbove(), false);
  },

  async "solitaire: a hint, and whether it can be solved"({ page }) {
    await start(page, "solitaire");
    await turn(page, -1);
    await page.click("[data-action=solvable]");
    const says = text =>
      page.waitForFunction(text => document.querySelector("main.table .status").textContent.includes(text), text);
    await says("to the end: ");
    await says("Pegs left: 32");
    // The names of points stand beside the disc.
    const onDisc = await page.evaluate(() => {
      const { x, y, width } = document.querySelector("main.table .round.edge").getBoundingClientRect(),
        r = width / 2,
        names = [...document.querySelectorAll("main.table .names text")].map(name => [
          name,
          name.getBoundingClientRect(),
        ]),
        far = (a, b) => Math.hypot(a - x - r, b - y - r),
        near = ({ left, right, top, bottom }) => Math.min(far(right, (top + bottom) / 2), far((left + right) / 2, top));
      // A box is higher than its letter.
      return names.filter(([, box]) => near(box) < r - 2).map(([name]) => name.textContent);
    });
    assert.deepEqual(onDisc, []);
    await start(page, "solitaire-french");
    await turn(page, -1);
    await page.click("[data-action=solvable]");
    await says("cannot be reached");
  },

  async "an own ruleset with live errors"({ page }) {
    await page.goto(`${new URL(page.url()).origin}/#/own`);
    await page.waitForSelector("[data-verdict].fine");
    await page.fill("#ruleset-text", '{"name": "mine", "extends": "masters-15", "gees": 13}');
    await page.waitForSelector("[data-verdict].wrong");
    assert.match(await page.locator("[data-verdict]").textContent(), /gees/);
    await page.fill("#ruleset-text", '{"name": "mine", "title": "Mine", "extends": "masters-15", "geese": 13}');
    await page.waitForSelector("[data-verdict].fine");
    await sound(page, "own");
    await page.click("[data-action=play]");
    await page.waitForSelector("main.table [data-position]:not([data-position=''])");
    const now = await turn(page, -1);
    assert.equal(now.position, "3/3/7/3F3/GGGGGGG/GGG/GGG g");
    await enter(page, now.moves[0]);
    assert.ok((await turn(page, 1)).ply >= 2);
    // It plays by the weights of a relative until it has its own, and where it learns is a page of its own.
    await page.click("[data-tab=rules]");
    await page.click("[data-action=train-the-engine]");
    const [lesson] = await Promise.all([
      new Promise(done =>
        page.route(
          "**/api/learn",
          route => (route.fulfill({ json: { ok: true, run: "run-1" } }), done(route.request())),
        ),
      ),
      page.click("[data-action=start-run]"),
    ]);
    assert.deepEqual(Object.keys(lesson.postDataJSON()), ["posted"]);
    await page.waitForFunction(() =>
      /no run .run-1. here/.test(document.querySelector("main [role=status]")?.textContent),
    );
  },

  async "files by dialog and by drop"({ page }) {
    const drop = (name, text) =>
      page.evaluate(
        ([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: data }));
        },
        [name, text],
      );
    const games =
      '[White "A"]\n[Black "B"]\n[Variant "bell-13"]\n[FEN "3/3/7/3F3/GGGGGGG/GGG/GGG g"]\n\n1. c3c4 d4xb4 *\n\n[Variant "masters-15"]\n\n1. a4a5 *\n';
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("[data-action=open-file]")]);
    await chooser.setFiles({ name: "two.pgn", mimeType: "text/plain", buffer: Buffer.from(games) });
    await page.waitForSelector("[data-file-game='1']");
    await sound(page, "file");
    await page.click("[data-file-game='0']");
    await page.waitForSelector("[data-action=judge]");
    await page.waitForSelector("[data-ply='1']");
    assert.match(page.url(), /analyse\/bell-13\?.*tab=review/);
    await drop("one.txt", "a4a5 d4d5");
    await page.waitForFunction(
      () => [...document.querySelectorAll("[data-ply]")].map(each => each.textContent).join(" ") === "a4a5 d4d5",
    );
    await drop("mine.json", '{"name": "dropped", "extends": "masters-15", "geese": 13}');
    await page.waitForFunction(() => /dropped/.test(document.querySelector("[data-verdict].fine")?.textContent));
    await drop("again.json", '{"name": "twice", "extends": "masters-15"}');
    await page.waitForFunction(() => /twice/.test(document.querySelector("[data-verdict].fine")?.textContent));
    await page.click("[data-action=undo]");
    await page.waitForFunction(() => /dropped/.test(document.querySelector("[data-verdict].fine")?.textContent));
    await drop("nothing.txt", "[1]");
    await page.waitForFunction(() => /neither/.test(document.querySelector("main [role=status]")?.textContent));
  },

  async "dice are set up"({ page }) {
    await go(page, "#/analyse/goose-team");
    await page.click("[data-part=setup] summary");
    await page.selectOption("[name=dice]", "5+2");
    assert.equal(await page.inputValue("#position-text"), "p1=0,0,0,0 p2=0,0,0,0 dice=5+2");
    await page.fill("[name=key-turn]", "p2");
    await page.locator("[name=key-turn]").blur();
    await page.waitForSelector("[data-verdict].fine");
    await sound(page, "dice");
    await page.click("[data-action=use]");
    await page.waitForFunction(
      () =>
        document.querySelector("main.table [data-position]").dataset.position ===
        "p1=0,0,0,0 p2=0,0,0,0 turn=p2 dice=5+2",
    );
  },

  async "what is proved, by whom, and how one checks it, at once and without tables"({ page }) {
    const { origin } = new URL(page.url());
    await page.route("**/api/atlas/bell-15", () => {});
    await page.goto(`${origin}/#/truth/bell-15`);
    const atlas = page.locator("[data-atlas]");
    await page.waitForFunction(() => /each of the 18 points/.test(document.querySelector("[data-atlas]")?.textContent));
    assert.match(await page.locator(".atlas h2").textContent(), /Solved: with best play the geese win/);
    assert.equal(await page.locator("[data-truth]").count(), 0, "a map of one colour is a sentence");
    assert.deepEqual(await page.locator(".atlas .key span").allTextContents(), ["Won by the geese"]);
    assert.equal(await page.locator(".atlas .layer-pieces .piece").count(), 15);
    assert.match(await page.locator("[data-proof]").textContent(), /by this project/);
    assert.equal(await page.isVisible(".atlas pre"), false, "commands are for those who want them");
    await page.click("details:has(> pre) > summary");
    assert.ok(await page.isVisible(".atlas pre"));
    assert.equal(
      await page.locator(".atlas pre").textContent(),
      "reynard table build bell-15\nreynard table verify bell-15 --sample 100000",
    );
    const cards = await page.locator(".proved p").evaluateAll(all => all.map(p => p.scrollHeight - p.clientHeight));
    assert.ok(cards.length > 10 && cards.every(hidden => hidden <= 0), `${cards}: sentences are whole`);
    // The list below is searched as that of all games.
    await page.fill(".proved [type=search]", "nepal");
    assert.deepEqual(await page.locator(".proved .card:visible strong").allTextContents(), ["Bagha Chal"]);
    await page.evaluate(() => void (location.hash = "#/truth/nowhere"));
    await page.waitForFunction(() => /^Nothing is known of /.test(document.querySelector("main .wrong").textContent));
    // Every game is there, also one that nobody has looked into.
    await page.evaluate(() => void (location.hash = "#/truth/rimoe"));
    await page.waitForFunction(() => /Nobody has proved/.test(document.querySelector("[data-proof]")?.textContent));
    // One that no method solves says so in words.
    await page.evaluate(() => void (location.hash = "#/truth/juroku-musashi"));
    await page
      .locator(".atlas p", {
        hasText: /^This game has rules that no way of solving .* knows.*: no method solves `capture_by`/,
      })
      .waitFor();
    await page.evaluate(() => void (location.hash = "#/truth/goose"));
    await page.waitForFunction(() => /52/.test(document.querySelector(".atlas h2").textContent));
    assert.equal(await page.locator(".atlas pre").textContent(), "reynard goose stats --ruleset goose");
    // What was found by others is said, too, and what nobody knows.
    await page.evaluate(() => void (location.hash = "#/truth/bagha-chal"));
    await page.waitForFunction(() => /Nievergelt/.test(document.querySelector("[data-known]")?.textContent));
    assert.match(await page.locator("[data-proof]").textContent(), /by the rules alone\.$/, "then the commands");
    await page.evaluate(() => void (location.hash = "#/truth/siege"));
    await page.waitForFunction(() => document.querySelector(".atlas h2").textContent === "Not solved");
    assert.match(await atlas.textContent(), /Measured: of 24 games/);
    assert.match(
      (await page.locator("[data-proof], [data-known]").allTextContents()).join(" "),
      /^Nobody has proved who wins .* 2\.5 × 10¹² positions would ask this program for 269 GiB of memory/,
    );
  },

  async "tables are built from the page, with price and progress, and tell how long a win takes"({ page }) {
    const origin = new URL(page.url()).origin;
    await page.goto(`${origin}/#/truth/bell-13`);
    const offers = () => page.locator("[name=build] option").allTextContents();
    await page.waitForSelector("[data-action=build]");
    // Tables that are there can be looked into.
    await page.click("[data-ending='6']");
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    assert.equal(await page.locator("main.table .layer-pieces .piece").count(), 7);
    // It has something to teach: not every move is as good.
    const worths = await page.locator("[data-move]").evaluateAll(all => all.map(({ dataset }) => dataset.value));
    assert.ok(new Set(worths).size > 1, `${worths}`);
    await page.goBack();
    await page.waitForSelector("[data-action=build]");
    // Each number once. Six geese are there, without distances; this machine has memory and disk for all that are missing.
    const layers = Array.from({ length: 10 }, (_, index) => `${index + 4} geese`);
    assert.deepEqual(await offers(), layers);
    const price = page.locator("[data-price]"),
      ends = page.locator("[name=ends]"),
      costs = async n => (await page.selectOption("[name=build]", n), price.textContent()),
      isSoon = cost => /about ([1-9]|10) seconds?,/.test(cost);
    // The largest that takes some seconds is offered first.
    const ready = await page.inputValue("[name=build]");
    assert.ok(isSoon(await price.textContent()) || ready === "7", ready);
    assert.ok(!isSoon(await costs(`${+ready + 1}`)));
    assert.match(
      await costs("7"),
      /^This takes about \d+ \w+, and at most [\d,.]+ [KMG]iB of memory and [\d,.]+ [KMG]iB on disk\. .* exact up to 7 geese\.$/,
    );
    assert.notEqual(await costs("13"), await costs("7"), "the price of what is chosen");
    assert.equal(await ends.isChecked(), false);
    const usual = await price.textContent();
    await ends.check();
    assert.notEqual(await price.textContent(), usual, "distances have a price");
    await costs("6");
    assert.ok((await ends.isChecked()) && (await ends.isDisabled()), "nothing else is left to do");
    await costs("13");
    await ends.uncheck();
    // One that takes long is stopped; only what is complete stays.
    const files = readdirSync(tables);
    await page.click("[data-action=build]");
    await page.waitForFunction(() => /now [7-9]/.test(document.querySelector("[data-build]").textContent));
    await page.click("[data-action=stop]");
    await page.waitForFunction(() => /Stopped/.test(document.querySelector("[data-build]").textContent));
    await page.waitForSelector("[data-action=build]:not(:disabled)");
    assert.ok(!(await page.locator("[data-action=stop]").isVisible()));
    const left = readdirSync(tables);
    assert.deepEqual(
      files.filter(name => !left.includes(name)),
      [],
    );
    assert.ok(
      left.every(name => /^[^.]+\.(table|lock)$/.test(name)),
      `${left}`,
    );
    await page.evaluate(() => void (location.hash = "#/truth/fox-and-hounds"));
    await page.waitForFunction(() => /^1 hound$/.test(document.querySelector("[name=build] option")?.textContent));
    assert.ok(await page.isChecked("[name=ends]:disabled"), "distances are all that is missing");
    await page.selectOption("[name=build]", "4");
    await page.click("[data-action=build]");
    await page.waitForFunction(() =>
      /28 points .* plies to the end with best play: 44/.test(document.querySelector("[data-atlas]").textContent),
    );
    assert.equal(await page.locator("[data-truth]").count(), 0);
    const {
      set_ups: [known],
    } = JSON.parse(
      execFileSync(program, ["table", "atlas", "fox-and-hounds", "--metric", "end", "--dir", tables, "--json"], {
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    assert.equal(Object.keys(known.points).length, 28);
    for (const value of Object.values(known.points)) assert.deepEqual(value, { winner: "geese", plies: 44 });
    await page.waitForSelector("[data-longest] a");
    assert.equal(await page.locator("[data-longest] a").last().locator(".piece").count(), 5);
    assert.match(
      await page.locator("[data-longest] figcaption").last().textContent(),
      /^4 hounds, fox to move\. Won by the fox in \d+ plies \(#\d+\)$/,
    );
    await sound(page, "truth");
    await page.locator('[data-point="d8"]').click({ force: true });
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    assert.match((await seen(page)).position, /^1F2\/.* f$/);
    // The end of a build is told where its game is.
    const told = () =>
      new Promise(done => page.once("websocket", socket => socket.once("framereceived", () => setTimeout(done))));
    for (const [name, expected] of Object.entries({ "bagha-chal": "", "fox-and-hounds": "Built." })) {
      const known = told();
      await page.evaluate(name => void (location.hash = `#/truth/${name}`), name);
      await known;
      await page.waitForSelector("[data-tables]");
      assert.equal(await page.locator("[data-build]").textContent(), expected, name);
    }
  },

  async "distances to the end come with the tables that they need, and a way into them"({ page }) {
    await page.goto(`${new URL(page.url()).origin}/#/truth/catch-the-hare`);
    await page.waitForSelector("[data-action=build]");
    await page.selectOption("[name=build]", { index: 0 });
    await page.check("[name=ends]");
    await page.click("[data-action=build]");
    await page.click("[data-ending]");
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    assert.equal(await page.locator("[data-move][data-exact=false]").count(), 0);
  },

  async "tables of a game whose pieces begin in hand have a door, too"({ page }) {
    await page.goto(`${new URL(page.url()).origin}/#/truth/kaooa`);
    await page.click("[data-action=build]");
    assert.equal(await page.locator("[data-ending='7']").textContent(), "Look at a position with 7 crows");
    await page.click("[data-ending='7']");
    await page.waitForSelector("[data-move][data-exact=true]", { state: "attached" });
    assert.match(await page.locator("[data-proved]").textContent(), /^Proved by tables: .* won for the crows/);
  },

  async "a click on a start opens it with all its pieces, and with its proof"({ page }) {
    const { origin } = new URL(page.url());
    for (const [name, point, position] of [
      ["masters-15", "d7", "1F1/3/7/G5G/GGGGGGG/GGG/GGG g"],
      ["bell-13", "e7", "2F/3/7/7/GGGGGGG/GGG/GGG g first=1"],
      ["hat-diviyan-keliya", "d4", "F/3/3/3 g hand=7"],
    ]) {
      await page.goto(`${origin}/#/truth/${name}`);
      const start = page.locator(`.atlas [data-point="${point}"].live`);
      await page.waitForFunction(() =>
        /each of the \d+ points/.test(document.querySelector("[data-atlas]")?.textContent),
      );
      assert.ok((await page.locator(".atlas .layer-map circle").count()) > 8, "where one can click stands a dot");
      await start.hover({ force: true });
      assert.notEqual(await start.evaluate(hit => getComputedStyle(hit).stroke), "none");
      await start.click({ force: true });
      await page.waitForFunction(() => document.querySelector(".search header b")?.textContent);
      const found = await seen(page);
      assert.deepEqual([found.position, found.isOver], [position, false]);
      assert.match(await page.locator("[data-proved]").textContent(), /^Solved: .* this start is won for the /);
    }
    // Crows are put before the vulture is: it has no point yet.
    await page.goto(`${origin}/#/truth/kaooa`);
    await page.waitForSelector(".atlas [data-point]", { state: "attached" });
    assert.equal(await page.locator(".atlas .hit.live, .atlas .layer-map *").count(), 0);
  },

  async "where the starts of the fox differ they are a map"({ page }) {
    for (const metric of ["conversion", "end"])
      execFileSync(program, ["table", "build", "hare-and-hounds", "--metric", metric, "--dir", tables], {
        stdio: "ignore",
      });
    await page.goto(`${new URL(page.url()).origin}/#/truth/hare-and-hounds`);
    await page.waitForSelector("[data-truth][data-plies]", { state: "attached" });
    const points = await page.evaluate(() =>
      [...document.querySelectorAll("[data-truth]")].map(({ dataset: { truth, winner, plies } }) => [
        truth,
        { winner, plies: +plies },
      ]),
    );
    const {
      set_ups: [known],
    } = JSON.parse(
      execFileSync(program, ["table", "atlas", "hare-and-hounds", "--metric", "end", "--dir", tables, "--json"], {
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    assert.deepEqual(Object.fromEntries(points), known.points);
    assert.match(await page.locator("[data-atlas]").textContent(), /^The colour of a point says who wins/);
    assert.equal(await page.locator(".atlas .layer-pieces .piece").count(), 3, "the hare is nowhere yet");
    await sound(page, "truth-map");
    // The map stays when something else of the board is touched.
    const box = await page.locator(".atlas svg.board").boundingBox();
    await page.mouse.click(box.x + 4, box.y + 4);
    await page.mouse.move(box.x + 4, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, box.y + 40, { steps: 3 });
    await page.mouse.up();
    assert.equal(await page.locator("[data-truth]").count(), points.length);
  },

  async "pasted games, and a set-up that ends with its tab"({ page }) {
    await go(page, "#/analyse/masters-15");
    const isSetUp = () => page.evaluate(() => document.querySelector("main").hasAttribute("data-setup"));
    const paste = async (text, open = summary => summary.click()) => {
      await open(page.locator("[data-part=setup] summary"));
      await page.fill("#game-text", text);
      await page.click("[data-action=load-game]");
    };
    await paste("1. a4a5 d4d5 2. b3b4");
    await page.waitForSelector("[data-ply='3'][aria-current=step]");
    // Then the set-up closes, so that the game is seen.
    await page.waitForSelector("[data-part=setup]:not([open])");
    await paste("1. a3a4");
    const said = page.locator("[data-part=setup] [role=alert]"),
      tells = text => said.filter({ hasText: text }).waitFor();
    await tells(/a3a4.{1,40}$/);
    assert.equal(await isSetUp(), true);
    // Nothing of it can be played, and so the game before is still there; of another text what can be.
    assert.equal(await page.locator("[data-ply='3'][aria-current=step]").count(), 1);
    await page.fill("#game-text", "1. a4a5 d4d9");
    await page.click("[data-action=load-game]");
    await tells(/^Read up to .*d4d9/);
    await page.waitForSelector("[data-ply='1'][aria-current=step]", { state: "attached" });
    assert.match(await page.locator("#position-text").inputValue(), / f$/, "the text is of what is shown");
    await page.click("[data-tab=play]");
    assert.equal(await isSetUp(), false);
    // Moves that were drawn by lot are nobody's mistakes.
    await go(page, "#/analyse/masters-15");
    await paste("1. c3c4 {opening} d4xb4 {opening} 2. d3d4");
    await page.click("[data-tab=review]");
    await page.click("[data-action=judge]");
    await page.waitForSelector("[data-good]");
    assert.equal(await page.locator("[data-ply='1'] .mark").count(), 0);
    assert.match(await page.locator("[data-formula]").textContent(), /drawn by lot/);
    // The other side is handed over to the engine, which moves at once.
    await go(page, "#/analyse/masters-15");
    await page.click("[data-tab=play]");
    await page.selectOption("[name=player-0]", "0");
    await page.waitForSelector("[data-ply='1']");
    await page.click("[data-tab=analyse]");
    await paste('[Variant "bell-13"]\n\n1. @d4 a4a5', summary => summary.press("Enter"));
    await page.waitForFunction(() => /#\/analyse\/bell-13/.test(location.hash));
    await page.waitForSelector("[data-ply='2']");
  },

  async "a foreign engine sits at the board"({ page }) {
    await start(page, "masters-15", { against: "1" });
    const { moves } = await turn(page, -1);
    await enter(page, moves[0]);
    assert.equal((await turn(page, 1)).ply, 2);
    // It says which games it knows, also where it was wished for another; to one of them that begins elsewhere than it
    // thinks it answers nonsense.
    await page.evaluate(() => localStorage.setItem("wish two-foxes-24", '{"against":"1"}'));
    await page.goto(`${new URL(page.url()).origin}/#/game/two-foxes-24`);
    await page.waitForSelector("[name=against] option[value='2']", { state: "attached" });
    assert.equal(await page.locator("[name=against] option[value='1']").count(), 0);
    await go(page, `#/analyse/masters-15?fen=${encodeURIComponent("GGG/GGG/GGGGGGG/GG5/3F3/3/3 g")}`);
    await page.click("[data-tab=play]");
    for (const seat of [0, 1]) await page.selectOption(`[name=player-${seat}]`, "1");
    await page.waitForFunction(() => /has failed/.test(document.querySelector("main.table .status").textContent));
  },

  async "a game that only a foreign engine knows, with moves typed in"({ page }) {
    await page.click("[data-foreign=twenty-one]");
    const played = async () => (await page.locator(".typed [data-ply]").allTextContents()).join(" ");
    for (const [typed, all] of [
      ["3", "3 2"],
      ["1", "3 2 1 3"],
      ["1", "3 2 1 3 1 3"],
      ["1", "3 2 1 3 1 3 1 3"],
    ]) {
      await page.fill("[name=move]", typed);
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        all => [...document.querySelectorAll(".typed [data-ply]")].map(each => each.textContent).join(" ") === all,
        all,
      );
    }
    for (const wrong of ["zzz", "7"]) {
      await page.fill("[name=move]", wrong);
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        wrong => document.querySelector("main .status").textContent.includes(`${wrong} is no legal move`),
        wrong,
      );
      assert.equal(await played(), "3 2 1 3 1 3 1 3", "what is no move is not kept");
    }
    await sound(page, "typed");
    await page.reload();
    await page.waitForSelector("[data-ply='8']");
    assert.equal(await played(), "3 2 1 3 1 3 1 3", "the browser keeps the moves");
    await page.click("[data-action=new-game]");
    assert.equal(await played(), "");
    await page.click("[data-action=undo]");
    assert.equal(await played(), "3 2 1 3 1 3 1 3", "a new game can be taken back");
  },

  async "an engine that is lost has not lost its game"({ page }) {
    let isDeaf = true;
    await page.routeWebSocket(/engine=1/, socket => {
      const server = socket.connectToServer();
      socket.onMessage(line => (isDeaf && /^go\b/m.test(line) ? socket.close() : server.send(line)));
    });
    await page.click("[data-foreign=twenty-one]");
    await page.fill("[name=move]", "3");
    await page.keyboard.press("Enter");
    const said = text =>
      page.waitForFunction(text => document.querySelector("main .status").textContent.includes(text), text);
    await said("there is no answer");
    assert.equal(await page.locator("main .status.over").count(), 0);
    assert.equal(await page.locator(".typed [data-ply]").count(), 1, "the move stays");
    isDeaf = false;
    await page.click("[data-action=engine-moves]");
    await page.waitForSelector(".typed [data-ply='2']");
  },

  async "the keyboard stays where it is when a form is drawn anew"({ page }) {
    await page.goto(`${new URL(page.url()).origin}/#/game/masters-15`);
    await page.selectOption("[name=against]", "engines");
    const second = ".setup .pair >> nth=1 >> select";
    for (const index of [0, 1]) {
      const choice = page.locator(second).nth(index);
      await choice.locator("option[value='2'], option[value='level 0']").first().waitFor({ state: "attached" });
      await choice.focus();
      await choice.selectOption(["2", "level 0"][index]);
      assert.ok(
        await page
          .locator(second)
          .nth(index)
          .evaluate(each => each === document.activeElement),
      );
    }
    await page.locator("[name=clocks]").focus();
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => document.activeElement.name), "clocks");
  },

  async "levels of the engine, and clocks whose flag falls"({ page }) {
    const origin = new URL(page.url()).origin;
    // The time of the page, which goes on as fast as the test wants.
    await page.clock.install();
    await page.goto("about:blank");
    await page.goto(`${origin}/#/game/masters-15`);
    assert.equal(await page.inputValue("[name=limit]"), "level 4");
    await selectFrom(page, "limit", 0, "level 3");
    // As many as the engine has.
    await page.waitForFunction(() => document.querySelectorAll("[name=limit] option[value^=level]").length === 21);
    await page.locator("[name=clocks]").check();
    await page.fill("[name=minutes]", "5");
    await page.fill("[name=seconds]", "0");
    await page.locator("[name=seconds]").blur();
    await page.click("[data-action=play]");
    await page.waitForSelector("[data-clock]");
    const { moves } = await turn(page, -1),
      shown = seat => page.locator(`[data-clock="${seat}"]`).textContent();
    assert.deepEqual([await shown(0), await shown(1)], ["5:00", "5:00"]);
    await page.clock.fastForward(5000);
    assert.equal(await shown(0), "5:00", "nothing runs before the first move");
    await enter(page, moves[0]);
    await turn(page, 1);
    const kept = await shown(1);
    await page.clock.fastForward(2000);
    await page.waitForFunction(() => document.querySelector("[data-clock='0']").textContent < "4:59");
    assert.equal(await shown(1), kept, "the clock of who waits stands");
    await page.click("[data-action=take-back]");
    await page.waitForFunction(() => document.querySelectorAll("[data-ply]").length === 0);
    await enter(page, moves[0]);
    await turn(page, 1);
    await page.clock.fastForward(292000);
    await page.waitForFunction(() => document.querySelector("[data-clock='0']").classList.contains("low"));
    await sound(page, "clocks");
    await page.reload();
    await page.waitForSelector("[data-clock]");
    await page.clock.fastForward(15000);
    await page.waitForFunction(() => document.querySelector("main.table .status.over"));
    assert.match(await page.locator("main.table .status").textContent(), /Your time is up\. The fox wins\./);
  },

  async "moves before the last are looked at, not played on"({ page, sent }) {
    await start(page, "masters-15", { limit: "nodes 20" });
    const { moves } = await turn(page, -1);
    await enter(page, moves[0]);
    const { position } = await turn(page, 1);
    const asked = sent.length;
    await page.click("[data-ply='1']");
    await page.waitForFunction(() =>
      /An earlier position/.test(document.querySelector("main.table .status").textContent),
    );
    assert.deepEqual([(await seen(page)).ply, (await seen(page)).moves.length], [2, 0]);
    await page.click("[data-step=last]");
    await page.waitForFunction(
      position => document.querySelector("main.table [data-position]").dataset.position === position,
      position,
    );
    assert.ok((await seen(page)).moves.length > 0);
    assert.equal((await seen(page)).ply, 2);
    const isGo = line => /^go\b/m.test(line);
    assert.ok(sent.slice(0, asked).some(isGo) && !sent.slice(asked).some(isGo), `the engine was asked: ${sent}`);
  },

  async Dutch({ page }) {
    await page.click("[data-action=look]");
    await page.selectOption("[name=language]", "nl");
    await page.waitForFunction(() => document.documentElement.lang === "nl");
    await page.waitForFunction(() => /Spellen/.test(document.querySelector("nav").textContent));
    await sound(page, "dutch");
  },
};

await each(states, server, browser);
