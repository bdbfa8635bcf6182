// A tournament or a tuning run as it goes, or a report of one: boards of the games under way, what it says by now, and the
// table of each of its games.

import { thumbnail } from "./board-parts.js";
import { TICK_MS, watched } from "./clock.js";
import { action, fill, h, icon } from "./dom.js";
import { endOf, lineTree } from "./game-files.js";
import { nameOf } from "./games.js";
import { LOOKS, app, every, go, runAddress, sheet } from "./page.js";
import { gameOf, noteAll, treeOf } from "./record.js";
import { gameAddress, reportOf, verdictText } from "./report.js";
import { drawClocks, drawSeats } from "./situation.js";
import { fetchJson, followRun, imported, latest, post, runFile } from "./server.js";
import { kept } from "./store.js";
import { Table } from "./table.js";
import { seatOf } from "./telling.js";
import { dayText, sentence, t } from "./texts.js";

const MOST_BOARDS = 6,
  // In one answer of the server.
  MOST_GAMES = 500;

// `#/watch/RUN` is one of them, `#/watch/RUN/game-N` a game of it, `live-N` one under way, `#/watch` the last run.
export async function watch(main, [name = "", game], query, signal) {
  const report = reportOf();
  if (app.data) {
    const { facts, head, figures } = app.data;
    main.className = "sheet report";
    fill(main, report.elements);
    report.update({ ...facts, head: [...head], figures: [...figures] });
    return report.listGames(app.data.games, facts);
  }
  const [kind, number] = game?.split("-") ?? [];
  if (game && !(number > 0)) throw new Error(t("no such game", { name: game }));
  if (game) return (kind === "live" ? openLive : record)(main, [number, name], query, signal);
  const state = h("p", { role: "status" }),
    live = h(".live"),
    runs = h("details.runs", { hidden: true });
  const [controls, files] = [h("span.actions"), h("span.actions")],
    wrong = h("p.wrong", { role: "alert" }),
    told = h("p.quiet", { "data-learning": "" }),
    fresh = h("details", h("summary", t("new run")));
  const [head, bars, list, figures] = report.elements;
  const course = h(".course", head, h(".actions", state, files, controls), told, wrong, fresh);
  sheet(main, t("watch title"), [course, live, bars, runs, list, figures]);
  main.classList.add("report");
  imported(() => import("./run-form.js")).then(({ runForm }) => fresh.append(runForm()));
  const boards = [];
  let run = null,
    // Its finished games by their numbers.
    known = new Map(),
    // What is known of it and of the last run that a page has started.
    seen = {},
    child = {},
    // The runs of the folder.
    listed = [];
  const tick = ({ table, far, near }) => table?.watched && drawClocks(table.watched, far, near);
  every(TICK_MS, () => boards.forEach(tick), signal);
  followRun(name, signal, event => {
    // Without a name in the address it is the last one, which may become another.
    name = event.name ?? name;
    if (event.watch === "run") begin(event.run);
    if (event.state) show(event.state);
    if (event.child) control(event.child);
    if (!event.live) return;
    if (run) event.live.slice(0, MOST_BOARDS).forEach((game, index) => (boards[index] ??= boardAt(index)).show(game));
    boards.forEach(({ figure }, index) => (figure.hidden = index >= event.live.length));
  });

  function begin(next) {
    [run, known, seen] = [next, new Map(), {}];
    boards.splice(0);
    live.replaceChildren();
    report.listGames([]);
    report.update({});
  }

  function show(now) {
    if (now.running !== seen.running) listRuns(now);
    seen = now;
    const mine = listed.find(each => each.name === name);
    if (mine) runs.querySelector("[aria-current] small")?.replaceWith(runLine(mine).querySelector("small"));
    tell();
    if (!now.begun && !now.running) fresh.open = true;
    report.update(now);
    if (run) listGames(now);
  }

  function tell() {
    const { begun, error, running, games } = seen;
    fresh.hidden = !!(child.running || running);
    // What has begun is seen first, also at its end.
    fresh.open &&= !fresh.hidden;
    const file = (sign, file, text, facts, query = "") =>
      h("a.button", { href: runFile(name, file + query), "data-file": file, ...facts }, icon(sign), text);
    // The report may read nothing of what this page keeps.
    const looks = ["language", ...Object.keys(LOOKS)].flatMap(name => (kept(name) ? [[name, kept(name)]] : []));
    const made = games > 0 && [
      file("scroll-text", "report.html", t("report"), { target: "_blank" }, `?${new URLSearchParams(looks)}`),
      file("download", "games.pgn", t("games as pgn"), { download: "" }),
    ];
    fill(files, !running && made);
    const known = [nameOfRun(name), stateText(seen)].filter(Boolean).join(" · ");
    state.textContent = begun === false ? (child.learns ? "" : t("watch intro")) : (error ?? known);
  }

  // The runs of the folder, where it has several; a click shows one.
  const listRuns = latest(async () => {
    listed = (await fetchJson("/api/runs")).filter(({ spec, state }) => spec || state.begun);
    runs.hidden = listed.length < 2;
    runs.open ||= !seen.running;
    fill(runs, h("summary", h("h2", t("runs", { n: listed.length }))), h("ol", listed.toReversed().map(runLine)));
  });
  function runLine({ name: each, began, spec, run, ...known }) {
    // Of the run that is shown more is known by now.
    const state = each === name && "games" in seen ? seen : known.state,
      { learn, parameters } = JSON.parse(spec ?? "{}"),
      players = known.state.standings?.ranking.map(index => run.engines[index]) ?? run?.engines ?? [],
      games = [...new Set(run?.rulesets.map(({ label }) => nameOf(label)))].join(", "),
      tuned = () => t("tuning of", { what: parameters.map(({ name }) => name).join(", ") }),
      played = learn
        ? t("learned game", { game: nameOf(learn) })
        : `${games}: ${parameters ? tuned() : players.join(" – ")}`,
      title = [nameOfRun(each), played].filter(Boolean).join(": "),
      day = began && dayText(1000 * began.secs_since_epoch),
      course = [run && stateText(state), day, verdictText(state)],
      facts = [run?.limits && sentence(run.limits), ...course],
      link = { href: runAddress(each), "data-run": each, "aria-current": each === name && "page" };
    return h("li", h("a.button", link, h("b", title), h("small", facts.filter(Boolean).join(" · "))));
  }

  // The last games anew, since they end in any order, and piece by piece those before them that are not known yet.
  const listGames = latest(now => listAll(now).catch(({ message }) => (state.textContent = message)));
  async function listAll({ games: count }) {
    const [mine, all] = [run, known];
    for (let from = count; from > 0 && all.size < count;) {
      from = Math.max(0, from - MOST_GAMES);
      const { games } = await fetchJson(runFile(mine.name, `games?from=${from}&count=${MOST_GAMES}`));
      if (mine !== run) return;
      const isFirst = all.size === 0;
      for (const game of games) all.set(game.game, game);
      const listed = [...all.values()].sort((a, b) => b.game - a.game);
      if (isFirst || from === 0 || all.size >= count) report.listGames(listed, mine);
    }
  }

  // The last run that a page has started, which may be this one.
  function control(now) {
    const { running, stopped, error, said } = now,
      isMine = now.name === name,
      game = isMine && now.learns,
      // What went wrong elsewhere before this visit has been read.
      isNews = isMine || "running" in child;
    if (running !== child.running || now.name !== child.name) listRuns(now);
    child = { ...now, learns: game };
    told.textContent = game ? `${t("learning", { game: nameOf(game) })} ${sentence(said ?? "")}` : "";
    tell();
    const ask = what => post(`/api/run/${what}`, name).catch(({ message }) => (wrong.textContent = message)),
      act = (sign, what) => action(sign, `${what} run`, () => ask(what));
    fill(controls, [
      running && isMine && act("square", "stop"),
      stopped && [act("play", "resume"), h("span.quiet", t("played anew"))],
      running && !isMine && h("a.button", { href: runAddress(now.name), "data-elsewhere": "" }, t("run elsewhere")),
    ]);
    // Files of the server say nothing to whoever has filled in a form.
    wrong.textContent = isNews ? (error ?? "") : "";
  }

  function boardAt(index) {
    const [far, link, near, more] = [h(".seat"), h("a"), h(".seat"), h("figcaption")],
      figure = h("figure", { "data-live": index }, h("div", far, link, near), more),
      place = { figure, far, link, near, more, show: latest(now => draw(place, now)) };
    live.append(figure);
    return place;
  }

  async function draw(place, now) {
    const { game: number } = now.fixture,
      address = gameAddress(name, number, "live"),
      known = place.table?.tree.moves(place.table.tip) ?? [];
    // Another step of a tuning may have a game of the same number. The moves and the graph lead to its board.
    if (place.table?.number !== number || known.some((move, ply) => now.moves[ply] !== move))
      place.table = await tableOf(run, now, { go: node => go(`${address}?ply=${place.table.tree.ply(node)}`) });
    const { table, link } = place,
      { game, tree, moves, graph } = table,
      title = t("game number", { n: number + 1 }),
      facts = await follow(table, now),
      board = thumbnail(game, { pieces: facts.pieces, change: tree.node.change, style: "" });
    board.dataset.position = facts.fen;
    link.setAttribute("aria-label", title);
    link.href = address;
    fill(link, board);
    drawSeats(table, facts, place);
    moves.update();
    graph.update();
    if (!place.more.contains(moves.element)) fill(place.more, h("h2", title), graph.element, moves.element);
  }
}

