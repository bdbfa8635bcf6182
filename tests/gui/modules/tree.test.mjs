import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../../../src/gui/assets/tree.js";

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
  assert.equal(text, "1. a3a4 d4d5 (2. d4e5?! {sharper} 3. c3c4) 3. b3b4");
  assert.equal(Tree.parse(text).text(), text);
  const kept = Tree.load(JSON.parse(JSON.stringify(tree.save())));
  assert.equal(kept.text(), text);
  assert.deepEqual(kept.moves(), ["a3a4", "d4e5", "c3c4"]);
});

test("a known move is not added again", () => {
  const tree = sample();
  tree.go(tree.root).move;
  tree.play("a3a4");
  assert.equal(tree.root.children.length, 1);
  assert.equal(tree.node.children.length, 2);
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
  assert.equal(tree.text(), "1. a3a4 d4d5 3. b3b4");
});

test("lists of moves are read with numbers, results and without them", () => {
  for (const text of ["a3a4 d4d5", "1. a3a4 d4d5 1-0", "1.a3a4 2.d4d5 *", "1. a3a4 {first} d4d5??"])
    assert.deepEqual(
      Tree.parse(text)
        .line()
        .slice(1)
        .map(({ move }) => move),
      ["a3a4", "d4d5"],
      text,
    );
});

test("the first game of a file of games is read, with its start", () => {
  const tree = Tree.parse(
    '[Event "x"]\n[FEN "3/3/7/3F3/7/GGG/GGG g"]\n\n1. c2c3 {0.1} d4d5 2. d2d3 1-0\n\n[Event "y"]\n\n1. e2e3 *\n',
  );
  assert.equal(tree.start, "3/3/7/3F3/7/GGG/GGG g");
  assert.deepEqual(
    tree
      .line()
      .slice(1)
      .map(({ move }) => move),
    ["c2c3", "d4d5", "d2d3"],
  );
});

test("rolls and drops are moves too", () =>
  assert.deepEqual(
    Tree.parse("1. 6+3 2. 1:6 @d4 ~c5 pass")
      .line()
      .slice(1)
      .map(({ move }) => move),
    ["6+3", "1:6", "@d4", "~c5", "pass"],
  ));
