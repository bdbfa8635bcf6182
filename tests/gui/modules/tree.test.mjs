import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree, numbered } from "../../../src/gui/assets/tree.js";

function sample() {
  const tree = new Tree();
  ["a3a4", "d4d5", "b3b4"].forEach(move => tree.play(move));
  tree.go(tree.root.children[0]);
  tree.play("d4e5");
  tree.node.comment = "sharper";
  tree.node.mark = "?!";
  tree.play("c3c4");
  return tree;
}

test("a variation is written, read and kept as it is", () => {
  const tree = sample(),
    text = tree.text();
  assert.equal(text, "1. a3a4 d4d5 (1... d4e5?! {sharper} 2. c3c4) 2. b3b4");
  const words = ["a3a4", "d4d5", "(", "d4e5?!", "{sharper}", "c3c4", ")", "b3b4"];
  assert.equal(Tree.of(words).text(), text);
  const kept = Tree.load(JSON.parse(JSON.stringify(tree.save())));
  assert.equal(kept.text(), text);
  assert.deepEqual(kept.moves(), ["a3a4", "d4e5", "c3c4"]);
});

test("what a review has found is kept with the game", () => {
  const tree = sample();
  tree.root.value = { share: 0.5 };
  tree.node.parent.verdict = { mark: "?!" };
  const kept = Tree.load(JSON.parse(JSON.stringify(tree.save())));
  assert.deepEqual([kept.root.value, kept.node.parent.verdict], [{ share: 0.5 }, { mark: "?!" }]);
  assert.equal(kept.text(), tree.text());
});

test("a known move is not added again", () => {
  const tree = sample();
  tree.go(tree.root).move;
  tree.play("a3a4");
  assert.equal(tree.root.children.length, 1);
  assert.equal(tree.node.children.length, 2);
});

test("what a game goes on with is its main line, whatever was tried there before", () => {
  const tree = new Tree(),
    tip = tree.play("a3a4");
  const tried = tree.play("d4d5");
  assert.equal(tree.extend(tip, ["d4e5", "b3b4"]), tree.line().at(-1));
  assert.equal(tree.text(), "1. a3a4 d4e5 (1... d4d5) 2. b3b4");
  assert.equal(tree.node, tried, "who looks at something else stays there");
  tree.extend(tree.line().at(-1), []);
  assert.equal(tree.text(), "1. a3a4 d4e5 (1... d4d5) 2. b3b4");
});

test("lines are promoted and removed", () => {
  const tree = sample();
  tree.promote(tree.node);
  assert.deepEqual(
    tree
      .line()
      .slice(1)
      .map(({ move }) => move),
    ["a3a4", "d4e5", "c3c4"],
  );
  tree.remove(tree.root.children[0].children[0]);
  assert.deepEqual(tree.moves(), ["a3a4"]);
  assert.equal(tree.text(), "1. a3a4 d4d5 2. b3b4");
});

test("moves are numbered by turns", () => {
  const nodes = [..."12112"].map(seat => ({ change: { mover: `p${seat}` } })),
    numbers = game => nodes.map((_, index) => numbered({ game }, nodes.slice(0, index + 1)));
  // A piece that was taken off for not jumping, and the move behind it.
  assert.deepEqual(numbers({ alternates: false, seats: 2 }), ["1.", "1...", "2.", "2...", "2..."]);
  assert.deepEqual(numbers({ alternates: false, has_dice: true }), ["1.", "2.", "3.", "4.", "5."]);
  assert.deepEqual(numbers({ alternates: true }), ["1.", "1...", "2.", "2...", "3."]);
  // A record knows the seats before its changes; where neither is known moves take turns.
  const game = { game: { alternates: false, seats: 2 } },
    last = each => numbered(game, [..."12112"].map(each));
  assert.equal(
    last(seat => ({ mover: seat - 1 })),
    "2...",
  );
  assert.equal(
    last(() => ({})),
    "3.",
  );
});
