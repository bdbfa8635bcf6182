// The table of an address: a game that the browser keeps, else the one that the address tells.

import { keep, kept, randomName } from "./dom.js";
import { gameOf } from "./games.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";

// `isShown()` says whether the address is still that of the page.
export async function openPlay(main, [name], query, isShown) {
  const table = await tableOf(name, query, "play");
  if (!isShown()) return;
  keep("last game", table.id);
  table.tree.node = table.tree.through().at(-1) ?? table.tree.root;
  await table.open(main);
}

export async function openAnalysis(main, [name], query, isShown) {
  const table = await tableOf(name, query, query.get("tab") ?? "analyse");
  if (isShown()) await table.open(main);
}

async function tableOf(name, query, mode) {
  const id = query.get("id") ?? randomName(),
    saved = kept(`game ${id}`),
    tree = saved ? Tree.load(saved.tree) : new Tree(query.get("fen"));
  if (!saved) for (const move of (query.get("moves") ?? "").split("_").filter(Boolean)) tree.play(move);
  const game = await gameOf(name, saved?.own);
  return new Table({ seats: game.seats.map(() => null), ...saved, id, game, tree, mode });
}
