// What is proved: who wins a game, from where, and the tables of perfect play that are here or can be made.

import { app, sheet } from "./page.js";
import { begin, duration, progressText, shareDone, soonest } from "./builds.js";
import { fetchJson, follow, look, post } from "./server.js";
import { isProvedAnywhere, nameOf, solvedFor, textOf, titleOf } from "./games.js";
import { circle, laterThumbnail, thumbnail } from "./board-parts.js";
import { BoardView } from "./board-view.js";
import { best, finder, section } from "./choose.js";
import { action, button, check, fill, h, icon, s, select } from "./dom.js";
import { namesOf, wordsOf } from "./shelf.js";
import { tableValues } from "./judge.js";
import { foxHomes, join, parse, placement, startWith } from "./setup.js";
import { counted, sideText } from "./telling.js";
import { number, t, word } from "./texts.js";

// Of positions at random, until one has something to teach.
const MOST_ROUNDS = 12;

export async function truth(main, [name], query, signal) {
  const { games } = app,
    game = name ? games.find(each => each.name === name) : games[0];
  if (!game) throw new Error(t("nothing proved", { name: nameOf(name) }));
  const { rules } = game;
  const view = new BoardView({ seats: game.seats }),
    onBoard = game.pieces.filter(({ kind }) => kind === "goose"),
    free = foxHomes(game),
    sideName = winner => (winner === "fox" ? rules.fox_side : rules.geese_side),
    winText = winner => (winner === "draw" ? t("draw") : t("wins", { side: sideText(sideName(winner)) })),
    { balance = "", solved } = textOf(game);
  const said = h("p", { role: "status", "data-atlas": "" }),
    here = h("section"),
    longest = h("section");
  view.setBoard(game.board);
  view.svg.setAttribute("aria-label", t("truth title"));
  view.isFree = free.length > 0;
  view.onPoint = point => free.includes(point) && (location.hash = analysed(startWith(game, point)));
  view.show({ pieces: game.pieces, fen: "" });
  const analysed = fen => `#/analyse/${game.name}?${new URLSearchParams({ fen })}`,
    of = isSolved => games.filter(({ text }) => Boolean(text.en?.solved) === isSolved),
    groups = [true, false].map(is => [t(is ? "solved" : "not proved"), of(is)]),
    named = groups.map(([title, games]) => [title, games.map(each => [each.name, titleOf(each)])]),
    list = h(".shelf.proved"),
    { find, none } = finder(list);
  fill(list, find, none, [groups.map(([title, games]) => section(title, games.map(proof)))]);
  sheet(main, t("truth title"), [
    h(".atlas", [
      view.svg,
      h(".panel", [
        select(t("game"), named, game.name, chosen => (location.hash = `#/truth/${chosen}`)),
        h("h2", solved ? balance : t("not proved")),
        said,
        proofOf(game),
        h(".actions", [
          h("a.button.primary", { href: `#/game/${game.name}` }, icon("play"), t("play")),
          h("a.button", { href: `#/analyse/${game.name}` }, icon("microscope"), t("analyse freely")),
        ]),
        here,
      ]),
    ]),
    longest,
    list,
  ]);
  const winner = { draw: "draw", [rules.fox_side]: "fox", [rules.geese_side]: "geese" }[solved];
  if (winner && isProvedAnywhere(game)) paint(Object.fromEntries(free.map(point => [point, { winner }])));
  else if (!solved) said.textContent = balance;
  if (game.family !== "hunt") return;

  let building;
  follow("/ws/tables", signal, ({ build }) => {
    // A short one is over before it is told that it runs; what is told at first was before this visit.
    const hasEnded = building !== undefined && build?.is_running === false;
    building = build;
    if (hasEnded) tables();
    else showBuild();
  });
  const progress = h("progress", { max: 1, "aria-label": t("build") }),
    note = h("p.note", { role: "status", "data-build": "" }),
    tell = ({ message }) => (note.textContent = message),
    halt = action("x", "stop", () => post("/api/tables/stop", "").catch(tell));
  await tables();

  // Says who wins wherever the fox begins, in a sentence where that is the same everywhere and takes as long, else as a map.
  function paint(points) {
    const shown = Object.entries(points).filter(([point]) => free.includes(point)),
      isMap = new Set(shown.map(([, { winner, plies_to_end: plies }]) => `${winner} ${plies}`)).size > 1,
      same = !isMap && shown[0]?.[1].plies_to_end,
      told = shown.length > 0 && t(isMap ? "probe" : "everywhere", { side: word(rules.fox_side), n: shown.length });
    const winners = new Set(shown.map(([, { winner }]) => winner)),
      key = who => h("span", { class: `verdict ${who}` }, winText(who));
    fill(said, told, same && ` ${t("to the end", { n: same })}`, h("span.key", [...winners].map(key)));
    view.show({ pieces: isMap ? onBoard : game.pieces, fen: "" });
    const mark = ([point, { winner, plies_to_end: plies }]) => {
      const { x, y } = view.layout.places.get(point),
        facts = { "data-truth": point, "data-winner": winner, "data-plies": plies },
        text = `${point}: ${winText(winner)}${plies ? `, ${t("to the end", { n: plies })}` : ""}`;
      return [
        s("circle", { class: `verdict ${winner}`, cx: x, cy: y, r: 13, ...facts }, s("title", {}, text)),
        s("text", { class: "worth", x, y: y + 4 }, plies ?? "="),
      ];
    };
    const dot = ([at, { winner }]) =>
      !game.pieces.some(({ point }) => point === at) && circle(`verdict ${winner}`, view.layout.places.get(at), 5);
    view.setMap(shown.map(isMap ? mark : dot));
  }

  async function tables() {
    const [atlas, { tables: all = [] }] = await Promise.all(
      [`/api/atlas/${game.name}`, "/api/tables"].map(each => fetchJson(each).catch(({ message }) => ({ message }))),
    );
    if (atlas.map) paint(atlas.map.points);
    const wins = atlas.longest_wins ?? [];
    fill(longest, wins.length > 0 && [h("h2", t("longest wins")), h(".diagrams", wins.map(diagram))]);
    const mine = all.filter(({ rulesets }) => rulesets?.includes(game.name)),
      tableText = ({ geese: [first, ...more], bytes, ends }) =>
        (more.length > 0 ? `${first}–` : "") +
        [counted(more.at(-1) ?? first, rules.geese_side), ends && t("with ends"), size(bytes)]
          .filter(Boolean)
          .join(", ");
    fill(here, [
      h("h3", t("tables here")),
      h("p", { "data-tables": "" }, mine.length === 0 ? t("no tables yet") : mine.map(tableText).join("; ")),
      mine.length > 0 && ending(Math.max(...mine.flatMap(({ geese }) => geese))),
      atlas.builds
        ? offer(atlas)
        : h("p.quiet", atlas.message ?? [t("no method"), " ", h("span", { lang: "en" }, atlas.reason)]),
      progress,
      note,
      halt,
    ]);
    showBuild();
  }

  // A way into the tables: there every move has its colour. Where all geese are in hand at the start, so are these.
  function ending(most) {
    const start = parse(game.start),
      hand = onBoard.length === 0 && start.keys.hand,
      n = Math.min(most, hand || onBoard.length),
      text = t("look into", { what: counted(n, rules.geese_side) }),
      find = () => (hand ? join({ ...start, keys: { ...start.keys, hand: n } }) : dilemma(n));
    const open = async ({ currentTarget: opener }) => {
      opener.disabled = true;
      const found = await Promise.resolve(find()).catch(tell);
      opener.disabled = false;
      if (found && !signal.aborted) location.hash = analysed(found);
    };
    return button(text, open, { icon: "microscope", "data-ending": n });
  }

  // A position with so many geese, another one each time, in which some moves are better than others, and the end is far;
  // else any.
  async function dilemma(n) {
    let any;
    for (let round = 0; round < MOST_ROUNDS && !signal.aborted; round++) {
      const tried = await Promise.all(["g", "f", "g", "f", "g", "f"].map(turn => scattered(n, turn))),
        told = ({ facts }) => [...tableValues(facts).values()],
        kinds = found => new Set(told(found).map(({ share }) => share)).size,
        far = found => Math.max(0, ...told(found).map(({ plies }) => plies ?? 0)),
        [best] = tried.sort((a, b) => (kinds(b) > 1) - (kinds(a) > 1) || far(b) - far(a));
      if (kinds(best) > 1) return best.start;
      if (kinds(best) > 0) any ??= best.start;
    }
    if (!any) throw new Error(t("tables are silent"));
    return any;
  }

  // A position of so many geese and the foxes at random.
  async function scattered(n, turn) {
    const points = game.board.points.map(({ name }) => name),
      take = count => Array.from({ length: count }, () => points.splice(Math.random() * points.length, 1)[0]),
      [foxes, left] = [rules.foxes, n].map(take),
      at = point => (foxes.includes(point) ? "F" : left.includes(point) ? "G" : ""),
      start = join({ placement: placement(game.board, at), turn, keys: {} });
    return { start, facts: await look(game, { start, moves: [] }) };
  }

  // The builds that this machine can do; the largest of the usual kind that takes some seconds is offered first.
  function offer({ builds, geese: all }) {
    if (builds.length === 0) return h("p.quiet", t("nothing to build"));
    const usual = builds.filter(({ metric }) => metric === "conversion"),
      most = usual.at(-1)?.geese ?? all,
      first = soonest(builds) ?? builds[0],
      counts = [...new Set(builds.map(({ geese }) => geese))].sort((a, b) => a - b),
      named = n => counted(n, rules.geese_side),
      price = h("p.quiet", { "data-price": "" }),
      list = counts.map(n => [n, named(n)]),
      field = select(t("tables up to"), list, first.geese, choose, { name: "build" }),
      ends = check(t("with ends"), false, is => choose((isWished = is)), { name: "ends" });
    const [count, box] = [field.querySelector("select"), ends.querySelector("input")];
    let isWished = false,
      chosen;
    // Of some numbers one kind alone is left to do.
    function choose() {
      const kinds = builds.filter(({ geese }) => geese === +count.value);
      chosen = kinds.find(({ metric }) => (metric === "end") === isWished) ?? kinds[0];
      box.checked = chosen.metric === "end";
      box.disabled = kinds.length < 2;
      const { seconds, memory, disk } = chosen,
        cost = { time: duration(seconds), memory: size(memory), disk: size(disk), what: named(chosen.geese) };
      price.textContent = t("price", cost);
    }
    choose();
    const start = () => begin(game.name, chosen).catch(tell);
    return [
      most < all && h("p.quiet", t("fits up to", { n: most, all })),
      h(".ask", field, button(t("build"), start, { icon: "plus", "data-action": "build" })),
      ends,
      price,
    ];
  }

  function showBuild() {
    const { ruleset, is_running: isRunning = false, is_stopped: isStopped, error } = building ?? {},
      starter = here.querySelector("[data-action=build]");
    progress.hidden = halt.hidden = !isRunning;
    halt.disabled = isStopped;
    progress.value = shareDone(building ?? {});
    if (starter) starter.disabled = isRunning;
    note.textContent = isRunning
      ? progressText(building)
      : (ruleset === game.name && (error ?? t(isStopped ? "build stopped" : "built"))) || "";
  }

  function diagram({ geese: count, winner, turn, plies, position, pieces }) {
    const side = word(rules.geese_side),
      facts = { n: count, side, turn: word(sideName(turn)), win: winText(winner), plies, moves: Math.ceil(plies / 2) },
      caption = t(winner === turn && turn === "geese" ? "longest win" : "longest of", facts);
    return h("figure", { "data-longest": position }, [
      h("a", { href: analysed(position), "aria-label": caption }, thumbnail(game, { pieces })),
      h("figcaption", caption),
    ]);
  }
}

