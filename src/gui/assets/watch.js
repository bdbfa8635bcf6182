// A tournament or a tuning run as it goes: standings, boards, finished games.

import { app } from "./app.js";
import { BoardView } from "./board-view.js";
import { h, keep, randomName } from "./dom.js";
import { Engine, positionLine } from "./engine.js";
import { t } from "./texts.js";

export async function watch(main) {
  document.title = `${t("watch title")} · reynard`;
  main.className = "sheet";
  const place = h("div", {}), live = h("div", { class: "live" }), list = h("div", {});
  main.replaceChildren(h("h1", {}, t("watch title")), place, live, list);
  if (!app.about.watch) return place.replaceChildren(h("p", { class: "quiet" }, t("watch none")));
  const boards = new Map();
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/watch`);
  app.leave = () => { socket.close(); boards.forEach(({ engine }) => engine.close()); };
  socket.onmessage = ({ data }) => { const event = JSON.parse(data); if (event.moves && event.ruleset) show(event); else refresh(); };
  await refresh();

  async function refresh() {
    const [facts, games] = await Promise.all([app.fetchJson("/api/watch").catch(() => null), app.fetchJson("/api/archive").catch(() => [])]);
    place.replaceChildren(facts ? standings(facts) : h("p", { class: "quiet" }, t("nothing yet")));
    const rows = Array.isArray(games) ? games : games.games ?? [];
    list.replaceChildren(h("h2", {}, t("finished games")), rows.length === 0 ? h("p", { class: "quiet" }, t("nothing yet")) : h("ol", {}, rows.slice(-200).reverse().map(game =>
      h("li", {}, h("button", { type: "button", onclick: () => open(game) }, `${t("open")} ${game.number ?? game.game ?? ""}`), ` ${[].concat(game.engines ?? game.seats ?? []).join(" – ")} ${game.result ?? ""} ${game.reason ?? ""}`))));
  }

  // Whatever table the server gives: rows of the same keys.
  function standings(facts) {
    const rows = facts.standings ?? facts.rows ?? [];
    const keys = rows.length > 0 ? Object.keys(rows[0]).filter(key => typeof rows[0][key] !== "object") : [];
    return h("section", {}, h("h2", {}, t("standings")), facts.title && h("p", {}, facts.title), rows.length === 0 ? h("p", { class: "quiet" }, t("nothing yet")) : h("table", { class: "grid" },
      h("thead", {}, h("tr", {}, keys.map(key => h("th", { scope: "col" }, key)))), h("tbody", {}, rows.map(row => h("tr", {}, keys.map(key => h("td", { class: typeof row[key] === "number" ? "n" : "" }, typeof row[key] === "number" ? +row[key].toFixed(2) : String(row[key] ?? ""))))))));
  }

  async function show({ game: number, ruleset, start, moves, seats }) {
    const game = app.games.find(({ name }) => name === ruleset);
    if (!game) return;
    let shown = boards.get(ruleset);
    if (!shown) {
      const engine = new Engine({ id: `${randomName()}-watch` }), view = new BoardView({ sideOf: owner => game.seats[owner] });
      engine.set("UCI_Variant", ruleset);
      view.setBoard(game.board);
      shown = { engine, view, title: h("figcaption", {}) };
      boards.set(ruleset, shown);
      live.append(h("figure", {}, view.svg, shown.title));
    }
    const list = Array.isArray(moves) ? moves : moves.split(" ").filter(Boolean);
    shown.engine.send(positionLine({ start, moves: list }));
    const [pieces, played] = await Promise.all([shown.engine.ask("pieces"), shown.engine.ask("played")]).catch(() => []);
    if (!pieces) return;
    shown.view.show({ pieces: JSON.parse(pieces.text), change: JSON.parse(played.text).at(-1) ?? null, isAnimated: true });
    shown.title.textContent = `${number ?? ""} ${[].concat(seats ?? []).join(" – ")} · ${list.length}`;
  }

  async function open(row) {
    const game = row.moves ? row : await app.fetchJson(`/api/archive/${row.number ?? row.game}`), id = randomName();
    const moves = Array.isArray(game.moves) ? game.moves.map(move => move.text ?? move) : String(game.moves ?? "").split(" ").filter(Boolean);
    const nest = moves.reduceRight((inner, move) => [move, "", "", ...(inner ? [inner] : [])], null);
    keep(`game ${id}`, { variant: game.ruleset, seats: [null, null], tree: { start: game.start ?? null, moves: nest ? [nest] : [], at: [] } });
    location.hash = `#/analyse/${game.ruleset}?id=${id}&tab=review`;
  }
}
