// The games of this browser: to look for, to go on with, to throw away, to hand out as a file.

import { action, h, iconButton } from "./dom.js";
import { fileButton, saveGames } from "./files.js";
import { pgnOf } from "./game-files.js";
import { GameList } from "./game-list.js";
import { keepGame, keptGame, keptGames, nameOf, namesOf } from "./games.js";
import { app, offerUndo, sheet } from "./page.js";
import { sideText } from "./telling.js";
import { region, t } from "./texts.js";

export function archive(main) {
  const whole = game => ({ ...game, ...keptGame(game.id) }),
    list = new GameList({
      columns: [
        [t("day"), ({ date }) => date ?? 0, ({ day }) => day],
        [t("game"), ({ title }) => title, ({ title, href }) => h("a", { href }, title)],
        [t("players"), ({ names }) => names.join(" – ")],
        [t("by result"), ({ ended }) => ended],
        [t("plies"), ({ plies }) => plies],
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
      games = lost.map(({ id }) => [id, keptGame(id)]);
    const put = (shown, stored) => {
      stored.forEach(([id, game]) => keepGame(id, game));
      list.update(shown);
    };
    offerUndo(t("undo games", { n: lost.length }), () => put(before, games));
    const left = before.filter(game => !lost.includes(game));
    put(
      left,
      lost.map(({ id }) => [id, null]),
    );
  }

  sheet(main, t("my games"), list.element);
  const played = keptGames().filter(({ plies, start }) => plies > 0 || start);
  list.update(played.map(described));
}

// A kept game with what its row shows.
function described(game) {
  const { id, variant, kind, date, outcome } = game,
    known = app.games.find(({ name }) => name === variant),
    winner = /^p(\d)win$/.exec(outcome?.result)?.[1],
    side = winner && (known?.seats[winner - 1] ?? `p${winner}`);
  return {
    ...game,
    title: nameOf(variant),
    names: kind === "play" || game.players ? namesOf(game) : [],
    day: date ? new Date(date).toLocaleDateString(region()) : "",
    ended: !outcome ? "" : winner ? t("wins", { side: sideText(side) }) : t("draw"),
    href: `#/${kind}/${encodeURIComponent(variant)}?id=${id}`,
  };
}