// Who has proved it, and how one checks that; of a game that nobody has solved what is known.
function proofOf({ name, family, text: { en } }) {
  const others = ["solution", "no solution", "chance"],
    kind = others.includes(en.solved) ? en.solved : en.solved ? family : `open ${family}`,
    [text, ...commands] = t(`proof ${kind}`, { name }).split("\n"),
    known = word(`proof ${name}`);
  return [
    h("p", { "data-proof": kind }, text),
    commands.length > 0 && h("details", h("summary", t("repeat proof")), h("pre", commands.join("\n"))),
    !known.startsWith("proof ") && h("p", { "data-known": "" }, known),
  ];
}

// A game with what is known of it, which leads to its map.
function proof(game) {
  const winner = solvedFor(game);
  const card = h("li.card", [
    h("a", { href: `#/truth/${game.name}` }, laterThumbnail(game), h("strong", titleOf(game))),
    winner === null ? h("p.quiet", textOf(game).balance) : h(".marks", h("span", best(game, winner))),
  ]);
  return Object.assign(card, { words: wordsOf([card.textContent, namesOf(game)]) });
}

const size = bytes => {
  const step = Math.min(3, Math.max(1, Math.floor(Math.log2(bytes || 1) / 10)));
  return `${number(bytes / 1024 ** step, 1)} ${["", "KiB", "MiB", "GiB"][step]}`;
};
