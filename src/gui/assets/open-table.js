// The table of an address: a game that the browser keeps, else the one that the address tells.

import { fill, h, randomName } from "./dom.js";
import { endOf } from "./game-files.js";
import { gameOf, keptGame, kindOf } from "./games.js";
import { app } from "./page.js";
import * as records from "./record.js";
import { fetchJson } from "./server.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";

// `signal` is aborted when another page is shown.
export async function openPlay(main, [name], query, signal) {
  const table = await tableOf(name, query, "play");
  table.tree.node = table.tree.through().at(-1) ?? table.tree.root;
  if (!signal.aborted) await table.open(main, signal);
}

export async function openAnalysis(main, [name], query, signal) {
  const table = await tableOf(name, query, query.get("tab") ?? "analyse");
  if (!signal.aborted) await table.open(main, signal);
}

async function tableOf(name, query, mode) {
  const id = query.get("id") ?? randomName(),
    saved = keptGame(id),
    tree = saved ? Tree.load(saved.tree) : new Tree(query.get("fen")),
    kind = kindOf({ mode, ...saved });
  if (!saved) for (const move of (query.get("moves") ?? "").split("_").filter(Boolean)) tree.play(move);
  const game = await gameOf(name, saved?.own);
  return new Table({ ...saved, id, kind, game, tree, mode });
}

// `#/record/N`: the game of that number of a run; `ply` of the address is shown.
export async function openRecord(main, [number], query, signal) {
  const record = app.data?.record(number) ?? (await fetchJson(`/api/archive/${encodeURIComponent(number)}`)),
    game = await records.gameOf(record.rules);
  if (signal.aborted) return;
  if (!game) return fill(main, h("h1", record.ruleset), h("p", record.moves.join(" ")));
  const tree = records.treeOf(record),
    table = new Table({ game, tree, mode: "record", players: record.engines, end: endOf(record) });
  tree.node = tree.line()[+query.get("ply")] ?? tree.root;
  await table.open(main, signal);
}
