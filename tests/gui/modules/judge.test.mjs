import assert from "node:assert/strict";
import { test } from "node:test";
import {
  accuracyOf,
  distanceText,
  expectation,
  gaps,
  isExact,
  isGood,
  judge,
  lossOfEnd,
  loserAfter,
  markOf,
  ofLine,
  ofTable,
  scoreText,
  settleValues,
  shareOfFirst,
  turnOf,
  turnovers,
  worthText,
} from "../../../src/gui/assets/judge.js";
import { parseInfo } from "../../../src/gui/assets/engine.js";
import { hands, join, parse, placement } from "../../../src/gui/assets/setup.js";
import { json } from "../program.mjs";

const LINE =
  "info depth 9 seldepth 17 multipv 2 score cp 42 wdl 321 491 188 nodes 123456 nps 4000000 time 31 hashfull 12 tbhits 0 pv a3a4 d4d5";

test("an info line is read", () => {
  const info = parseInfo(LINE);
  assert.deepEqual(
    [info.depth, info.multipv, info.nodes, info.score, info.wdl, info.pv],
    [9, 2, 123456, { kind: "cp", value: 42 }, [321, 491, 188], ["a3a4", "d4d5"]],
  );
  assert.deepEqual(parseInfo("info string tables: none"), { text: "tables: none" });
  assert.equal(parseInfo("info depth 10 currmove a3b4 currmovenumber 11").currmove, "a3b4");
});

test("scores are shares of the game, exact beyond opinions", () => {
  assert.equal(expectation(parseInfo(LINE)), 0.5665);
  const lost = { share: 0, exact: true, plies: 7, far: { n: 7, isEnd: false } };
  assert.deepEqual(ofTable({ value: "loss", plies: 7 }), lost);
  assert.equal(ofTable({ value: null, plies: null }), null);
  assert.equal(distanceText(ofTable({ value: "win", plies: 2, plies_to_end: 43 })), "#22");
  const table = parseInfo("info depth 1 score cp 28993 wdl 1000 0 0 pv a3a4");
  assert.ok(isExact(table) && !isExact(parseInfo(LINE)));
  assert.equal(ofLine(table).plies, 7);
  const near = ["cp 28993", "mate 1", "mate -3", "cp 42"].map(score => ofLine(parseInfo(`info score ${score}`)));
  assert.deepEqual(near.map(distanceText), ["", "#1", "#3", ""]);
  assert.deepEqual(
    near.map(({ plies, mate }) => [plies, mate]),
    [
      [7, undefined],
      [null, 1],
      [null, 3],
      [null, undefined],
    ],
    "a proof counts moves, a table plies",
  );
  assert.deepEqual(
    ["cp 42", "cp -150", "mate 3", "mate -2", "cp 28993"].map(score => scoreText(parseInfo(`info score ${score}`))),
    ["+0.42", "−1.50", "#3", "−#2", "win"],
  );
});

test("a move loses what its side had before it", () => {
  const at = (turn, share, best, exact = true) => ({ turn, value: { turn, share, exact }, best }),
    said = ({ mover, loss, mark, better }) => [mover, +loss.toFixed(3), mark, better];
  assert.deepEqual(said(judge(at("p1", 1, "x"), at("p2", 0.5), "a")), ["p1", 0.5, "??", "x"]);
  assert.deepEqual(
    said(judge(at("p2", 0.5, "y"), at("p2", 0.375), "b")),
    ["p2", 0.125, "?!", "y"],
    "sides need not alternate",
  );
  // Of less a search is not sure; what the search itself has chosen is no mistake.
  assert.deepEqual(said(judge(at("p1", 0.6, "x", false), at("p2", 0.45), "a")), ["p1", 0.05, "", "x"]);
  assert.deepEqual(said(judge(at("p1", 1, "x"), at("p2", 0.5), "x")), ["p1", 0, "", null]);
  assert.equal(judge({ turn: "chance", value: null }, at("p1", 0.5), "6+3"), null);
  assert.deepEqual(
    [0.3, 0.2, 0.12, 0.08].map(loss => markOf(loss)),
    ["??", "?", "?!", ""],
  );
  // Where something was lost unseen less is enough.
  const suspect = { ...at("p1", 0.5, "x", false), isSuspect: true };
  assert.deepEqual(
    [0.56, 0.54].map(share => judge(suspect, at("p2", share, "y", false), "a").mark),
    ["?!", ""],
  );
});

