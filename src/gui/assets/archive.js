// The games of this browser: to look for, to go on with, to throw away, to hand out as a file.

import { action, h, iconButton, keep, kept } from "./dom.js";
import { fileButton, saveGames } from "./files.js";
import { pgnOf } from "./game-files.js";
import { keptGames, kindOf, namesOf, titleOf } from "./games.js";
import { app, offerUndo } from "./page.js";
import { sideText } from "./telling.js";
import { language, t } from "./texts.js";
import { Tree } from "./tree.js";

const MOST_LISTED = 200;

export function archive(main) {
  document.title = `${t("my games")} · reynard`;
  let games = keptGames()
      .map(described)
      .filter(({ plies, tree }) => plies > 0 || tree.start),
    found = games;
  const status = h("p", { class: "quiet", role: "status" }),
    list = h("tbody"),
    field = h("input", { type: "search", name: "search", "aria-label": t("search"), placeholder: t("search") });
  field.addEventListener("input", show);

  // Every word that is looked for has to be found somewhere in a game.
  function show() {
    const words = field.value.toLowerCase().split(/\s+/);
    found = games.filter(({ text }) => words.every(word => text.includes(word)));
    status.textContent = t("games in file", { n: found.length });
    list.replaceChildren(...found.slice(0, MOST_LISTED).map(row));
  }

  const row = game =>
    h(
      "tr",
      { "data-kept": game.id },
      h("td", {}, game.day),
      h("td", {}, h("a", { href: game.href }, game.title)),
      h("td", {}, game.names.join(" – ")),
      h("td", {}, game.ended),
      h("td", { class: "n" }, t("plies", { n: game.plies })),
      h(
        "td",
        {},
        iconButton("trash-2", t("delete"), () => remove([game]), { "data-action": "delete" }),
      ),
    );

  function remove(lost) {
    const old = lost.map(({ id }) => [`game ${id}`, kept(`game ${id}`)]);
    const put = (others, stored) => {
      stored.forEach(([key, value]) => keep(key, value));
      games = others;
      show();
    };
    const before = games;
    offerUndo(t("undo games", { n: lost.length }), () => put(before, old));
    put(
      games.filter(game => !lost.includes(game)),
      old.map(([key]) => [key, null]),
    );
  }

  main.className = "sheet archive";
  main.replaceChildren(
    h("h1", {}, t("my games")),
    h(
      "div",
      { class: "actions" },
      field,
      action("download", "save all", () => saveGames("reynard", found)),
      action("trash-2", "delete all", () => found.length > 0 && remove(found)),
      fileButton(),
    ),
    status,
    h("div", { class: "wide" }, h("table", { class: "grid" }, list)),
  );
  show();
}

// A kept game with what its row shows, and the text in which is searched.
function described(game) {
  const { id, variant, tree, date, outcome } = game,
    known = app.games.find(({ name }) => name === variant),
    moves = Tree.load(tree).line().slice(1),
    view = kindOf(game),
    winner = /^p(\d)win$/.exec(outcome?.result)?.[1],
    names = view === "play" || game.players ? namesOf(game) : [],
    title = known ? titleOf(known) : variant,
    day = date ? new Date(date).toLocaleDateString(language) : "",
    side = winner && (known?.seats[winner - 1] ?? `p${winner}`);
  const ended = !outcome ? "" : winner ? t("wins", { side: sideText(side) }) : t("draw");
  return {
    ...game,
    title,
    names,
    day,
    ended,
    plies: moves.length,
    href: `#/${view}/${encodeURIComponent(variant)}?id=${id}`,
    text: [title, variant, day, ended, ...names, pgnOf(game)].join(" ").toLowerCase(),
  };
}
