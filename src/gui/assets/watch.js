// A tournament or a tuning run as it goes: standings, curves, boards, finished games.

import { BoardView } from "./board-view.js";
import { grid, h, row, s } from "./dom.js";
import { app } from "./page.js";
import { gameOf } from "./record.js";
import { fetchJson, look, reachable } from "./server.js";
import { t, word } from "./texts.js";

const MOST_BOARDS = 6,
  MOST_GAMES = 200,
  MOST_CURVES = 24,
  COUNTS = ["iteration", "number", "games", "at", "wins", "draws", "losses"];

export async function watch(main) {
  document.title = `${t("watch title")} · reynard`;
  main.className = "sheet";
  const head = h("p", { role: "status" }),
    place = h("div", {}),
    live = h("div", { class: "live" }),
    list = h("div", {});
  main.replaceChildren(h("h1", {}, t("watch title")), head, live, place, list);
  if (!app.about.watch) return void (head.textContent = t("watch none"));
  const boards = [];
  let run = null,
    listed = -1;
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/watch`);
  app.leave = () => {
    socket.onmessage = socket.onclose = null;
    socket.close();
  };
  // When the server is there again, the page is opened anew.
  socket.onclose = reachable;
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.run) run = event.run;
    if (event.state) state(event.state);
    if (!event.live) return;
    event.live.slice(0, MOST_BOARDS).forEach(show);
    boards.forEach(({ figure }, index) => figure?.toggleAttribute("hidden", index >= event.live.length));
  };

  function state({ running, error, games, standings, warnings = [], moments = [], trace = [] }) {
    head.textContent =
      error ??
      [
        run?.name,
        run?.expected ? t("games of", { n: games ?? 0, of: run.expected }) : t("games in file", { n: games ?? 0 }),
        !running && t("finished"),
      ]
        .filter(Boolean)
        .join(" · ");
    const parts = [];
    if (standings?.engines) parts.push(table(standings));
    if (standings?.sprt_verdict) parts.push(sprt(standings.sprt_verdict));
    parts.push(...warnings.map(text => h("p", { "data-warning": "" }, text)));
    if (moments.length > 1)
      parts.push(
        curve(
          `Elo: ${run?.engines?.[0] ?? ""}`,
          moments.map(({ elo }) => elo),
        ),
        ...(moments.some(({ llr }) => typeof llr === "number")
          ? [
              curve(
                "LLR",
                moments.map(({ llr }) => llr),
                bounds(standings),
              ),
            ]
          : []),
      );
    if (trace.length > 1) parts.push(...curves(trace));
    place.replaceChildren(...parts);
    if (games !== listed) {
      listed = games;
      archive();
    }
  }

  const number = (value, digits = 1) => (typeof value === "number" ? value.toFixed(digits) : "–");
  // Ratings, or the Elo of each engine's own games: between two, and where an engine has no rating.
  function ratings(engines) {
    const isRated = ({ rating, overall }) => rating.elo !== null || !overall.results.games;
    return engines.length > 2 && engines.every(isRated)
      ? engines.map(({ rating }) => rating)
      : engines.map(({ overall: { results } }) => ({ elo: results.estimate.elo, error: results.estimate.elo_error }));
  }
  function table({ engines, ranking }) {
    const rated = ratings(engines);
    const rows = (ranking ?? engines.map((_, index) => index)).map(index => ({
      ...engines[index],
      rating: rated[index],
    }));
    return h(
      "section",
      {},
      h("h2", {}, t("standings")),
      grid(
        [t("engine"), "Elo", "±", t("points"), t("games played"), "+", "=", "−"],
        rows.map(({ name, rating, overall }) =>
          row(name, [
            number(rating?.elo),
            number(rating?.error),
            ...["points", "games", "wins", "draws", "losses"].map(key => overall?.results?.[key] ?? ""),
          ]),
        ),
      ),
    );
  }

  const bounds = ({ sprt_verdict: verdict }) => (verdict?.bounds ? [verdict.bounds.lower, verdict.bounds.upper] : []);
  const sprt = ({ llr, decision, bounds: { lower, upper } }) =>
    h(
      "p",
      { "data-sprt": decision ?? "" },
      `SPRT: LLR ${number(llr, 2)} (${number(lower, 2)} … ${number(upper, 2)}) ${decision ?? ""}`,
    );

  // The parameters of a tuning and the numeric columns of its trace, counts apart.
  function curves(trace) {
    const named = (run?.spec?.parameters ?? []).map(({ name, as }) => {
      const label = as && as !== "both" ? `${name}@${as}` : name;
      return [label, trace.map(({ values }) => values?.[label])];
    });
    const keys = Object.keys(trace.at(-1)).filter(
      key => typeof trace.at(-1)[key] === "number" && !COUNTS.includes(key),
    );
    return [...named, ...keys.map(key => [key, trace.map(row => row[key])])]
      .slice(0, MOST_CURVES)
      .map(([title, values]) => curve(title, values));
  }

  function curve(title, values, lines = []) {
    const known = values.filter(value => typeof value === "number"),
      all = [...known, ...lines],
      low = Math.min(...all, 0),
      high = Math.max(...all, 0.001);
    const y = value => 70 - (68 * (value - low)) / (high - low || 1),
      x = index => (400 * index) / Math.max(1, known.length - 1);
    return h(
      "figure",
      { "data-curve": title },
      h("figcaption", {}, `${title}: ${number(known.at(-1))}`),
      s(
        "svg",
        { class: "graph", viewBox: "0 0 400 72", preserveAspectRatio: "none", role: "img", "aria-label": title },
        [0, ...lines].map(value => s("line", { class: "zero", x1: 0, x2: 400, y1: y(value), y2: y(value) })),
        s("polyline", {
          class: "curve",
          points: known.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
        }),
      ),
    );
  }

  async function archive() {
    const { games = [], total = 0 } = await fetchJson(
      `/api/archive?from=${Math.max(0, listed - MOST_GAMES)}&count=${MOST_GAMES}`,
    ).catch(() => ({}));
    const line = game =>
      h(
        "tr",
        {},
        h("td", {}, h("a", { href: `#/archive/${game.game}`, "data-archive": game.game }, `${t("open")} ${game.game}`)),
        h("td", {}, game.engines.join(" – ")),
        h("td", {}, game.winner === null ? t("draw") : game.engines[game.winner]),
        h("td", {}, word(game.reason)),
        h("td", { class: "n" }, game.plies),
      );
    list.replaceChildren(
      h("h2", {}, `${t("finished games")} (${total})`),
      games.length === 0
        ? h("p", { class: "quiet" }, t("nothing yet"))
        : h("table", { class: "grid" }, h("tbody", {}, [...games].reverse().map(line))),
    );
  }

  // Of what comes while a board is still being drawn the last is drawn next.
  async function show(game, index) {
    const shown = (boards[index] ??= { title: h("figcaption", {}) }),
      isBusy = !!shown.next;
    shown.next = game;
    while (!isBusy && run) {
      const now = shown.next;
      await draw(shown, now, index).catch(() => {});
      if (shown.next === now) break;
    }
    if (!isBusy) shown.next = null;
  }

  async function draw(shown, { fixture, start, moves }, index) {
    if (shown.ruleset !== fixture.ruleset) {
      shown.ruleset = fixture.ruleset;
      const game = (shown.game = await gameOf(run.rulesets[fixture.ruleset]));
      shown.view = new BoardView({ sideOf: owner => game.seats[owner] });
      shown.view.setBoard(game.board);
      shown.figure?.remove();
      live.append((shown.figure = h("figure", { "data-live": index }, shown.view.svg, shown.title)));
    }
    const { fen, pieces, played } = await look(shown.game, { start, moves }, ["played"]);
    shown.view.show({ pieces, change: played.at(-1) ?? null, fen });
    shown.title.textContent = `${fixture.game}: ${fixture.seats.map(engine => run.engines[engine] ?? engine).join(" – ")} · ${moves.length}`;
  }
}