// A game under way, not shown yet.
async function tableOf(run, { fixture, start, moves }, given) {
  const game = await gameOf(run.rulesets[fixture.ruleset]),
    tree = lineTree(start, moves),
    players = fixture.seats.map(engine => run.engines[engine]),
    tip = (tree.node = tree.line().at(-1));
  return new Table({ game, tree, mode: "record", players, tip, number: fixture.game, ...given });
}

// Takes over what was played and said since; who looks at an earlier position, or at moves of one's own, stays there.
async function follow(table, { moves, said, ...times }) {
  const { tree } = table,
    isAtTip = tree.node === table.tip,
    tip = (table.tip = tree.extend(table.tip, moves.slice(tree.ply(table.tip))));
  if (isAtTip) tree.node = tip;
  const facts = await table.facts(tip);
  noteAll(
    tree.path(tip),
    said.map(([, ...opinion]) => opinion),
  );
  table.watched = watched(times, seatOf(facts.turn));
  return facts;
}

// Of one that a page has started; "" of others.
const nameOfRun = (name = "") => name.replace(/^run-(\d+)$|.*/, (all, n) => (n ? t("run number", { n }) : ""));

// How far a run has come.
function stateText({ games, expected: of, running, complete }) {
  const counted = t(of ? "games of" : "games in file", { n: games, of });
  return `${counted} · ${t(running ? "running" : complete ? "finished" : "stopped")}`;
}

