import assert from "node:assert/strict";
import { test } from "node:test";
import { boardLayout, groundMarkup, marksMarkup, piecesMarkup, tokenMarkup } from "../../../src/svg/board.js";
import { json, rulesets } from "../program.mjs";

const STYLES = {
  "masters-15": "points",
  "strutt-17": "points",
  "hex-siege": "hexagon",
  "great-siege": "points",
  "bagha-chal": "points",
  "fox-and-hounds": "chequers",
  solitaire: "holes",
  "the-game": "squares",
  goose: "track",
  kaooa: "star",
};

test("every board of the catalog is laid out within its picture, no two points on one place", async () => {
  const names = await rulesets();
  assert.equal(names.length, 44);
  for (const name of names) {
    const [board, pieces] = await json(name, [], "board", "pieces");
    for (const isTurned of [false, true]) {
      const layout = boardLayout(board, isTurned),
        places = [...layout.places.values()];
      assert.equal(layout.places.size, board.points.length, name);
      for (const { x, y } of places)
        assert.ok(x >= 30 && y >= 30 && x <= layout.width - 30 && y <= layout.height - 30, name);
      for (const [i, a] of places.entries())
        for (const b of places.slice(i + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 34, name);
      for (const [a, b] of ["track", "star"].includes(layout.style) ? [] : board.lines) {
        const [p, q] = [layout.places.get(a), layout.places.get(b)],
          [from, to] = [a, b].map(name => board.points.find(point => point.name === name));
        // Lines of some boards lead over several files or ranks.
        const steps = Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y));
        assert.ok(
          Math.hypot(p.x - q.x, (p.y - q.y) / layout.tall) < 58 * steps,
          `${name}: the line ${a} ${b} joins neighbours`,
        );
      }
    }
    const layout = boardLayout(board, false);
    if (STYLES[name]) assert.equal(layout.style, STYLES[name], name);
    const drawn = piecesMarkup(layout, pieces, []);
    assert.equal(
      drawn.match(/data-piece=/g)?.length ?? 0,
      pieces.reduce((sum, { count }) => sum + count, 0),
      name,
    );
    // High stacks say how many they are.
    const high = layout.style === "track" ? [] : pieces.filter(({ count }) => count > 2);
    assert.equal(drawn.match(/class="height"/g)?.length ?? 0, high.length, name);
    assert.ok(groundMarkup(layout).includes('class="names"'), name);
  }
});

test("no board is a strip, and a star has no hole in its middle", async () => {
  for (const name of await rulesets()) {
    const { width, height } = boardLayout((await json(name, [], "board"))[0], false);
    assert.ok(width < 2.6 * height && height < 2.6 * width, `${name}: ${width} ${height}`);
  }
  const [board] = await json("kaooa", [], "board"),
    star = boardLayout(board, false),
    [, x, y] = /class="plate" d="[^"]*M([\d.]+) ([\d.]+)h[^M]*"/.exec(groundMarkup(star)).map(Number);
  assert.deepEqual([x, y], [star.width / 2, star.height / 2]);
});

test("a wide board has one outline, and stands upright in a portrait", async () => {
  const [board] = await json("aadu-puli-attam", [], "board"),
    at = layout => name => Object.values(layout.places.get(name));
  for (const [isPortrait, ends] of [
    [false, "i5 q4 q3 q2 q1 a1 a2 a3 a4 i5"],
    [true, "i5 q4 q3 q2 q1 a1 a2 a3 a4 i5"],
  ]) {
    const layout = boardLayout(board, false, isPortrait),
      outline = ends.split(" ").map(name => at(layout)(name).join(" "));
    assert.ok(groundMarkup(layout).includes(`class="plate filled" d="M${outline.join("L")}Z"`), `${isPortrait}`);
    assert.equal(layout.width < layout.height, isPortrait);
    for (const text of groundMarkup(layout).matchAll(/<text x="([\d.]+)" y="([\d.]+)">/g))
      assert.ok(+text[1] < layout.width - 20 && +text[2] < layout.height, text[0]);
  }
  const [masters] = await json("masters-15", [], "board");
  assert.deepEqual(boardLayout(masters, false, true), boardLayout(masters, false));
});

