// The moves of a game as a tree: the main line in a column for each of two sides, variations indented behind the move
// that they replace.

import { token } from "./board-parts.js";
import { action, button, fill, h, iconButton } from "./dom.js";
import { classOfMark } from "./graph.js";
import { showKeys } from "./share.js";
import { seatOf, told } from "./telling.js";
import { t, word } from "./texts.js";
import { moveNumber } from "./tree.js";

export function treeView(table) {
  const list = h(".moves", { role: "region", "aria-label": t("moves"), tabindex: 0 });
  const bar = h(
    ".steps",
    [
      ["first", "skip-back"],
      ["back", "chevron-left"],
      ["on", "chevron-right"],
      ["last", "skip-forward"],
    ].map(([name, sign]) => iconButton(sign, t(`step ${name}`), () => step(name), { "data-step": name })),
  );
  const element = h(".tree", list, bar);

  // Of games in which turns do not alternate each move is counted.
  const { game } = table,
    { alternates, has_dice, pieces } = game.game,
    hasSides = game.seats.length === 2,
    number = ply => (alternates ? moveNumber(ply) : `${ply}.`);
  const side = (name, seat) =>
    h("b.side-of", [
      token(
        pieces.find(({ owner }) => owner === `p${seat + 1}`),
        name,
      ),
      word(name),
    ]);

  function step(name) {
    const { tree } = table,
      line = tree.through();
    table.go(
      { first: tree.root, back: tree.node.parent, on: tree.node.children[0], last: line.at(-1) }[name],
      name === "on",
    );
  }

  function moveButton(node, ply, isNumbered) {
    const seat = node.change?.mover ? seatOf(node.change.mover) : (ply - 1) % 2,
      news = told(game, node.change);
    return [
      h("span", { class: `ply at${hasSides ? seat : (ply - 1) % 2}` }, [
        isNumbered && h("i", number(ply)),
        button(
          [node.move, node.mark && h("b", { class: `mark ${classOfMark(node.mark)}` }, node.mark)],
          () => table.go(node),
          {
            class: "move",
            title: news || null,
            "data-ply": ply,
            "data-node": node.id,
            "aria-current": node === table.tree.node ? "step" : null,
          },
        ),
      ]),
      has_dice && news && h("small.news", news),
      node.comment && h("q", node.comment),
    ];
  }

  function walk(node, ply, place, isFirst) {
    for (let at = node, n = ply, numbered = isFirst; at.children.length > 0; at = at.children[0], n++) {
      const [main, ...others] = at.children;
      place.append(...h("div", moveButton(main, n, numbered || !alternates || n % 2 === 1)).childNodes);
      numbered = others.length > 0;
      for (const other of others) {
        const inner = h(".variation", moveButton(other, n, true));
        walk(other, n + 1, inner, false);
        place.append(inner);
      }
    }
  }

  function update() {
    fill(list, hasSides ? game.seats.map(side) : []);
    walk(table.tree.root, 1, list, true);
    const { tree } = table,
      now = list.querySelector("[aria-current]");
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    for (const name of ["first", "back"]) bar.querySelector(`[data-step=${name}]`).disabled = !tree.node.parent;
    for (const name of ["on", "last"])
      bar.querySelector(`[data-step=${name}]`).disabled = tree.node.children.length === 0;
  }
  return { element, update };
}

export const nextMistake = table => action("skip-forward", "next mistake", () => table.go(table.tree.nextMarked()));

// Keys of a table that are not the board's own: a walk through the moves, and what the panel knows.
export function takeKey(table, event) {
  const isText = event.target.closest("input, select, textarea");
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isText)
    return document.querySelector("#undo button")?.click();
  if (
    isText ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.target.closest("[role=application], [role=tab], dialog, [popover]")
  )
    return;
  const { tree } = table,
    { node, root } = tree;
  if (event.key === "?") showKeys();
  else if (event.key === "f") table.flip();
  else if (event.key === "ArrowLeft") table.go(node.parent);
  else if (event.key === "ArrowRight") table.go(node.children[0], true);
  else if (event.key === "Home") table.go(root);
  else if (event.key === "End") table.go(tree.through().at(-1));
  else if (event.target.closest("button, a") || !table.panel.key?.(event.key)) return;
  event.preventDefault();
}