const archived = (run, number) => fetchJson(runFile(run, `games/${number}`));

// The game of that number, from 1, of a run or of a report; `ply` of the address is shown.
export async function record(main, [count, run], query, signal) {
  const number = count - 1,
    found = app.data?.record(number) ?? (await archived(run, number)),
    game = await gameOf(found.rules);
  if (signal.aborted) return;
  if (!game) return fill(main, h("h1", found.ruleset), h("p", found.moves.join(" ")));
  const tree = treeOf(found),
    { engines: players, winner } = found,
    table = new Table({ game, tree, mode: "record", players, winner, end: endOf(found), number });
  tree.node = tree.line()[+query.get("ply")] ?? tree.root;
  await table.open(main, signal);
}

// The game of that number, from 1, followed to its end; from then on its record.
function openLive(main, [count, name], query, signal) {
  const number = count - 1;
  let [run, isGone, table] = [null, false, null];
  followRun(name, signal, event => {
    if (event.watch === "run") run = event.run;
    if (event.live) {
      const now = event.live.find(({ fixture }) => fixture.game === number);
      isGone = !now;
      if (now && run) show(now);
    }
    // It is in the journal by the time that something is said of it there.
    if (isGone && (event.live || event.state)) end();
  });

  const show = latest(now => (table ? add(now) : open(now)));

  async function open(now) {
    const made = await tableOf(run, now);
    if (signal.aborted) return;
    table = made;
    table.tree.node = table.tree.line()[query.get("ply") ?? -1] ?? table.tip;
    const tick = () => table.watched && drawClocks(table.watched, table.parts.far, table.parts.near);
    every(TICK_MS, tick, signal);
    await table.open(main, signal);
    await add(now);
  }

  async function add(now) {
    const isAtTip = table.tree.node === table.tip;
    await follow(table, now);
    await table.refresh({ isAnimated: isAtTip });
  }

  // A game of another tournament or of another step of a tuning may have the same number.
  async function end() {
    const record = await archived(name, number).catch(() => null);
    if (signal.aborted || !isGone) return;
    const { tree, mode, tip } = table ?? {},
      played = tree?.moves(tip) ?? [];
    if (record && played.every((move, ply) => record.moves[ply] === move)) {
      if (table && mode !== "record") return;
      const isAtEnd = tree ? tree.node === tip : !query.has("ply"),
        ply = isAtEnd ? record.moves.length : (tree?.ply() ?? query.get("ply"));
      history.replaceState(null, "", `${gameAddress(name, number)}?ply=${ply}`);
      go(location.hash);
    } else if (table) table.parts.status.textContent = t("finished");
    else {
      const back = h("a", { href: runAddress(name) }, t("watch"));
      sheet(main, t("watch title"), h("p", { role: "status" }, t("nothing yet")), back);
    }
  }
}
