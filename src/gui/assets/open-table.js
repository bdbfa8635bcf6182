// The table of an address: a game that the browser keeps, else the one that the address tells; a game of a run.

import { TICK_MS, watched } from "./clock.js";
import { fill, h, randomName } from "./dom.js";
import { endOf, lineTree } from "./game-files.js";
import { gameOf, keptGame, kindOf } from "./games.js";
import { app, every, go, runAddress, sheet } from "./page.js";
import * as records from "./record.js";
import { gameAddress } from "./report.js";
import { drawClocks } from "./situation.js";
import { fetchJson, followRun, latest, runFile } from "./server.js";
import { Table } from "./table.js";
import { seatOf } from "./telling.js";
import { t } from "./texts.js";
import { Tree } from "./tree.js";

// `signal` is aborted when another page is shown.
export async function openAnalysis(main, [name], query, signal, mode = query.get("tab") ?? "analyse") {
  const id = query.get("id") ?? randomName(),
    saved = keptGame(id),
    tree = saved ? Tree.load(saved.tree) : new Tree(query.get("fen")),
    kind = kindOf({ mode, ...saved });
  if (!saved) for (const move of (query.get("moves") ?? "").split("_").filter(Boolean)) tree.play(move);
  if (mode === "play") tree.node = tree.through().at(-1) ?? tree.root;
  const game = await gameOf(name, saved?.own);
  const given = saved ? null : tree.start;
  if (!signal.aborted) await new Table({ ...saved, id, kind, game, tree, mode, given }).open(main, signal);
}
export const openPlay = (...given) => openAnalysis(...given, "play");

const archived = (run, number) => fetchJson(runFile(run, `games/${number}`));

// The game of that number, from 1, of a run or of a report; `ply` of the address is shown.
export async function openRecord(main, [count, run], query, signal) {
  const number = count - 1,
    record = app.data?.record(number) ?? (await archived(run, number)),
    game = await records.gameOf(record.rules);
  if (signal.aborted) return;
  if (!game) return fill(main, h("h1", record.ruleset), h("p", record.moves.join(" ")));
  const tree = records.treeOf(record),
    { engines: players, winner } = record,
    table = new Table({ game, tree, mode: "record", players, winner, end: endOf(record), number });
  tree.node = tree.line()[+query.get("ply")] ?? tree.root;
  await table.open(main, signal);
}

// The game of that number, from 1, followed to its end; from then on its record.
export function openLive(main, [count, name], query, signal) {
  const number = count - 1;
  let run = null,
    isGone = false,
    table = null;
  followRun(name, signal, event => {
    if (event.watch === "run") run = event.run;
    if (event.live) {
      const now = event.live.find(({ fixture }) => fixture.game === number);
      isGone = !now;
      if (now && run) show(now);
    }
    // It is in the journal by the time that something is said of it there.
    if (isGone && (event.live || event.state)) end();
  });

  const show = latest(now => (table ? add(now) : open(now)));

  async function open(now) {
    const { fixture, start, moves } = now,
      game = await records.gameOf(run.rulesets[fixture.ruleset]),
      tree = lineTree(start, moves);
    const players = fixture.seats.map(engine => run.engines[engine]),
      tip = (tree.node = tree.line().at(-1));
    if (signal.aborted) return;
    table = new Table({ game, tree, mode: "record", players, tip });
    const tick = () => table.watched && drawClocks(table.watched, table.parts.far, table.parts.near);
    every(TICK_MS, tick, signal);
    await table.open(main, signal);
    await add(now);
  }

  // Who looks at an earlier position, or at moves of one's own, stays there.
  async function add(now) {
    const { moves, said } = now,
      { tree } = table,
      isAtTip = tree.node === table.tip,
      tip = (table.tip = tree.extend(table.tip, moves.slice(tree.ply(table.tip))));
    if (isAtTip) tree.node = tip;
    const { turn } = await table.facts(tip);
    records.noteAll(tree.path(tip), said);
    table.watched = watched(now, seatOf(turn));
    await table.refresh({ isAnimated: isAtTip });
  }

  // A game of another tournament or of another step of a tuning may have the same number.
  async function end() {
    const record = await archived(name, number).catch(() => null);
    if (signal.aborted || !isGone) return;
    const { tree, mode, tip } = table ?? {},
      played = tree?.moves(tip) ?? [];
    if (record && played.every((move, ply) => record.moves[ply] === move)) {
      if (table && mode !== "record") return;
      const ply = !tree || tree.node === tip ? record.moves.length : tree.ply();
      history.replaceState(null, "", `${gameAddress(name, number)}?ply=${ply}`);
      go(location.hash);
    } else if (table) table.parts.status.textContent = t("finished");
    else {
      const back = h("a", { href: runAddress(name) }, t("watch"));
      sheet(main, t("watch title"), h("p", { role: "status" }, t("nothing yet")), back);
    }
  }
}
