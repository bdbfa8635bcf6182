// Files that a person opens or drops on the page, where a ruleset leads to the editor of rulesets and games to their review;
// and the games of this browser: to look for, to go on with, to throw away, to hand out as a file.

import { action, button, h, iconButton } from "./dom.js";
import { pgnOf, readFile } from "./game-files.js";
import { gameList } from "./game-list.js";
import { catalogued, keepGame, keptGame, keptGames, nameOf, namesOf, newGame } from "./games.js";
import { address, go, offerUndo, offerUndoThere, sheet } from "./page.js";
import { keep, kept } from "./store.js";
import { dayText, t } from "./texts.js";
import { onlyPerson, winnerOf, wonText } from "./telling.js";

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
    own = catalogued(name) || !rules ? undefined : typeof rules === "string" ? rules : JSON.stringify(rules);
  newGame("analyse", { name, own }, { players, end, tree: read().save(), isRead: true }, "review");
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
export function file(main) {
  const { name = t("open file"), games = [], error } = opened ?? {},
    open = (game, index) => button(game.title || "?", () => openGame(game), { "data-file-game": index });
  const list = gameList({
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

export function archive(main) {
  const whole = game => ({ ...game, ...keptGame(game.id) }),
    list = gameList({
      columns: [
        [t("day"), ({ date }) => date ?? 0, ({ day }) => day],
        [t("game"), ({ title }) => title, ({ title, href }) => h("a", { href }, title)],
        [t("players"), ({ names }) => names.join(" – ")],
        [t("by result"), ({ ended }) => ended],
        [t("length"), ({ plies }) => plies, ({ plies }) => t("n plies", { n: plies })],
        ["", null, game => iconButton("trash-2", t("delete"), () => remove([game]), { "data-action": "delete" })],
      ],
      attributes: ({ id }) => ({ "data-kept": id }),
      textOf: game => (game.text ??= [...Object.values(game).flat(), pgnOf(whole(game))].join(" ").toLowerCase()),
      actions: [
        action("download", "save all", () => saveGames("reynard", list.found.map(whole))),
        action("trash-2", "delete all", () => list.found.length > 0 && remove(list.found)),
        fileButton(),
      ],
    });

  function remove(lost) {
    const before = list.games,
      stored = lost.map(({ id }) => keptGame(id));
    const put = (games, shown) => {
      lost.forEach(({ id }, index) => keepGame(id, games[index] ?? null));
      list.update(shown);
    };
    offerUndo(t("undo games", { n: lost.length }), () => put(stored, before));
    const left = before.filter(game => !lost.includes(game));
    put([], left);
  }

  sheet(main, t("my games"), list.element);
  list.update(keptGames().map(described));
}

// A kept game with what lists show of it.
export function described(game) {
  const { id, variant, kind, seats = [], date, outcome } = game,
    winner = winnerOf(outcome?.result),
    side = catalogued(variant)?.seats[winner] ?? `player ${winner + 1}`,
    isGame = kind === "play" || game.players;
  return {
    ...game,
    title: nameOf(variant),
    names: isGame ? namesOf(game) : [],
    day: date ? dayText(date) : "",
    ended:
      winner >= 0
        ? wonText(onlyPerson(seats), winner, side)
        : t(outcome ? "draw" : isGame ? "not ended" : "an analysis"),
    href: `#/${kind}/${encodeURIComponent(variant)}?id=${id}`,
  };
}
