// The moves of a game as a tree: the main line in a column for each of two sides, variations indented behind the move
// that they replace; and as a graph of what they are worth.

import { sideToken } from "./board-parts.js";
import { action, button, fill, h, iconButton, s } from "./dom.js";
import { manySeat } from "./games.js";
import { classOfMark, shareOfFirst } from "./judge.js";
import { seatOf, told } from "./telling.js";
import { t, word } from "./texts.js";
import { isDrawn, moveNumber, numbered, placeOf, remarkOf } from "./tree.js";

const SIGNS = { first: "skip-back", back: "chevron-left", on: "chevron-right", last: "skip-forward" },
  KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" },
  // Of the graph.
  WIDTH = 400,
  HEIGHT = 72;

// Where the steps lead.
function steps(tree) {
  const { parent, children } = tree.node;
  return {
    first: tree.root,
    back: parent,
    on: children[0],
    last: tree.through().at(-1),
    mistake: tree.nextMarked(),
    game: tree.fork,
  };
}
const step = (table, name) => table.go(steps(table.tree)[name], name === "on");

export function treeView(table) {
  const list = h(".moves", { role: "region", "aria-label": t("moves"), tabindex: 0 }),
    stepper = ([name, sign]) => iconButton(sign, t(`step ${name}`), () => step(table, name), { "data-step": name }),
    bar = h(".steps", Object.entries(SIGNS).map(stepper)),
    // With what is said of it, which may be below the edge.
    toMistake = async () => {
      await step(table, "mistake");
      document.querySelector("[data-better]")?.scrollIntoView({ block: "nearest" });
    },
    mistake = action("skip-forward", "next mistake", toMistake, { "data-step": "mistake" }),
    // In its place for who follows a line.
    toGame = action("rotate-ccw", "back to game", () => step(table, "game"), { "data-step": "game" }),
    element = h(".tree", list, bar);

  const { game } = table,
    hasSides = game.seats.length === 2;

  function moveButton(node, ply, isFirst) {
    const seat = node.change?.mover ? seatOf(node.change.mover) : (ply - 1) % 2,
      news = told(game, node.change),
      sign = node.mark || (node.verdict?.isOnly && "!"),
      mark = sign && h("b", { class: `mark ${classOfMark(sign)}` }, sign),
      number = game.game.alternates ? moveNumber(ply) : numbered(game, table.tree.path(node));
    return [
      h("span", { class: `ply at${hasSides ? seat : (ply - 1) % 2}` }, [
        (isFirst || !number.endsWith("...")) && h("i", number),
        button([node.move, mark], () => table.go(node), {
          class: `move${isDrawn(node) ? " quiet" : ""}${node.mark && node.parent === table.tree.node ? " next" : ""}`,
          title: news || null,
          "data-ply": ply,
          "data-node": node.id,
          "aria-current": node === table.tree.node ? "step" : null,
        }),
      ]),
      game.game.has_dice && news && h("small.news", news),
      remarkOf(node) && h("q", remarkOf(node)),
    ];
  }

  function walk(node, ply, place, isFirst) {
    for (let at = node, n = ply; at.children.length > 0; at = at.children[0], n++) {
      const [main, ...others] = at.children;
      place.append(...h("div", moveButton(main, n, isFirst)).childNodes);
      isFirst = others.length > 0;
      for (const other of others) {
        const inner = h(".variation", moveButton(other, n, true));
        walk(other, n + 1, inner, false);
        place.append(inner);
      }
    }
  }

  function update() {
    fill(list, hasSides && game.seats.map((name, seat) => h("b.side-of", sideToken(game, seat), word(name))));
    walk(table.tree.root, 1, list, true);
    const { node } = table.tree,
      leads = steps(table.tree),
      now = list.querySelector("[aria-current]");
    if (now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
    for (const button of [...bar.children, mistake]) button.disabled = (leads[button.dataset.step] ?? node) === node;
    const hadFocus = toGame.matches(":focus");
    toGame.hidden = !leads.game;
    mistake.hidden = toGame.isConnected && !toGame.hidden;
    if (hadFocus) mistake.focus();
  }
  return { element, bar, mistake, toGame, update };
}

// Keys of a table that are not the board's own: a walk through the moves, and what the panel knows.
export function takeKey(table, event) {
  const isText = event.target.closest("input, select, textarea");
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isText)
    return document.querySelector("#undo button")?.click();
  const isOthers = event.target.closest("[role=application], [role=tab], dialog, [popover]");
  if (isText || isOthers || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "f") table.flip();
  else if (event.key === "Escape") return table.view.clear();
  else if (event.key in KEYS) step(table, KEYS[event.key]);
  else if (event.target.closest("button, a") || !table.panel.key?.(event.key)) return;
  event.preventDefault();
}