test("names on a star stand off its lines", async () => {
  const [board] = await json("kaooa", [], "board"),
    { places } = boardLayout(board, false),
    names = [...groundMarkup(boardLayout(board, false)).matchAll(/<text x="([\d.]+)" y="([\d.]+)" class="on">/g)];
  assert.equal(names.length, places.size);
  for (const [, left, base] of names)
    for (const ends of board.lines) {
      const [a, b] = ends.map(name => places.get(name)),
        [x, y] = [+left, base - 3],
        length = Math.hypot(b.x - a.x, b.y - a.y),
        along = Math.max(0, Math.min(1, ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length ** 2));
      const far = Math.hypot(x - a.x - along * (b.x - a.x), y - a.y - along * (b.y - a.y));
      assert.ok(far > 12, `${left} ${base} ${ends} ${far}`);
    }
});

test("a star has its five tips equally far from each other, and straight lines", async () => {
  const [board] = await json("kaooa", [], "board"),
    { places } = boardLayout(board, false);
  const at = name => places.get(name),
    far = (a, b) => Math.hypot(at(a).x - at(b).x, at(a).y - at(b).y);
  for (const line of ["c5 d4 d3 d1", "c5 b4 b3 b1", "e4 d3 c2 b1", "e4 d4 b4 a4", "d1 c2 b3 a4"]) {
    const [tip, , , end] = line.split(" "),
      steps = line.split(" ").map((name, n, all) => (n > 0 ? far(all[n - 1], name) : 0));
    assert.ok(Math.abs(far(tip, end) - far("c5", "d1")) < 1, line);
    assert.ok(Math.abs(steps.reduce((sum, step) => sum + step) - far(tip, end)) < 1, `${line} is straight`);
  }
});

test("turning a board puts the far corner near", async () => {
  const [board] = await json("masters-15", [], "board"),
    [plain, turned] = [false, true].map(side => boardLayout(board, side));
  assert.deepEqual(turned.places.get("a3"), { x: plain.places.get("g5").x, y: plain.places.get("g5").y });
});

test("a move is marked at its ends, along its way, and where it took", async () => {
  const [board, played] = await json("masters-15", ["c3c4", "d4xb4"], "board", "played"),
    layout = boardLayout(board, false);
  const marks = marksMarkup(layout, played[1]);
  assert.equal(marks.match(/class="from"/g).length, 1);
  assert.equal(marks.match(/class="to"/g).length, 1);
  assert.equal(marks.match(/class="gone"/g).length, 1);
});

test("names of points cannot become markup", () => {
  const board = { points: [{ name: "<b>", x: 0, y: 0 }], lines: [], regions: {} };
  assert.ok(!groundMarkup(boardLayout(board, false)).includes("<b>"));
});

test("every animal and man of the catalog has a drawing, those of nobody a letter", async () => {
  for (const name of await rulesets()) {
    const [game, pieces] = await json(name, [], "game", "pieces");
    for (const { kind, owner } of pieces) {
      const drawn = tokenMarkup({ kind, owner }, game.seats);
      assert.match(drawn, /data-figure="\w+".*class="figure"/, `${name}: ${kind}`);
    }
  }
  const figure = side => /data-figure="(\w*)"/.exec(tokenMarkup({ kind: "goose", owner: "p2" }, ["", side]))[1];
  assert.deepEqual(["geese", "wolves", "Goats", "the black oxen", "constructor", "trolls"].map(figure), [
    "goose",
    "wolf",
    "goat",
    "calf",
    "",
    "",
  ]);
  assert.match(tokenMarkup({ kind: "fox", owner: "p1" }, ["<trolls>"]), /class="letter" y="6">T</);
});
