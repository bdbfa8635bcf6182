// The panel of an analysis: what engines and tables say of the position, and the tree of variations.

import { action, button, check, fill, h, icon, row, select } from "./dom.js";
import { distanceText, ofLine, ofResult, ofTable, percent } from "./judge.js";
import { shareOfFirst, styleOf, tableValues, worthText } from "./judge.js";
import { editor } from "./editor.js";
import { manySeat, provedShare, provedText } from "./games.js";
import { previewOf, searchView, steadyList } from "./search-view.js";
import { app } from "./page.js";
import { look } from "./server.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { number, t } from "./texts.js";

const SEARCHERS = ["auto", "alphabeta", "mcts", "solver"],
  HASH_MIB = [16, 64, 256, 1024],
  THREADS = [1, 2, 4, 8, 16, 32],
  // What a search of a position may take.
  LIMITS = ["infinite", "nodes 100000", "nodes 1000000", "nodes 10000000", "nodes 100000000"];

// What a person may change.
const USUAL = { isOn: true, isColoured: true, lines: 3, searcher: "auto", hash: 64, threads: 1, limit: LIMITS[0] };

// Half of what an engine process may take is for the rest of it.
const hashes = () => HASH_MIB.filter(n => 2 * n <= (app.about.limits?.engine_memory_mib ?? Infinity));