// The evaluation over the line through the position; a click, a finger or a pen goes there.
export function evaluationGraph(table) {
  const view = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
    svg = s("svg", { ...view, role: "img", "aria-label": t("graph") });
  const element = h(".graph", { "data-empty": t("graph empty") }, [
    svg,
    table.game.seats.length === 2 && table.game.seats.map(side => h("span", word(side))),
  ]);
  // A review is of the game, whatever one looks at.
  const nodes = () => (table.mode === "review" ? table.tree.line() : [table.tree.root, ...table.tree.through()]);
  const go = event => {
    const line = nodes(),
      { left, width } = svg.getBoundingClientRect(),
      at = Math.round(((event.clientX - left) / width) * (line.length - 1));
    table.go(line[Math.max(0, Math.min(line.length - 1, at))]);
  };
  svg.addEventListener("pointerdown", event => go(event, svg.setPointerCapture(event.pointerId)));
  svg.addEventListener("pointermove", event => svg.hasPointerCapture(event.pointerId) && go(event));
  function update() {
    const line = nodes(),
      x = index => (line.length < 2 ? 0 : (WIDTH * index) / (line.length - 1)),
      y = share => HEIGHT - 2 - (HEIGHT - 4) * share;
    const known = line.map(({ value }, index) => [x(index).toFixed(1), shareOfFirst(value), value]),
      // Where the start is solved, what follows is an estimate: both are one curve only where both are proved.
      [first, second] = line,
      isApart = first.value?.exact && second?.value && !second.value.exact,
      points = known.slice(isApart ? 1 : 0).filter(([, share]) => share !== null),
      textOf = points => points.map(([at, share]) => `${at},${y(share).toFixed(1)}`).join(" "),
      area = () => `${points[0][0]},${HEIGHT / 2} ${textOf(points)} ${points.at(-1)[0]},${HEIGHT / 2}`,
      few = `p${2 - manySeat(table.game)}`,
      // What two engines have said of their own moves are two curves.
      curves = (table.mode === "record" ? ["p1", "p2"] : [null]).map(turn => [
        turn,
        points.filter(([, , value]) => turn === null || value.turn === turn),
      ]),
      curve = ([turn, points]) =>
        points.length > 1 && s("polyline", { class: turn === few ? "curve few" : "curve", points: textOf(points) }),
      upright = (kind, at) => s("line", { class: kind, x1: at, x2: at, y1: 0, y2: HEIGHT }),
      // A line without length, round at its ends.
      dot = (kind, [x, share]) => s("line", { class: kind, x1: x, x2: x, y1: y(share), y2: y(share) }),
      slip = (node, style) => {
        const place = known[line.indexOf(placeOf(node))];
        return style && place[1] !== null && dot(`slip ${style}`, place);
      };
    fill(svg, [
      s("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      points.length > 1 && table.mode !== "record" && s("polygon", { class: "area", points: area() }),
      curves.map(curve),
      upright("here", x(table.tree.placeIn(line))),
      line.map(node => slip(node, classOfMark(node.mark))),
    ]);
  }
  return { element, update };
}
