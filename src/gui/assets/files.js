// Files that a person opens or drops on the page: a ruleset leads to the editor of rulesets, games to their review.

import { button, h } from "./dom.js";
import { pgnOf, readFile } from "./game-files.js";
import { GameList } from "./game-list.js";
import { nameOf, newGame } from "./games.js";
import { address, app, go, offerUndoThere, sheet } from "./page.js";
import { keep, kept } from "./store.js";
import { t } from "./texts.js";

const MOST_BYTES = 16 << 20;

let opened = null;

// A button that asks for a file.
export function fileButton() {
  const accept = ".json,.jsonl,.pgn,.txt",
    input = h("input", { type: "file", hidden: true, accept, onchange: () => take(input.files[0]) });
  return [button(t("open file"), () => input.click(), { icon: "folder-open", "data-action": "open-file" }), input];
}

export async function take(file) {
  if (!file) return;
  try {
    if (file.size > MOST_BYTES) throw new Error(t("file too large"));
    opened = { name: file.name, ...(await readFile(file)) };
  } catch (failure) {
    opened = { name: file.name, error: failure.message };
  }
  if (opened.ruleset) {
    const draft = kept("own draft");
    if (draft !== null) offerUndoThere(t("undo draft"), () => (keep("own draft", draft), go("#/own")));
    keep("own draft", opened.ruleset);
    return go("#/own");
  }
  if (opened.games?.length === 1) return openGame(opened.games[0]);
  go("#/file");
}

// Keeps a game and shows its review. A game that does not say of which ruleset it is belongs to the one on the page.
export function openGame({ variant, rules, players, end, read }) {
  const name = variant ?? address().rest[0] ?? "masters-15",
    isKnown = app.games.some(game => game.name === name),
    own = isKnown || !rules ? undefined : typeof rules === "string" ? rules : JSON.stringify(rules);
  newGame("analyse", { name, own }, { players, end, tree: read().save() }, "review");
}

// Hands a file out.
export function download(name, blob) {
  const link = h("a", { download: name, href: URL.createObjectURL(blob) });
  link.click();
  URL.revokeObjectURL(link.href);
}

// Games that the browser keeps, as one file.
export const saveGames = (name, games) =>
  download(`${name}.pgn`, new Blob([games.map(pgnOf).join("\n")], { type: "application/x-chess-pgn" }));

// The games of a file that has several.
export function filePage(main) {
  const { name = t("open file"), games = [], error } = opened ?? {},
    open = (game, index) => button(game.title || "?", () => openGame(game), { "data-file-game": index });
  const list = new GameList({
    columns: [
      [t("game"), ({ title }) => title, game => open(game, games.indexOf(game))],
      [t("by ruleset"), ({ variant }) => nameOf(variant)],
      [t("by result"), ({ result }) => result],
    ],
    textOf: ({ title, variant, result }) => `${title} ${nameOf(variant)} ${result}`.toLowerCase(),
    actions: fileButton(),
  });
  const said = error ?? (games.length === 0 && t("file help"));
  sheet(main, name, said && h("p", { role: "status", class: error ? "wrong" : "quiet" }, said), list.element);
  list.update(games);
}
