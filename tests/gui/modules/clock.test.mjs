// Clocks, by a time of their own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, clockText, watched } from "../../../src/gui/assets/clock.js";

const clockAt = (settings, seats = 2) => {
  let time = 0;
  const clock = new Clock({ base: 60_000, increment: 2000, ...settings }, seats, () => time);
  return {
    clock,
    pass: ms => {
      time += ms;
    },
  };
};

test("thinking takes time, a move gives the increment", () => {
  const { clock, pass } = clockAt();
  pass(5000);
  clock.run(0);
  pass(7000);
  assert.deepEqual([clock.left(0), clock.left(1)], [53_000, 60_000]);
  clock.press(0);
  pass(1000);
  assert.deepEqual([clock.left(0), clock.left(1)], [55_000, 60_000], "nobody's runs until it is said whose");
  clock.run(1);
  pass(1500);
  clock.hold();
  pass(9000);
  assert.equal(clock.words(), "p1time 55000 p1inc 2000 p2time 58500 p2inc 2000");
});

test("a move that is taken back gives its time back", () => {
  const { clock, pass } = clockAt();
  clock.run(0);
  pass(10_000);
  clock.press(0);
  clock.run(1);
  pass(20_000);
  clock.press(1);
  clock.back(0);
  assert.deepEqual([clock.left(0), clock.left(1)], [60_000, 60_000]);
  clock.back(2);
  assert.equal(clock.history.length, 3, "plies that were made elsewhere have taken no time");
});

test("a flag falls, and what is left is kept", () => {
  const { clock, pass } = clockAt({ base: 1000, increment: 0 });
  clock.run(1);
  pass(400);
  assert.equal(clock.fallen, null);
  const again = clockAt(JSON.parse(JSON.stringify(clock.save())));
  assert.deepEqual([again.clock.left(0), again.clock.left(1)], [1000, 600]);
  again.clock.run(1);
  again.pass(600);
  assert.equal(again.clock.fallen, 1);
});

test("the clock of a live game has run since its last move, whenever somebody begins to look", () => {
  const clock = watched({ clocks_ms: [9000, 8000], since_ms: 1500 }, 1, () => 2000);
  assert.deepEqual([clock.left(0), clock.left(1)], [9000, 7500]);
});

test("faces of clocks", () => {
  assert.deepEqual([3_725_000, 300_000, 59_999, 9_950, 0, -5].map(clockText), [
    "1:02:05",
    "5:00",
    "0:59",
    "0:09.9",
    "0:00.0",
    "0:00.0",
  ]);
});