test("values of a game agree with each other: gains were had before, and near a proof is as proved", () => {
  const settled = (...all) => {
    const places = all.map(([turn, share, exact = false]) => ({
      turn,
      seen: share === null ? null : { turn, share, exact },
    }));
    settleValues(places, null);
    return places.map(({ value }) => value && [+shareOfFirst(value).toFixed(2), !!value.exact]);
  };
  assert.deepEqual(settled(["p1", 0.5], ["p2", 0.4], ["p1", 0.7]), [
    [0.6, false],
    [0.6, false],
    [0.7, false],
  ]);
  assert.deepEqual(settled(["p1", 0.1], ["p2", 0.8], ["p1", 0.2]), [
    [0.2, false],
    [0.2, false],
    [0.2, false],
  ]);
  // Who may go to a proved win has one; of a puzzle nothing else was known.
  assert.deepEqual(settled(["p1", 0.5], ["p2", 0, true]), [
    [1, true],
    [1, true],
  ]);
  assert.deepEqual(settled(["p1", null], ["p1", 1, true]), [
    [1, true],
    [1, true],
  ]);
  const won = ["p1", 1, true];
  assert.deepEqual(settled(won, ["p2", 0.04], won), [
    [1, true],
    [1, false],
    [1, true],
  ]);
  assert.deepEqual(settled(won, ["p2", 0.2], won)[1], [0.8, false], "too far from it to be noise");
  const sure = { turn: "p1", seen: { turn: "p1", share: 0.5 }, isSure: true };
  settleValues([sure, { turn: "p1", seen: { turn: "p1", share: 0.9 } }], null);
  assert.equal(sure.value.share, 0.5, "what a closer look has found stands");
  settleValues([sure, { turn: "p1", seen: { turn: "p1", share: 0.52 } }], null);
  assert.equal(sure.value.share, 0.52, "but for noise");
  // Of a solved start the first move is measured by what a search says behind it, unless that is a slip.
  for (const [after, share] of [
    [0.84, 0.84],
    [0.6, 0.9],
  ]) {
    const start = { turn: "p1", seen: { turn: "p1", share: 0.9 } };
    settleValues([start, { turn: "p2", seen: { turn: "p1", share: after } }], { turn: "p1", share: 1, exact: true });
    assert.equal(start.value.share, share);
  }
  assert.deepEqual(settled(["chance", null], ["p1", 0.6]), [null, [0.6, false]]);
});

test("what turned a game is a marked loss, else one after which nothing was better again", () => {
  const lost = (ply, mover, from, to) => ({ ply, mover, from, to, loss: from - to, isLost: false }),
    worth = (...shares) => shares.map(share => ({ turn: "p1", share })),
    leak = [lost(1, "p1", 0.8, 0.72), lost(3, "p1", 0.65, 0.58), lost(5, "p1", 0.5, 0.42)];
  assert.equal(turnOf(leak, worth(0.8, 0.72, 0.65, 0.58, 0.5, 0.42)), leak[1], "here the win was gone");
  assert.equal(turnOf(leak, worth(0.8, 0.72, 0.65, 0.58, 0.7, 0.42)), undefined, "it was had once more");
  assert.equal(turnOf([lost(1, "p1", 0.62, 0.59)], worth(0.62, 0.59)), undefined, "a search wavers by as much");
  const slip = lost(1, "p2", 0.9, 0.5);
  assert.equal(turnOf([slip, ...leak.slice(1)], worth(0.1, 0.5, 0.65, 0.58, 0.5, 0.42)), slip, "marked ones first");
  const swings = [{ turn: "p1", share: 0.9 }, null, { turn: "p1", share: 0.5 }, { turn: "p2", share: 0.9 }];
  assert.equal(turnovers(swings), 1, "a draw on the way is no side");
  assert.equal(turnovers([...swings, ...swings]), 3);
});

test("accuracy is the mean over the moves, and a move that brings a win by tables no nearer is told", () => {
  assert.deepEqual(
    [[0], [0.3], [0, 0.3], [1]].map(losses => Math.round(accuracyOf(losses.map(loss => ({ loss }))))),
    [100, 25, 62, 0],
  );
  const at = (turn, share, n, isEnd = false) => ({
      turn,
      value: { turn, share, exact: true, far: n && { n, isEnd } },
      best: "x",
    }),
    isIdle = (before, after, move = "a", share = 1) =>
      judge(at("p1", share, before), at("p2", 1 - share, after), move).isIdle;
  assert.ok(!judge(at("p1", 1, 5), at("p2", 0, 8, true), "a").isIdle, "goals of two kinds are not compared");
  assert.deepEqual([isIdle(5, 5), isIdle(5, 6), isIdle(5, 4)], [true, true, false]);
  assert.deepEqual(
    [0.02, 0.04].map(share => judge({ ...at("p1", share), value: { turn: "p1", share } }, at("p2", 1), "a").isHopeless),
    [true, false],
  );
  assert.ok(!isIdle(1, 8), "after a capture it is counted anew");
  assert.ok(!isIdle(5, 6, "x") && !isIdle(5, 6, "a", 0) && !isIdle(undefined, undefined));
});

test("of an all but certain win less is a loss", () => {
  const at = (turn, share) => ({ turn, value: { turn, share }, best: "x" }),
    markFrom = share => judge(at("p1", share), at("p2", 1 - share + 0.06), "a").mark;
  assert.deepEqual([markFrom(1), markFrom(0.99), markFrom(0.98)], ["?!", "?!", ""]);
});

