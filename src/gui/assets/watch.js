// A tournament or a tuning run as it goes, or a report of one: boards of the games under way, and what it says by now.

import { thumbnail } from "./board-parts.js";
import { TICK_MS, watched } from "./clock.js";
import { action, button, fill, h } from "./dom.js";
import { lineTree } from "./game-files.js";
import { nameOf } from "./games.js";
import { evaluationGraph } from "./graph.js";
import { scoreText } from "./judge.js";
import { app, every, go } from "./page.js";
import { gameOf, noteAll, scoreOf } from "./record.js";
import { Report, verdictText } from "./report.js";
import { drawClocks, who } from "./seat-lines.js";
import { fetchJson, follow, imported, latest, look, post } from "./server.js";
import { seatOf, sideText } from "./telling.js";
import { language, sentence, t } from "./texts.js";

const MOST_BOARDS = 6,
  // In one answer of the server.
  MOST_GAMES = 500,
  DATE = { dateStyle: "medium", timeStyle: "short" };

export async function watch(main, rest, query, signal) {
  main.className = "sheet report";
  const report = new Report();
  if (app.data) {
    const { facts, head, figures } = app.data;
    fill(main, report.elements);
    report.update({ ...facts, head: [...head], figures: [...figures] });
    return report.listGames(app.data.games, facts.rulesets);
  }
  document.title = `${t("watch title")} · reynard`;
  const state = h("p", { role: "status" }),
    live = h(".live"),
    runs = h("details.runs", { hidden: true });
  if (!app.about.watch) return fill(main, h("h1", t("watch title")), h("p", t("watch none")));
  const controls = h(".actions"),
    wrong = h("p.wrong", { role: "alert" }),
    told = h("p.quiet", { "data-learning": "" }),
    fresh = h("details", h("summary", t("new run")));
  const [head, ...figures] = report.elements;
  fill(main, h("h1", t("watch title")), head, state, told, controls, wrong, fresh, runs, live, figures);
  imported(() => import("./run-form.js")).then(({ runForm }) => fresh.append(runForm()));
  const boards = [];
  let run = null,
    // Its finished games by their numbers.
    known = new Map(),
    // What is known of it and of the run that a page has started.
    seen = {},
    child = {};
  every(TICK_MS, () => boards.forEach(({ clock, figure }) => clock && drawClocks(clock, figure)), signal);
  follow("/ws/watch", signal, event => {
    if (event.watch === "run") begin(event.run);
    if (event.state) show(event.state);
    if (event.child) control(event.child);
    if (!event.live) return;
    if (run) event.live.slice(0, MOST_BOARDS).forEach((game, index) => (boards[index] ??= boardAt(index)).show(game));
    boards.forEach(({ figure }, index) => (figure.hidden = index >= event.live.length));
  });

  function begin(next) {
    run = next;
    known = new Map();
    boards.splice(0);
    live.replaceChildren();
    report.listGames([], []);
    report.update({});
    seen = {};
  }

  function show(now) {
    if (now.running !== seen.running) listRuns(now);
    seen = now;
    tell();
    if (!now.begun && !now.running) fresh.open = true;
    report.update({ ...now, expected: run?.expected });
    if (run) list(now);
  }

  function tell() {
    const { begun, error } = seen;
    fresh.hidden = !!(child.running || seen.running);
    state.textContent = begun ? (error ?? stateText(run, seen, child.stopped)) : child.learns ? "" : t("watch intro");
  }

  // The runs of the folder, where it has several; a click shows one.
  const listRuns = latest(async now => {
    const all = (await fetchJson("/api/runs")).filter(({ spec, state }) => spec || state.begun);
    runs.hidden = all.length < 2;
    runs.open ||= !now.running;
    fill(runs, h("summary", h("h2", t("runs", { n: all.length }))), h("ol", all.toReversed().map(runLine)));
  });
  function runLine({ name, shown, changed, spec, run, state }) {
    const { learn } = JSON.parse(spec ?? "{}"),
      games = [...new Set(run?.rulesets.map(({ label }) => nameOf(label)))].join(", "),
      title = learn ? t("learned game", { game: nameOf(learn) }) : `${games}: ${run?.engines.join(" – ")}`,
      date = new Date(1000 * changed.secs_since_epoch).toLocaleString(language, DATE),
      facts = [date, run && stateText(run, state), verdictText(state)],
      show = () => post("/api/run/show", name).catch(({ message }) => (wrong.textContent = message)),
      inner = [h("b", title), h("small", facts.filter(Boolean).join(" · "))];
    return h("li", button(inner, show, { "data-run": name, "aria-current": shown }));
  }

  // The last games anew, since they end in any order, and piece by piece those before them that are not known yet.
  const list = latest(now => listAll(now).catch(({ message }) => (state.textContent = message)));
  async function listAll({ games: count }) {
    const [mine, all] = [run, known];
    for (let from = count; from > 0 && all.size < count;) {
      from = Math.max(0, from - MOST_GAMES);
      const { games } = await fetchJson(`/api/archive?from=${from}&count=${MOST_GAMES}`);
      if (mine !== run) return;
      const isFirst = all.size === 0;
      for (const game of games) all.set(game.game, game);
      const listed = [...all.values()].sort((a, b) => b.game - a.game);
      if (isFirst || from === 0 || all.size >= count) report.listGames(listed, mine.rulesets);
    }
  }

  // What can be done with the run that a page has started.
  function control(now) {
    const { running, stopped, error, learns: game, said } = now,
      // What went wrong before this visit has been read.
      isNews = "running" in child;
    child = now;
    told.textContent = game ? `${t("learning", { game: nameOf(game) })} ${sentence(said ?? "")}` : "";
    tell();
    const ask = name => post(`/api/run/${name}`, "").catch(({ message }) => (wrong.textContent = message)),
      act = name => action(null, `${name} run`, () => ask(name));
    fill(controls, [running && act("stop"), stopped && act("resume")]);
    // Files of the server say nothing to whoever has filled in a form.
    wrong.textContent = isNews ? (error ?? "").replace(/^(reynard: )?(\S+\.json(:\d+)*: )?/, "") : "";
  }

  function boardAt(index) {
    const [far, link, near, line, course] = [h(".seat"), h("a"), h(".seat"), h("figcaption"), h("div")],
      figure = h("figure", { "data-live": index }, far, link, near, line, course),
      shown = { figure, link, places: [near, far], line, course, show: latest(now => draw(shown, now)) };
    live.append(figure);
    return shown;
  }

  async function draw(shown, { fixture, start, moves, said: spoken, ...times }) {
    const ruleset = run.rulesets[fixture.ruleset],
      game = (ruleset.game ??= await gameOf(ruleset)),
      { fen, turn, pieces, played } = await look(game, { start, moves }, ["played"]),
      title = t("game number", { n: fixture.game + 1 }),
      mover = seatOf(turn),
      board = thumbnail(game, { pieces, change: played.at(-1), style: "" });
    board.dataset.position = fen;
    shown.link.setAttribute("aria-label", title);
    shown.link.href = `#/live/${fixture.game}`;
    fill(shown.link, board);
    shown.clock = watched(times, mover);
    shown.places.forEach((place, seat) =>
      fill(place, who(seat === mover, null, game.seats[seat], run.engines[fixture.seats[seat]], shown.clock, seat)),
    );
    const [, score, depth, , variation] = spoken.at(-1) ?? [],
      side = game.seats[seatOf(played.findLast(({ mover }) => mover)?.mover ?? "p1")];
    const said = [
      title,
      (Number.isFinite(score) || score) && `${sideText(side)} ${scoreText({ score: scoreOf(score) })}`,
      depth && `${t("depth")} ${depth}`,
      variation?.[1]?.split(" ").slice(0, 8).join(" ") ?? moves.at(-1),
    ];
    shown.line.textContent = said.filter(Boolean).join(" · ");
    fill(
      shown.course,
      curve(game, lineTree(start, moves), played, spoken, () => go(shown.link.hash)),
    );
  }
}

// The scores of a game; a click leads to its board.
function curve(game, tree, changes, said, toBoard) {
  const nodes = tree.line().slice(1),
    graph = evaluationGraph({ game, tree, go: toBoard });
  nodes.forEach((node, ply) => (node.change = changes[ply]));
  noteAll(nodes, said);
  tree.node = nodes.at(-1) ?? tree.root;
  graph.update();
  return graph.element;
}

// How far a run has come. A test ends when it has decided, a tuning is `wasStopped`.
function stateText(run, { games, running, standings }, wasStopped) {
  const { expected } = run ?? {},
    counted = expected ? t("games of", { n: games, of: expected }) : t("games in file", { n: games }),
    isStopped = expected ? games < expected && !standings?.sprt : wasStopped;
  return `${counted} · ${t(running ? "running" : isStopped ? "stopped" : "finished")}`;
}
