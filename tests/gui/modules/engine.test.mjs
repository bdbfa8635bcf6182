// What passes between the page and an engine, by a socket that is none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, parseOption, traffic } from "../../../src/gui/assets/engine.js";
import { prepare } from "../../../src/gui/assets/strengths.js";

function connected() {
  const told = [];
  let socket;
  class Socket {
    constructor() {
      socket = this;
    }
    readyState = 1;
    send(line) {
      told.push(line);
    }
    close() {}
  }
  const engine = new Engine({ Socket, base: "ws://nowhere" });
  return {
    engine,
    told,
    say: (...lines) => lines.forEach(data => socket.onmessage({ data })),
    end: () => socket.onclose(),
  };
}

test("options as engines announce them", () => {
  assert.deepEqual(parseOption("option name Skill Level type spin default 20 min 0 max 20"), {
    name: "Skill Level",
    type: "spin",
    min: 0,
    max: 20,
    vars: [],
  });
  assert.deepEqual(parseOption("option name UCI_Variant type combo default a var a var b-2").vars, ["a", "b-2"]);
  assert.equal(parseOption("option nothing"), null);
});

test("a strength is told by the options that there are", async () => {
  const { engine, told, say } = connected();
  say(
    '{"server":"started"}',
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name UCI_LimitStrength type check default false",
    "ugiok",
  );
  assert.equal(await prepare(engine, "level 3"), "movetime 1000");
  assert.equal(await prepare(engine, "nodes 50"), "nodes 50");
  assert.equal(await prepare(engine, "nodes 50", { words: () => "p1time 5" }), "nodes 50 p1time 5");
  assert.equal(await prepare(engine, "clock", { words: () => "p1time 5" }), "p1time 5");
  assert.deepEqual(
    told,
    [
      "ugi",
      "setoption name UCI_LimitStrength value false",
      "setoption name Skill Level value 3",
      "setoption name Skill Level value 20",
    ],
    "and only when it changes",
  );
});

test("an engine that is started anew is told everything again, and what was asked fails", async t => {
  const { engine, told, say, end } = connected();
  say('{"server":"started"}', "ugiok");
  engine.set("Seed", 5);
  const asked = engine.search({ start: null, moves: [] }, "nodes 1"),
    isLost = new Promise(done => (engine.onLost = done));
  told.length = 0;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  end();
  await assert.rejects(asked, /lost/);
  t.mock.timers.tick(1000);
  say('{"server":"started"}');
  await isLost;
  assert.deepEqual(told, ["ugi", "setoption name Seed value 5"]);
  assert.deepEqual(
    traffic.slice(-3).map(({ way, line }) => `${way} ${line}`),
    ["< started", "> ugi", "> setoption name Seed value 5"],
  );
});

test("where the server refuses an engine, whatever is asked of it fails with the reason", async () => {
  const { engine, say } = connected(),
    { known } = engine,
    asked = engine.search({ start: null, moves: [] }, "nodes 1");
  say('{"server":"refused","reason":"too many"}');
  await assert.rejects(known, /too many/);
  await assert.rejects(asked, /too many/);
  await assert.rejects(engine.known, /too many/);
  await assert.rejects(engine.search({ start: null, moves: [] }, "nodes 1"), /too many/);
});

test("what is refused is told beside the move, apart from remarks", async () => {
  const { engine, say } = connected();
  say('{"server":"started"}', "ugiok");
  const found = engine.search({ start: null, moves: ["x"] }, "nodes 1");
  say("info string error position: x is no move", "info string calm", "info depth 1 nodes 1 pv a", "bestmove a");
  const { best, notes, errors } = await found;
  assert.deepEqual([best, notes, errors], ["a", ["calm"], ["position: x is no move"]]);
});
