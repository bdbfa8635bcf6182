// What is proved: where the fox may start, asked of tables point by point, and the tables that are here.

import { app } from "./app.js";
import { titleOf } from "./choose.js";
import { BoardView } from "./board-view.js";
import { button, h, randomName, s, select } from "./dom.js";
import { Engine } from "./engine.js";
import { join, parse, placement } from "./setup.js";
import { t, word } from "./texts.js";

export async function truth(main, [name]) {
  const games = app.games.filter(({ family }) => family === "hunt"), game = games.find(each => each.name === name) ?? games[0];
  document.title = `${t("truth title")} · reynard`;
  const engine = new Engine({ id: `${randomName()}-truth` }), view = new BoardView({ sideOf: owner => game.seats[owner] });
  let build = null;
  engine.set("UCI_Variant", game.name);
  app.leave = () => { engine.close(); build?.close(); };
  const said = h("p", { role: "status" }), list = h("div", {});
  view.setBoard(game.board);
  view.svg.setAttribute("aria-label", t("truth title"));
  main.className = "sheet";
  main.replaceChildren(h("h1", {}, t("truth title")), h("p", {}, t("truth help")),
    select(t("game"), games.map(each => [each.name, titleOf(each)]), game.name, chosen => { location.hash = `#/truth/${chosen}`; }),
    h("div", { class: "atlas" }, view.svg, h("div", { class: "panel" }, said, list)));
  await Promise.all([map(), tables()]);

  // Every free point of the start with the fox on it, the geese to move as at the start.
  async function map() {
    const geese = game.pieces.filter(({ kind }) => kind === "goose"), fox = game.game.pieces.find(({ kind }) => kind === "fox"), goose = game.game.pieces.find(({ kind }) => kind === "goose");
    const taken = new Set(geese.map(({ point }) => point)), first = parse((await engine.ask("fen")).text), turn = first.keys.phase ? "g" : first.turn;
    view.show({ pieces: geese, fen: join(first) });
    if (!fox || !goose || game.rules.foxes !== 1) return void (said.textContent = t("no tables", { reason: game.rules.foxes }));
    const keys = { ...first.keys };
    delete keys.phase;
    let missing = "";
    for (const { name: point } of game.board.points.filter(each => !taken.has(each.name))) {
      const fen = join({ placement: placement(game.board, at => at === point ? fox.letter : taken.has(at) ? goose.letter : ""), turn, keys });
      engine.send(`position fen ${fen}`);
      const { text } = await engine.ask("table").catch(() => ({ text: "none: " }));
      if (text.startsWith("{")) mark(point, fen, JSON.parse(text));
      else missing = text.replace("none: ", "");
    }
    said.textContent = missing ? t("no tables", { reason: missing }) : t("probe");
  }

  function mark(point, fen, { winner, plies }) {
    const { x, y } = view.layout.places.get(point), side = winner && word(winner === "fox" ? game.rules.fox_side : game.rules.geese_side);
    const text = winner ? `${t("who wins", { side })}, ${t("in n plies", { n: plies })}` : t("draw");
    const open = () => { location.hash = `#/analyse/${game.name}?${new URLSearchParams({ fen })}`; };
    view._hints.append(s("circle", { class: `verdict ${winner === "fox" ? "loss" : winner ? "win" : "draw"}`, cx: x, cy: y, r: 14, "data-truth": point, "data-winner": winner ?? "draw", "data-plies": plies }, s("title", {}, `${point}: ${text}`)), s("text", { class: "worth", x, y: y + 4 }, winner ? plies : "="));
    view.onPoints = (view.onPoints ?? new Map()).set(point, open);
    view.isFree = true;
    view.onPoint = at => view.onPoints.get(at)?.();
  }

  async function tables() {
    if (!app.about.tables) return list.replaceChildren(h("p", { class: "quiet" }, t("tables none")));
    const known = await app.fetchJson("/api/tables").catch(() => []), rows = Array.isArray(known) ? known : known.tables ?? [];
    const most = h("input", { type: "number", min: 1, max: 13, value: 6, "aria-label": t("geese"), name: "geese" }), progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("build") }), note = h("p", { class: "note", role: "status" });
    const start = async () => {
      try { await app.fetchJson("/api/tables/build", { method: "POST", body: JSON.stringify({ ruleset: game.name, geese: +most.value }), headers: { "content-type": "application/json" } }); } catch (failure) { return void (note.textContent = failure.message); }
      progress.hidden = false;
      build = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/tables`);
      build.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        if (event.share !== undefined) progress.value = event.share;
        if (event.text) note.textContent = event.text;
        if (event.error) note.textContent = event.error;
        if (event.done || event.state === "done" || event.error) { progress.hidden = true; build.close(); tables(); map(); }
      };
    };
    const cell = (text, n) => h("td", n && { class: "n" }, text ?? "");
    list.replaceChildren(h("h2", {}, t("tables here")), rows.length === 0 ? h("p", { class: "quiet" }, t("nothing yet")) : h("table", { class: "grid" }, h("thead", {}, h("tr", {}, [t("game"), t("geese"), t("bytes")].map(text => h("th", { scope: "col" }, text)))), h("tbody", {}, rows.map(row => h("tr", {}, cell(row.ruleset), cell(row.geese, true), cell(row.bytes?.toLocaleString(), true))))),
      h("div", { class: "actions" }, h("label", { class: "field" }, h("span", {}, t("geese")), most), button(t("build"), start, { "data-action": "build" })), progress, note);
  }
}