test("who is lost is judged by what a search expects, until it sees the loss", () => {
  const at = (turn, share, exact = false) => ({ turn, value: { turn, share, exact }, best: "x" });
  const lost = judge(at("p2", 0.5), at("p1", 0.9), "a", "p2");
  assert.deepEqual([lost.isLost, lost.mark, isGood(lost)], [true, "??", false]);
  const worth = (turn, share, exact = false) => ({ turn, share, exact });
  assert.equal(loserAfter(worth("p1", 0.9), lost, "p2"), "p2");
  const slip = judge(at("p1", 0.9), at("p2", 0.6), "a", "p2");
  assert.equal(slip.mark, "??");
  assert.equal(loserAfter(worth("p2", 0.6), slip, "p2"), null);
  assert.equal(loserAfter(worth("p2", 0, true), null, null), "p2", "tables know it");
  const known = judge(at("p2", 0, true), at("p1", 1, true), "a");
  assert.deepEqual([known.isLost, known.mark], [true, ""], "nothing is left to lose");
});

test("an end that the rules did not make costs what the position promised more", () => {
  const at = (turn, share, exact = false) => ({ turn, share, exact }),
    lost = (result, value) => {
      const { mover, mark, from, to, exact } = lossOfEnd({ result }, value) ?? {};
      return mover && [mover, mark, +from.toFixed(2), to, exact];
    };
  assert.deepEqual(lost("p2win", at("p1", 0.5, true)), ["p1", "??", 0.5, 0, true], "resigned in a proved draw");
  assert.deepEqual(lost("p1win", at("p1", 0.5, true)), ["p2", "??", 0.5, 0, true]);
  assert.deepEqual(lost("draw", at("p2", 0.8)), ["p2", "??", 0.8, 0.5, false], "agreed to a draw when ahead");
  assert.deepEqual(lost("draw", at("p2", 0.35)), ["p1", "?", 0.65, 0.5, false]);
  assert.equal(lost("p2win", at("p1", 0.05)), undefined, "who is lost may resign");
  assert.equal(lost("p2win", at("p1", 0.16)), undefined, "so may who has little left");
  assert.equal(lost("draw", at("p1", 0.5)), undefined);
  assert.deepEqual([worthText(0.5, true), worthText(0, true), worthText(0.824, false)], ["draw", "loss", "82\u00a0%"]);
});

test("placements are written as the engine writes them", async () => {
  for (const name of [
    "masters-15",
    "great-siege",
    "hex-siege",
    "bagha-chal",
    "fox-and-hounds",
    "solitaire",
    "the-game",
  ]) {
    const [board, pieces, game] = await json(name, [], "board", "pieces", "game");
    const letter = ({ kind, owner }) => game.pieces.find(each => each.kind === kind && each.owner === owner).letter;
    const at = point =>
      pieces
        .filter(piece => piece.point === point)
        .map(piece => letter(piece).repeat(piece.count))
        .join("");
    const { program } = await import("../program.mjs"),
      { execFileSync } = await import("node:child_process");
    const fen = execFileSync(program, { input: `setoption name UCI_Variant value ${name}\nquery fen\nquit\n` })
      .toString()
      .match(/response (.*)/)[1];
    assert.equal(placement(board, at), parse(fen).placement, name);
    assert.equal(join(parse(fen)), fen, name);
  }
  assert.deepEqual(
    hands("F3F/5/5/5/F3F g hand=20", {
      pieces: [
        { kind: "fox", owner: "p2" },
        { kind: "goose", owner: "p1" },
      ],
    }).map(({ owner, count }) => [owner, count]),
    [["p1", 20]],
  );
});

test("what was given away without a mark is told by the moves between", () => {
  const at = (turn, share, mark = "", mover = "p1") => ({
      value: { turn, share, exact: share === 0.5 || share % 1 === 0 },
      mark,
      verdict: { mover },
    }),
    line = [at("p2", 0.3), at("p1", 0.7), at("p2", 0.5), at("p1", 0.5), at("p2", 1, "?")];
  assert.deepEqual(gaps([at("p1", 1), ...line]), [{ since: 0, ply: 3, loser: 0 }]);
  assert.deepEqual(gaps([at("p1", 0.8), ...line]), []);
  assert.deepEqual(gaps([at("p1", 0.5), at("p2", 0)]), [{ since: 0, ply: 1, loser: 1 }]);
  assert.equal(gaps([at("p1", 0.5), at("p2", 0, "?!", "p1")]).length, 1, "a mark of the other side explains nothing");
  // Those of a pasted text are there before anything is judged.
  const pasted = { ...at("p2", 0, "?!"), verdict: undefined };
  assert.equal(gaps([at("p1", 0.5), pasted]).length, 1);
  assert.deepEqual(gaps([at("p1", 0.5), { ...pasted, isOpening: true }]), [], "nobody has chosen it");
});
