// A game of a run while engines play it.

import { TICK_MS, watched } from "./clock.js";
import { h } from "./dom.js";
import { lineTree } from "./game-files.js";
import { every, go } from "./page.js";
import { gameOf, noteAll } from "./record.js";
import { drawClocks } from "./seat-lines.js";
import { fetchJson, follow, latest } from "./server.js";
import { Table } from "./table.js";
import { seatOf } from "./telling.js";
import { t } from "./texts.js";

// `#/live/N`: the game of that number, followed to its end; from then on its record.
export async function openLive(main, [number], query, signal) {
  let run = null,
    isGone = false,
    table = null,
    tip = null;
  follow("/ws/watch", signal, event => {
    if (event.watch === "run") run = event.run;
    if (event.live) {
      const now = event.live.find(({ fixture }) => fixture.game === +number);
      isGone = !now;
      if (now && run) show(now);
    }
    // It is in the journal by the time that something is said of it there.
    if (isGone && (event.live || event.state)) end();
  });

  const show = latest(now => (table ? add(now) : open(now)));

  async function open(now) {
    const { fixture, start, moves } = now,
      game = await gameOf(run.rulesets[fixture.ruleset]),
      tree = lineTree(start, moves);
    tip = tree.node = tree.line().at(-1);
    if (signal.aborted) return;
    table = new Table({ game, tree, mode: "record", players: fixture.seats.map(engine => run.engines[engine]) });
    const tick = () => table.watched && drawClocks(table.watched, table.parts.far, table.parts.near);
    every(TICK_MS, tick, signal);
    await table.open(main, signal);
    await add(now);
  }

  // Who looks at an earlier position, or at moves of one's own, stays there.
  async function add(now) {
    const { moves, said } = now,
      { tree } = table,
      isAtTip = tree.node === tip;
    tip = tree.extend(tip, moves.slice(tree.ply(tip)));
    if (isAtTip) tree.node = tip;
    const { turn } = await table.facts(tip);
    noteAll(tree.path(tip), said);
    table.watched = watched(now, seatOf(turn));
    await table.refresh({ isAnimated: isAtTip });
  }

  // A game of another tournament or of another step of a tuning may have the same number.
  async function end() {
    const record = await fetchJson(`/api/archive/${encodeURIComponent(number)}`).catch(() => null);
    if (signal.aborted || !isGone) return;
    const { tree, mode } = table ?? {},
      played = tree?.moves(tip) ?? [];
    if (record && played.every((move, ply) => record.moves[ply] === move)) {
      if (table && mode !== "record") return;
      const ply = !tree || tree.node === tip ? record.moves.length : tree.ply();
      history.replaceState(null, "", `#/record/${number}?ply=${ply}`);
      go(location.hash);
    } else if (table) table.parts.status.textContent = t("finished");
    else {
      main.className = "sheet";
      main.replaceChildren(h("p", { role: "status" }, t("nothing yet")), h("a", { href: "#/watch" }, t("watch")));
    }
  }
}
