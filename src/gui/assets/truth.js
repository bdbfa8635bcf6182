// What is proved: where the fox may start, and the tables that are here.

import { app } from "./page.js";
import { fetchJson, reachable } from "./server.js";
import { titleOf } from "./games.js";
import { thumbnail } from "./board-parts.js";
import { BoardView } from "./board-view.js";
import { button, grid, h, row, s, select } from "./dom.js";
import { join, parse, placement } from "./setup.js";
import { t, word } from "./texts.js";

export async function truth(main, [name]) {
  const games = app.games.filter(({ family }) => family === "hunt"),
    game = games.find(each => each.name === name) ?? games[0];
  document.title = `${t("truth title")} · reynard`;
  const view = new BoardView({ sideOf: owner => game.seats[owner] }),
    starts = new Map(),
    said = h("p", { role: "status", "data-atlas": "" }),
    list = h("div", {}),
    longest = h("section", {});
  const geese = game.pieces.filter(({ kind }) => kind === "goose"),
    fox = game.game.pieces.find(({ kind }) => kind === "fox"),
    goose = game.game.pieces.find(({ kind }) => kind === "goose");
  const sideName = winner => word(winner === "fox" ? game.rules.fox_side : game.rules.geese_side),
    hasOneFox = game.rules.foxes === 1;
  let building = null;
  app.leave = () => building?.close();
  view.setBoard(game.board);
  view.svg.setAttribute("aria-label", t("truth title"));
  view.isFree = true;
  view.onPoint = point => {
    const fen = starts.get(point);
    if (fen) location.hash = `#/analyse/${game.name}?${new URLSearchParams({ fen })}`;
  };
  main.className = "sheet";
  main.replaceChildren(
    h("h1", {}, t("truth title")),
    h("p", {}, t("truth help")),
    select(
      t("game"),
      games.map(each => [each.name, titleOf(each)]),
      game.name,
      chosen => {
        location.hash = `#/truth/${chosen}`;
      },
    ),
    h("div", { class: "atlas" }, view.svg, h("div", { class: "panel" }, said, list)),
    longest,
  );
  await Promise.all([map(), tables()]);

  async function map() {
    view.show({ pieces: hasOneFox ? geese : game.pieces, fen: "" });
    const { tables = [] } = app.about.tables ? await fetchJson("/api/tables").catch(() => ({})) : {};
    if (
      !tables.some(
        ({ rulesets, geese: counts }) => rulesets?.includes(game.name) && Math.max(...[counts].flat()) >= geese.length,
      )
    )
      return void (said.textContent = t("not built", { n: geese.length }));
    const atlas = await fetchJson(`/api/atlas/${game.name}`).catch(failure => ({ error: failure.message }));
    if (atlas.error) return void (said.textContent = t("no tables", { reason: atlas.error }));
    const { value } = atlas;
    said.textContent = `${value?.winner ? `${t("wins", { side: sideName(value.winner) })}, ${t("in n plies", { n: value.plies })}${atlas.plies_to_end ? `, ${t("to the end", { n: atlas.plies_to_end })}` : ""}` : t("draw")}.${hasOneFox ? ` ${t("probe")}` : ""}`;
    for (const [point, { winner, plies }] of Object.entries(atlas.points)) mark(point, winner, plies, atlas.first);
    longest.replaceChildren(
      h("h2", {}, t("longest wins")),
      h("div", { class: "diagrams" }, atlas.longest_wins.map(diagram)),
    );
  }

  function diagram({ geese: count, winner, turn, plies, position, pieces }) {
    const caption = `${t("geese")} ${count}, ${t("to move", { side: sideName(turn) })}: ${t("wins", { side: sideName(winner) })}, ${t("in n plies", { n: plies })}`,
      address = `#/analyse/${game.name}?${new URLSearchParams({ fen: position })}`;
    return h(
      "figure",
      { "data-longest": position },
      h("a", { href: address, "aria-label": caption }, thumbnail({ ...game, pieces })),
      h("figcaption", {}, caption),
    );
  }

  function mark(point, winner, plies, first) {
    const place = view.layout.places.get(point),
      taken = new Set(geese.map(each => each.point));
    if (!place || !fox || !goose) return;
    const text = winner ? `${t("wins", { side: sideName(winner) })}, ${t("in n plies", { n: plies })}` : t("draw");
    starts.set(
      point,
      join({
        placement: placement(game.board, at => (at === point ? fox.letter : taken.has(at) ? goose.letter : "")),
        turn: first === "fox" && game.rules.fox_start !== "choose" ? "f" : "g",
        keys: game.rules.first_move_forward ? { first: "1" } : {},
      }),
    );
    view._hints.append(
      s(
        "circle",
        {
          class: `verdict ${winner === "fox" ? "loss" : winner ? "win" : "draw"}`,
          cx: place.x,
          cy: place.y,
          r: 14,
          "data-truth": point,
          "data-winner": winner ?? "draw",
          "data-plies": plies,
        },
        s("title", {}, `${point}: ${text}`),
      ),
      s("text", { class: "worth", x: place.x, y: place.y + 4 }, winner ? plies : "="),
    );
  }

  async function tables() {
    if (!app.about.tables) return list.replaceChildren(h("p", { class: "quiet" }, t("tables none")));
    const known = await fetchJson("/api/tables").catch(failure => ({ tables: [], error: failure.message }));
    const most = h("input", { type: "number", min: 1, max: 12, value: 6, name: "geese" }),
      progress = h("progress", { max: 1, value: 0, "aria-label": t("build") }),
      note = h("p", { class: "note", role: "status", "data-build": "" }, known.error ?? "");
    progress.style.visibility = "hidden";
    const follow = build => {
      if (!build) return;
      progress.style.visibility = build.is_running ? "visible" : "hidden";
      if (build.of) progress.value = build.done / build.of;
      note.textContent =
        build.error ?? (build.is_running ? t("building", { layer: build.layer ?? 0, geese: build.geese }) : t("built"));
    };
    const start = async () => {
      note.textContent = "";
      try {
        await fetchJson("/api/tables/build", {
          method: "POST",
          body: JSON.stringify({ ruleset: game.name, geese: +most.value }),
          headers: { "content-type": "application/json" },
        });
      } catch (failure) {
        return void (note.textContent = failure.message);
      }
      listen();
    };
    const listen = () => {
      building?.close();
      building = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/tables`);
      building.onclose = reachable;
      building.onmessage = ({ data }) => {
        const { build } = JSON.parse(data);
        follow(build);
        if (build && !build.is_running) {
          building.close();
          if (!build.error) {
            map();
            tables();
          }
        }
      };
    };
    list.replaceChildren(
      h("h2", {}, t("tables here")),
      known.tables.length === 0
        ? h("p", { class: "quiet" }, t("nothing yet"))
        : grid(
            [t("game"), t("geese"), t("bytes")],
            known.tables.map(({ rulesets, name, geese, bytes = 0 }) =>
              row(rulesets?.join(", ") ?? name, [span(geese), `${(bytes / 2 ** 20).toFixed(1)} MiB`]),
            ),
          ),
      h(
        "div",
        { class: "actions" },
        h("label", { class: "field" }, h("span", {}, t("geese")), most),
        button(t("build"), start, { "data-action": "build" }),
      ),
      progress,
      note,
    );
    if (known.build?.is_running) listen();
  }
}

const span = geese => (Array.isArray(geese) && geese.length > 1 ? `${geese[0]}–${geese.at(-1)}` : String(geese ?? ""));
