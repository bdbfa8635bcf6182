// A game that engines have played: its moves with what they said of them.

import { action, calm, h, icon } from "./dom.js";
import { endOf, lineTree } from "./game-files.js";
import * as games from "./games.js";
import { ofLine, ofResult } from "./judge.js";
import { app } from "./page.js";
import { resultOf } from "./report.js";
import { ending, seatOf } from "./telling.js";
import { t } from "./texts.js";

const STEP_MS = 700;

// The game of a run's ruleset: of the catalog, else what the server makes of the text. A report has it, or null where
// the program did not know the rules.
export const gameOf = async ({ catalog, text, game: packed }) =>
  packed === undefined ? games.gameOf(catalog, catalog ? null : text) : packed;

// A score of a journal: hundredths, or "#N" for a mate.
export const scoreOf = score =>
  typeof score === "string" ? { kind: "mate", value: +score.slice(1) } : { kind: "cp", value: score };

// What the mover of a node said about the position before its move: the last is the time in µs, or [., the line] of a
// game under way.
function note(node, mover, [score, depth, count, us] = []) {
  const opinion = score === null || score === undefined ? null : { score: scoreOf(score) };
  Object.assign(node, { mover, depth, count, us, opinion, variation: us?.[1] });
  if (opinion && mover !== null) node.parent.value = { ...ofLine(opinion), turn: `p${mover + 1}` };
}

// The same of nodes, `said` of the last of them, behind the opening; without a `moverOf` their changes are known.
export function noteAll(nodes, said, moverOf = ({ change }) => change.mover && seatOf(change.mover)) {
  const opening = nodes.length - said.length;
  for (const [index, node] of nodes.entries()) {
    node.isOpening = index < opening;
    note(node, moverOf(node, index), said[index - opening]);
  }
}

// The moves with the opinions of their movers.
export function treeOf({ start, moves, movers, said, winner, frames, positions, changes, mistakes = [] }) {
  const tree = lineTree(start, moves),
    [root, ...nodes] = tree.line();
  noteAll(nodes, said, (_, index) => movers[index]);
  // Of a report all positions are known; there is nobody who could be asked.
  const known = { error: null, result: null, reason: "", moves: [], table: null };
  for (const [ply, pieces] of (frames ?? []).entries()) {
    const node = nodes[ply - 1] ?? root,
      mover = movers[ply] ?? null;
    Object.assign(node, {
      change: changes[ply - 1] ?? null,
      facts: { ...known, pieces, fen: positions[ply], turn: mover === null ? "none" : `p${mover + 1}` },
      mark: mistakes.includes(ply) ? "??" : "",
    });
  }
  (nodes.at(-1) ?? root).value = ofResult(endOf({ winner }).result);
  return tree;
}

export function panel(table) {
  const play = action("play", "replay", playOrStop),
    // Of a game under way.
    live = action("skip-forward", "to live", () => table.go(table.tip), { class: "primary" });
  const { end, number, players, moves } = table,
    about = end && [t("game number", { n: number + 1 }), players.join(" – "), resultOf(table), ending(table, end)],
    all = app.data ? "#/" : (/^#\/watch\/[^/]+/.exec(location.hash)?.[0] ?? "#/watch");
  let timer = null;
  const element = h(".panel.record", [
    about && h("p", { "data-about": "" }, about.join(" · ")),
    table.graph.element,
    moves.element,
    h(".actions", [
      live,
      play,
      action("arrow-up-down", "flip", () => table.flip()),
      table.tree.nextMarked() && moves.mistake,
      h("a.button", { href: all }, icon("chevron-left"), t("every game")),
    ]),
  ]);

  function update() {
    const { tree, tip } = table,
      { node } = tree;
    live.hidden = !tip || tip === node;
    try {
      history.replaceState(null, "", `${location.hash.split("?")[0]}?ply=${tree.ply()}`);
    } catch {
      /* browsers may refuse that to a local file */
    }
  }

  function playOrStop() {
    if (timer) return close();
    const { tree } = table;
    if (tree.node.children.length === 0) table.go(tree.root);
    play.lastChild.data = t("replay stop");
    timer = setInterval(() => {
      const [next] = table.tree.node.children;
      if (next) table.go(next, !calm());
      else close();
    }, STEP_MS);
  }
  // Also ends a replay.
  function close() {
    clearInterval(timer);
    timer = null;
    play.lastChild.data = t("replay");
  }
  return { element, update, close };
}
