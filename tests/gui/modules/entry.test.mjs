import assert from "node:assert/strict";
import { test } from "node:test";
import * as entry from "../../../src/gui/assets/entry.js";
import { boardLayout } from "../../../src/svg/board.js";
import { json } from "../program.mjs";

// Enters points one after the other; the move that comes out, or the state.
function enter(moves, ...points) {
  let state = entry.begin(moves);
  for (const name of points) {
    const step = entry.point(moves, state, name);
    if (step.move) return step.move.move;
    state = step.state;
  }
  return state;
}
const chain = (from, ...path) => ({
  move: [from, ...path].join("x"),
  mover: "p2",
  from,
  path,
  to: path.at(-1),
  captured: path.map(point => ({ point: `of ${point}`, owner: "p1", kind: "goose", count: 1 })),
  placed: [],
});

test("every step of the start is entered by its two points", async () => {
  const [moves] = await json("masters-15", [], "moves");
  for (const { move, from, to } of moves) assert.equal(enter(moves, from, to), move);
});

test("a piece that cannot move is not picked, and a second click lets go", async () => {
  const [moves] = await json("masters-15", [], "moves");
  assert.deepEqual(enter(moves, "c1"), entry.nothing);
  assert.deepEqual(enter(moves, "c3", "c3"), entry.nothing);
  assert.equal(enter(moves, "c3", "b3").origin, "b3");
});

test("a chain is entered point by point and may stop where the rules allow", () => {
  const moves = [chain("d4", "d2"), chain("d4", "d2", "b2"), chain("d4", "d2", "f2")];
  const state = enter(moves, "d4", "d2");
  assert.equal(entry.standing(state), "d2");
  assert.equal(entry.stopHere(moves, state).move, "d4xd2");
  assert.deepEqual([...entry.targets(moves, state).keys()].sort(), ["b2", "f2"]);
  assert.equal(enter(moves, "d4", "d2", "d2"), "d4xd2");
  assert.equal(enter(moves, "d4", "d2", "f2"), "d4xd2xf2");
});

test("a last point that one chain leads to is enough; two chains ask for the next point", () => {
  const one = [chain("d4", "d2", "b2"), chain("d4", "f4")],
    two = [chain("d4", "d2", "b2"), chain("d4", "b4", "b2")];
  assert.equal(enter(one, "d4", "b2"), "d4xd2xb2");
  const state = enter(two, "d4", "b2");
  assert.deepEqual([...entry.targets(two, state).keys()].sort(), ["b4", "d2"]);
  assert.equal(enter(two, "d4", "b2", "b4"), "d4xb4xb2");
});

test("a chain may end where it began", () => {
  const moves = [chain("d4", "d2"), chain("d4", "d2", "f2"), chain("d4", "d2", "f2", "d4")];
  assert.equal(enter(moves, "d4", "d2", "f2", "d4"), "d4xd2xf2xd4");
  assert.equal(enter(moves, "d4", "f2", "d2", "d4"), "d4xd2xf2xd4", "the other way round it takes the same");
  assert.equal(enter([chain("d4", "d2", "f2", "d4")], "d4", "d4"), "d4xd2xf2xd4");
  const on = [chain("d4", "d2", "f2", "d4"), chain("d4", "d2", "f2", "d4", "b4")],
    back = enter(on, "d4", "f2", "d2");
  assert.deepEqual(
    entry.candidates(on, back)[0].captured.map(({ point }) => point),
    ["of d4", "of f2", "of d2"],
    "in the order of the jumps",
  );
  assert.equal(enter(on, "d4", "f2", "d2", "d4", "b4"), "d4xd2xf2xd4xb4");
  assert.equal(enter(on, "d4", "f2", "d2", "d4", "d4"), "d4xd2xf2xd4");
});

test("what must go on goes on by itself where there is one way", () =>
  assert.equal(enter([chain("d4", "d2", "f2")], "d4", "d2"), "d4xd2xf2"));

test("placements and drops take one point, removals too", async () => {
  const [siege] = await json("siege", [], "moves"),
    [drops] = await json("bagha-chal", [], "moves");
  assert.equal(enter(siege, "c7"), "@c7");
  assert.equal(enter(drops, "c3"), "@c3");
  const huff = ["c5", "e5"].map(point => ({
    move: `~${point}`,
    mover: "p2",
    from: null,
    path: [],
    to: null,
    captured: [{ point, owner: "p1", kind: "fox", count: 1 }],
    placed: [],
  }));
  assert.equal(enter(huff, "e5"), "~e5");
});

test("beside moves on the board the hand has to be picked", async () => {
  const [moves] = await json("the-game-2010", ["@b3", "@g6"], "moves"),
    put = moves.find(move => move.from === null);
  assert.equal(entry.begin(moves).origin, null);
  const { move } = entry.point(moves, { ...entry.nothing, origin: entry.HAND }, put.placed[0].point);
  assert.equal(move.move, put.move);
});

test("counters move by their die, along the geese that carry them on", async () => {
  const [moves] = await json("goose-team", ["6+3"], "moves");
  assert.equal(enter(moves, "0", "3"), "1:3");
  assert.equal(enter(moves, "0", "12"), "1:6");
  assert.equal(enter(moves, "0", "6"), "1:6");
});

test("arrow keys lead along the lines to every point", async () => {
  for (const name of ["masters-15", "great-siege", "hex-siege", "fox-and-hounds", "solitaire"]) {
    const [board] = await json(name, [], "board"),
      layout = boardLayout(board, false),
      seen = new Set([board.points[0].name]);
    for (const point of seen)
      for (const way of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ])
        seen.add(entry.neighbour(layout, point, way));
    assert.deepEqual(
      board.points.filter(point => !seen.has(point.name)),
      [],
      name,
    );
  }
});