export function panel(table) {
  const wish = { ...USUAL, ...kept("analysis") },
    isAlone = table.game.seats.length === 1,
    searches = h(".searches"),
    preview = previewOf(table, () => draw(table.now)),
    proved = h("p.note", { "data-proved": "" }),
    guesses = h("span", t("estimates")),
    legend = h("p.quiet", { "data-legend": "" }),
    halt = button("", () => (isSearching() ? stop() : update(table.now)), { "data-action": "search" }),
    legal = steadyList(h(".legal-moves"), "button"),
    bar = h(".evalbar", { role: "img", "aria-label": t("evaluation") }, h("i")),
    comment = h("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), onchange: remark }),
    setup = editor(table, rest),
    ofMove = [
      action("trash-2", "delete from here", () => {
        table.losing(t("undo delete"));
        table.tree.remove(table.tree.node);
        table.refresh();
      }),
      action("arrow-left-right", "make main", () => (table.tree.promote(table.tree.node), table.refresh())),
    ],
    hints = h(".panel", [proved, searches, table.graph.element, legal.element]),
    engines = [],
    isSearching = () => engines.some(engine => engine.isSearching),
    stop = () => engines.forEach(engine => engine.stop()),
    views = {};
  // Values and best moves of the position by now, the share of the best one, what is proved of it and what a search thinks, the
  // last search, and whose moves are all shown.
  let values = new Map(),
    best = [],
    most = 0;
  let proof, live, search, unfolded;
  wish.hash = Math.min(wish.hash, Math.max(...hashes()));
  const element = h(".panel.analysis", [
    switches(),
    hints,
    table.moves.element,
    comment,
    h(
      ".actions",
      ofMove,
      action("arrow-up-down", "flip", () => table.flip()),
    ),
    setup.element,
    legend,
  ]);
  fill(table.parts.bar, bar);
  dress();
  return { element, update, key, close };

  function remark({ target }) {
    table.tree.node.comment = target.value;
    table.moves.update();
    table.remember();
  }

  function switches() {
    const set = key => value => {
      wish[key] = value;
      keep("analysis", wish);
      dress();
      update(table.now);
    };
    const threads = THREADS.filter(n => n <= (navigator.hardwareConcurrency ?? 1)),
      limitOf = limit => [limit, limit === LIMITS[0] ? t("until stopped") : strengthText(limit)],
      mib = n => [n, `${n} MiB`],
      programs = app.about.engines.map(({ name }, index) => [index, name]);
    const sit = index => (engines.splice(0).forEach(engine => engine.close()), set("engine")(+index));
    const pen = { "data-switch": "draw", title: t("draw help") };
    return h(".switches", [
      check(t("engine on"), wish.isOn, set("isOn"), { "data-switch": "engine" }),
      check(t("all moves"), wish.isColoured, set("isColoured"), { "data-switch": "colours" }),
      check(t("pen"), false, value => (table.view.hasPen = value), pen),
      h("details", [
        h("summary.quiet", t("more")),
        check(t("side by side"), wish.isDouble, set("isDouble"), { "data-switch": "double" }),
        check(t("hide hints"), wish.isHidden, set("isHidden"), { "data-switch": "hidden" }),
        h(".pair", [
          select(t("lines"), [1, 2, 3, 5, 8], wish.lines, set("lines")),
          select(t("search for"), LIMITS.map(limitOf), wish.limit, set("limit"), { name: "limit" }),
          select(t("searcher"), SEARCHERS, wish.searcher, set("searcher")),
          select(t("threads"), threads, wish.threads, set("threads")),
          select("Hash", hashes().map(mib), wish.hash, set("hash")),
          programs.length > 1 && select(t("engine"), programs, wish.engine ?? 0, sit),
        ]),
      ]),
      halt,
    ]);
  }

  // Space plays the best move that is known, l turns the engine on and off; whether the key is one of these.
  function key(name) {
    const first = [...values].sort(([, a], [, b]) => byWorth(a, b))[0]?.[0];
    if (name === " " && first && !wish.isHidden)
      table.play(table.now.moves.find(({ move }) => move === first) ?? first);
    else if (name === "l") element.querySelector("[data-switch=engine]").click();
    return name === " " || name === "l";
  }

  // What is seen at all.
  function dress() {
    hints.hidden = legend.hidden = wish.isHidden;
    bar.style.visibility = wish.isHidden ? "hidden" : "";
  }

  // While a position is set up nothing is said of the old one.
  function rest() {
    stop();
    values = new Map();
    table.view.setValues(null);
    searches.replaceChildren();
    legal.clear();
  }

  function update(facts) {
    if (!facts) return;
    const { node } = table.tree;
    if (setup.isOpen()) return;
    comment.value = node.comment;
    for (const button of ofMove) button.disabled = !node.parent;
    // The first player begins.
    const share = node.parent ? null : provedShare(table),
      by = facts.table ? "table" : "solved";
    proof = facts.table ? ofTable(facts.table) : share === null ? null : { share, exact: true };
    if (proof) node.value = { ...proof, turn: facts.turn };
    if (facts.result) node.value = ofResult(facts.result);
    proved.textContent = provedText(table, proof && shareOfFirst(node.value), by, distanceText(proof ?? {}));
    proved.append(" ", guesses);
    legend.textContent = t(table.game.game.has_dice ? "legend dice" : isAlone ? "legend alone" : "legend");
    if (table.game.game.has_drops) legend.append(` ${t("legend drops")}`);
    values = tableValues(facts);
    best = [];
    live = null;
    preview.shown = null;
    halt.hidden = true;
    legal.clear();
    search = null;
    stop();
    draw(facts);
    if (facts.result !== null || facts.error) fill(searches, h("p.quiet", facts.result ? t("no moves") : facts.error));
    else if (facts.turn === "chance") chances(node, facts);
    else if (wish.isOn && !wish.isHidden) think(node, facts);
    else fill(searches);
  }

  async function chances(node, facts) {
    const of = async (...more) => (await look(table.game, table.tree.position(node, ...more), ["chances"])).chances,
      found = await of();
    if (!found) legend.textContent = t("legend odds");
    if (!found || facts !== table.now || setup.isOpen()) return searches.replaceChildren();
    const wins = ({ win }, seat) => row(table.name(`p${seat + 1}`), [`${number(100 * win, 1)} %`]);
    fill(searches, h("table.grid", [found.players.map(wins)]));
    node.value = { share: found.players[0].win, exact: found.method === "exact", turn: "p1" };
    draw(facts);
    // What each throw would make of them.
    const after = await Promise.all(facts.moves.map(({ move }) => of(move)));
    if (facts !== table.now) return;
    for (const [index, { move }] of facts.moves.entries())
      if (after[index]) values.set(move, { share: after[index].players[table.actor(facts)].win, exact: false });
    draw(facts);
  }

  // One search, or the two searchers side by side.
  function think(node, facts) {
    // Alpha-beta is for one or two players: for more, mcts would stand beside itself.
    const rivals = table.game.seats.length <= 2 ? ["alphabeta", "mcts"] : ["mcts"],
      names = wish.isDouble ? rivals : [wish.searcher],
      item = line => lineOf(line, node),
      wanted = wish.isColoured ? Math.min(500, Math.max(wish.lines, facts.moves.length)) : wish.lines;
    // A searcher keeps its view, so that the keyboard stays there.
    const shown = names.map(name => (views[name] ??= searchView(name, () => preview.hide()))),
      mine = (search = {});
    shown.forEach(view => view.clear(wish.lines));
    fill(searches, [shown.map(({ element }) => element)]);
    halted(false);
    const begun = names.map((name, index) => {
      const engine = (engines[index] ??= table.newEngine(wish.engine ?? 0, () => update(table.now)));
      engine.set("Threads", wish.threads);
      engine.set("Hash", wish.hash);
      engine.set("MultiPV", wanted);
      engine.set("Searcher", name);
      let due = null;
      const show = lines => {
        if (!lines[0]) return;
        if (!due)
          requestAnimationFrame(() => {
            const last = due;
            due = null;
            if (node !== table.tree.node || setup.isOpen() || !element.isConnected) return;
            if (index === 0) learn(last, node, facts);
            shown[index].show(last, item, headline(last[0]), proof);
          });
        due = lines;
      };
      return engine
        .search(table.tree.position(node), wish.limit, (info, lines) => {
          if (info.pv) show(lines);
          else if (info.text?.includes("can no longer be reached")) shown[index].element.title = info.text;
        })
        .then(({ lines }) => show(lines))
        .catch(() => {});
    });
    Promise.all(begun).then(() => mine === search && halted(true));
  }

  function halted(isHalted) {
    halt.hidden = false;
    fill(halt, icon(isHalted ? "play" : "square"), t(isHalted ? "search on" : "stop"));
  }

  // What is proved of the position, else what a search thinks of it.
  function headline(line) {
    const { share, exact, mate } = proof ?? ofLine(line),
      key = { 1: "win", 0: "loss" }[share] ?? "draw";
    return exact ? t(isAlone ? `solution ${key}` : `proved ${key}`, { n: mate }) : worthText(share, exact);
  }

  // What the lines of a search are worth, where no table knows better.
  function learn(lines, node, facts) {
    // What a review has said of a position stays said.
    live = proof ? null : { ...ofLine(lines[0]), turn: facts.turn };
    const { root } = table.tree;
    if (live && !(root.judgedBy && table.tree.line().includes(node))) node.value = live;
    best = lines.slice(0, wish.lines).flatMap(line => line?.pv?.[0] ?? []);
    for (const line of lines)
      if (line?.pv && !values.get(line.pv[0])?.exact)
        // A way to the end of a puzzle need not be the shortest.
        values.set(line.pv[0], { ...ofLine(line), ...(isAlone && { mate: undefined }) });
    draw(facts);
  }

  function lineOf({ pv, multipv = 1, ...line }, node) {
    const known = values.get(pv[0]),
      worth = known?.exact ? textOf(known) : isAlone ? "" : textOf(ofLine(line));
    return h("li", { "data-line": multipv }, h("b", worth), preview.buttons(node, pv.slice(0, 14)));
  }

  function draw(facts) {
    const known = wish.isHidden ? new Map() : values;
    most = Math.max(0, ...[...known.values()].map(({ share }) => share));
    const drawn = wish.isColoured ? known : new Map([...known].filter(([move]) => best.includes(move)));
    const labelled = ([move, value]) => [move, { ...value, ...(proof && !value.exact && { label: textOf(value) }) }];
    if (preview.shown === null) table.view.setValues(drawn.size > 0 ? new Map([...drawn].map(labelled)) : null, best);
    // From the first moment on, so that nothing moves when the engine has thought.
    guesses.hidden = !proof || (known.size > 0 && [...known.values()].every(({ exact }) => exact));
    drawBar();
    table.graph.update();
    const entries = facts.moves
      .map(({ move }) => ({ move, value: known.get(move) }))
      .sort((a, b) => byWorth(a.value, b.value));
    const isChance = facts.turn === "chance",
      odds = move => isChance && h("small", `${/^(\d)\+\1$/.test(move) ? 1 : 2}/36`);
    const play = move => table.play(facts.moves.find(entry => entry.move === move));
    // Where there is a proof the text of an estimate says so already.
    const worth = value => [textOf(value), !isChance && (value.exact || !proof) && behindText(value.share)];
    const choice = ({ move, value }) =>
      button([move, odds(move), value && h("small", worth(value).filter(Boolean).join(" "))], () => play(move), {
        class: styleOf(value),
        "data-choice": move,
      });
    const isLoss = ({ value }) => most > 0 && value?.exact && value.share === 0,
      n = unfolded === facts ? 0 : entries.filter(isLoss).length;
    const unfold = () => (legal.clear(), draw((unfolded = facts))),
      more = () => button(t("more lose", { n }), unfold, { "data-fold": n });
    // Some may be below the edge.
    const count = entries.length > 4 && h("span.quiet", t("n moves", { n: entries.length })),
      shown = () => (n < 4 ? entries.map(choice) : [...entries.filter(each => !isLoss(each)).map(choice), more()]);
    legal.show(() => [count, ...shown()].filter(Boolean));
  }

  function drawBar() {
    const first = shareOfFirst(live ?? table.tree.node.value) ?? 0.5,
      share = manySeat(table.game) > 0 ? 1 - first : first;
    bar.firstChild.style.transform = `scaleY(${share.toFixed(3)})`;
    bar.setAttribute("aria-label", `${t("evaluation")}: ${Math.round(share * 100)} %`);
    bar.dataset.share = share.toFixed(3);
  }

  // Where the position is proved the estimates of moves are not chances any more: the best of them, and how far others are
  // behind it.
  function textOf({ share, exact, mate }) {
    return proof && !exact ? behindText(share) || t("best") : `${worthText(share, exact)} ${distanceText({ mate })}`;
  }

  // "−3" of a move that is so much worse than the best one; "" of that.
  function behindText(share) {
    const n = percent(most) - percent(share);
    return n > 0 ? `−${n}` : "";
  }

  function close() {
    setup.close();
    engines.forEach(engine => engine.close());
    table.view.hasPen = false;
    table.parts.bar.replaceChildren();
  }
}

// The best first; of these wins that come soon and losses that come late.
const byWorth = (a, b) => (b?.share ?? -1) - (a?.share ?? -1) || order(a) - order(b);
const order = value => {
  const far = value?.mate ?? value?.plies ?? 0;
  return value?.share > 0.5 ? far : -far;
};
