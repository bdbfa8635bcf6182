// The panel of an analysis: what engines and tables say of the position, and the tree of variations.

import { action, button, check, fill, h, row, select } from "./dom.js";
import { distanceText, ofLine, ofResult, ofTable, shareOfFirst, styleOf, tableValues, worthText } from "./judge.js";
import { editor } from "./editor.js";
import { provedShare, provedText } from "./games.js";
import { evaluationGraph, treeView } from "./tree-view.js";
import { Preview, SteadyList, searchView } from "./search-view.js";
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

export class Panel {
  constructor(table) {
    this.table = table;
    this.wish = { ...USUAL, ...kept("analysis") };
    this.wish.hash = Math.min(this.wish.hash, Math.max(...hashes()));
    this.searches = h(".searches");
    this.preview = new Preview(table, () => this.#draw(table.now));
    this.proved = h("p.note", { "data-proved": "" });
    this.guesses = h("span", t("guesses"));
    this.legend = h("p.quiet", { "data-legend": "" });
    const searchOn = () => (this.isSearching ? this.#stop() : this.update(table.now));
    this.halt = button("", searchOn, { "data-action": "search" });
    this.tree = treeView(table);
    this.legal = new SteadyList(h(".legal-moves"), "button");
    this.isAlone = table.game.seats.length === 1;
    this.bar = h(".evalbar", { role: "img", "aria-label": t("evaluation") }, h("i"));
    this.graph = evaluationGraph(table);
    const remark = ({ target }) => {
      table.tree.node.comment = target.value;
      this.tree.update();
      table.remember();
    };
    this.comment = h("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), onchange: remark });
    this.editor = editor(table, this);
    this.hints = h(".panel", [this.proved, this.searches, this.graph.element, this.legal.element]);
    this.element = h(".panel.analysis", [
      this.#switches(),
      this.hints,
      this.tree.element,
      this.legend,
      this.comment,
      h(".actions", [
        action(null, "delete from here", () => {
          if (!table.tree.node.parent) return;
          table.losing(t("undo delete"));
          table.tree.remove(table.tree.node);
          table.refresh();
        }),
        action(null, "make main", () => (table.tree.promote(table.tree.node), table.refresh())),
        action("arrow-up-down", "flip", () => table.flip()),
      ]),
      this.editor.element,
    ]);
    this.engines = [];
    this.views = {};
    fill(table.parts.bar, this.bar);
    this.#dress();
  }

  #switches() {
    const { wish } = this,
      set = key => value => {
        wish[key] = value;
        keep("analysis", wish);
        this.#dress();
        this.update(this.table.now);
      },
      threads = THREADS.filter(n => n <= (navigator.hardwareConcurrency ?? 1)),
      limitOf = limit => [limit, limit === LIMITS[0] ? t("until stopped") : strengthText(limit)],
      mib = n => [n, `${n} MiB`],
      engines = app.about.engines.map(({ name }, index) => [index, name]);
    const sit = index => {
      this.engines.splice(0).forEach(engine => engine.close());
      set("engine")(+index);
    };
    return h(".switches", [
      check(t("engine on"), wish.isOn, set("isOn"), { "data-switch": "engine" }),
      check(t("all moves"), wish.isColoured, set("isColoured"), { "data-switch": "colours" }),
      check(t("pen"), false, value => (this.table.view.drawing.isOn = value), {
        "data-switch": "draw",
        title: t("draw help"),
      }),
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
          engines.length > 1 && select(t("engine"), engines, wish.engine ?? 0, sit),
        ]),
      ]),
      this.halt,
    ]);
  }

  // Space plays the best move that is known, l turns the engine on and off; whether the key is one of these.
  key(name) {
    const { table, wish } = this,
      best = [...this.values].sort(([, a], [, b]) => b.share - a.share || order(a) - order(b))[0]?.[0];
    if (name === " " && best && !wish.isHidden) table.play(table.now.moves.find(({ move }) => move === best) ?? best);
    else if (name === "l") this.element.querySelector("[data-switch=engine]").click();
    return name === " " || name === "l";
  }

  // What is seen at all.
  #dress() {
    this.hints.hidden = this.legend.hidden = this.wish.isHidden;
    this.bar.style.visibility = this.wish.isHidden ? "hidden" : "";
  }

  // While a position is set up nothing is said of the old one.
  rest(isResting) {
    this.isResting = isResting;
    if (!isResting) return;
    this.#stop();
    this.values = new Map();
    this.table.view.setValues(null);
    this.searches.replaceChildren();
    this.legal.clear();
  }

  update(facts) {
    if (!facts) return;
    const { table } = this,
      { node } = table.tree;
    this.tree.update();
    if (this.isResting) return;
    this.comment.value = node.comment;
    // The first player begins.
    const share = node.parent ? null : provedShare(table),
      by = facts.table ? "table" : "solved";
    this.proof = facts.table ? ofTable(facts.table) : share === null ? null : { share, exact: true };
    if (this.proof) node.value = { ...this.proof, turn: facts.turn };
    if (facts.result) node.value = ofResult(facts.result);
    const first = this.proof && shareOfFirst(node.value);
    this.proved.textContent = provedText(table, first, by, distanceText(this.proof ?? {}));
    this.proved.append(" ", this.guesses);
    this.legend.textContent = t(table.game.game.has_dice ? "legend dice" : this.isAlone ? "legend alone" : "legend");
    this.values = tableValues(facts);
    this.best = [];
    this.preview.shown = null;
    this.halt.hidden = true;
    this.legal.clear();
    this.#stop();
    this.#draw(facts);
    if (facts.result !== null || facts.error)
      fill(this.searches, h("p.quiet", facts.result ? t("no moves") : facts.error));
    else if (facts.turn === "chance") this.#chances(node, facts);
    else if (this.wish.isOn && !this.wish.isHidden) this.#search(node, facts);
    else fill(this.searches);
  }

  async #chances(node, facts) {
    const { table } = this,
      of = async (...more) => (await look(table.game, table.tree.position(node, ...more), ["chances"])).chances,
      chances = await of();
    if (!chances) this.legend.textContent = t("legend odds");
    if (!chances || facts !== table.now || this.isResting) return this.searches.replaceChildren();
    const wins = ({ win }, seat) => row(table.name(`p${seat + 1}`), [`${number(100 * win, 1)} %`]);
    fill(this.searches, h("table.grid", [chances.players.map(wins)]));
    node.value = { share: chances.players[0].win, exact: chances.method === "exact", turn: "p1" };
    this.#draw(facts);
    // What each throw would make of them.
    const after = await Promise.all(facts.moves.map(({ move }) => of(move)));
    if (facts !== table.now) return;
    for (const [index, { move }] of facts.moves.entries())
      if (after[index]) this.values.set(move, { share: after[index].players[table.actor(facts)].win, exact: false });
    this.#draw(facts);
  }

  // One search, or the two searchers side by side.
  #search(node, facts) {
    const { table, wish } = this,
      // Alpha-beta is for one or two players: for more, mcts would stand beside itself.
      rivals = table.game.seats.length <= 2 ? ["alphabeta", "mcts"] : ["mcts"],
      names = wish.isDouble ? rivals : [wish.searcher],
      item = line => this.#line(line, node);
    const wanted = wish.isColoured ? Math.min(500, Math.max(wish.lines, facts.moves.length)) : wish.lines;
    // A searcher keeps its view, so that the keyboard stays there.
    const views = names.map(name => (this.views[name] ??= searchView(name, () => this.preview.hide()))),
      mine = (this.search = {});
    views.forEach(view => view.clear(wish.lines));
    fill(this.searches, [views.map(({ element }) => element)]);
    this.#halted(false);
    const searches = names.map((name, index) => {
      const engine = (this.engines[index] ??= table.newEngine(wish.engine ?? 0, () => this.update(table.now)));
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
            if (node !== table.tree.node || this.isResting) return;
            views[index].show(last, item, this.#headline(last[0]), this.proof);
            if (index === 0) this.#learn(last, node, facts);
          });
        due = lines;
      };
      return engine
        .search(table.tree.position(node), wish.limit, (info, lines) => {
          if (info.pv) show(lines);
          else if (info.text?.includes("can no longer be reached")) views[index].element.title = info.text;
        })
        .then(({ lines }) => show(lines))
        .catch(() => {});
    });
    Promise.all(searches).then(() => mine === this.search && this.#halted(true));
  }

  #halted(isHalted) {
    this.isSearching = !isHalted;
    this.halt.hidden = false;
    this.halt.textContent = t(isHalted ? "search on" : "stop");
  }

  // What is proved of the position, else what a search thinks of it.
  #headline(line) {
    const { share, exact, mate } = this.proof ?? ofLine(line),
      key = { 1: "win", 0: "loss" }[share] ?? "draw";
    return exact ? t(this.isAlone ? `solution ${key}` : `proved ${key}`, { n: mate }) : worthText(share, exact);
  }

  // What the lines of a search are worth, where no table knows better.
  #learn(lines, node, facts) {
    if (!this.proof) node.value = { ...ofLine(lines[0]), turn: facts.turn };
    this.best = lines.slice(0, this.wish.lines).flatMap(line => line?.pv?.[0] ?? []);
    for (const line of lines)
      if (line?.pv && !this.values.get(line.pv[0])?.exact)
        // A way to the end of a puzzle need not be the shortest.
        this.values.set(line.pv[0], { ...ofLine(line), ...(this.isAlone && { mate: undefined }) });
    this.#draw(facts);
  }

  #line(line, node) {
    const known = this.values.get(line.pv[0]),
      worth = known?.exact ? this.#text(known) : this.isAlone ? "" : this.#text(ofLine(line));
    return h("li", { "data-line": line.multipv ?? 1 }, h("b", worth), this.preview.buttons(node, line.pv.slice(0, 14)));
  }
  #text = value => `${worthText(value.share, value.exact)} ${distanceText(value)}`;

  #draw(facts) {
    const { table, wish } = this;
    const known = wish.isHidden ? new Map() : this.values,
      best = Math.max(0, ...[...known.values()].map(({ share }) => share));
    const drawn = wish.isColoured ? known : new Map([...known].filter(([move]) => this.best.includes(move)));
    // Of arrows that meet only the best has its head and its value.
    const end = move => facts.moves.find(entry => entry.move === move)?.to ?? move,
      heads = this.best.filter((move, at) => this.best.findIndex(each => end(each) === end(move)) === at);
    if (this.preview.shown === null) table.view.setValues(drawn.size > 0 ? drawn : null, heads);
    this.guesses.hidden = !this.proof || [...known.values()].every(({ exact }) => exact);
    this.#drawBar();
    this.graph.update();
    const entries = facts.moves
      .map(({ move }) => ({ move, value: known.get(move) }))
      .sort((a, b) => (b.value?.share ?? -1) - (a.value?.share ?? -1) || order(a.value) - order(b.value));
    const isChance = facts.turn === "chance",
      odds = move => isChance && h("small", `${/^(\d)\+\1$/.test(move) ? 1 : 2}/36`);
    const play = move => table.play(facts.moves.find(entry => entry.move === move));
    const behind = ({ share }) => (!isChance && best - share > 0.005 ? ` −${Math.round((best - share) * 100)}` : "");
    const choice = ({ move, value }) =>
      button([move, odds(move), value && h("small", this.#text(value), behind(value))], () => play(move), {
        class: styleOf(value),
        "data-choice": move,
      });
    const isLoss = ({ value }) => best > 0 && value?.exact && value.share === 0,
      n = this.unfolded === facts ? 0 : entries.filter(isLoss).length;
    const unfold = () => (this.legal.clear(), this.#draw((this.unfolded = facts))),
      more = () => button(t("more lose", { n }), unfold, { "data-fold": n });
    this.legal.show(() =>
      n < 4 ? entries.map(choice) : [...entries.filter(each => !isLoss(each)).map(choice), more()],
    );
  }

  #drawBar() {
    const { game, tree } = this.table,
      first = shareOfFirst(tree.node.value) ?? 0.5,
      share = game.seats.indexOf(game.rules.geese_side) > 0 ? 1 - first : first;
    this.bar.firstChild.style.transform = `scaleY(${share.toFixed(3)})`;
    this.bar.setAttribute("aria-label", `${t("evaluation")}: ${Math.round(share * 100)} %`);
    this.bar.dataset.share = share.toFixed(3);
  }

  #stop = () => this.engines.forEach(engine => engine.stop());

  close() {
    this.editor.close();
    this.engines.forEach(engine => engine.close());
    this.table.view.drawing.isOn = false;
    this.table.parts.bar.replaceChildren();
  }
}

// Wins that come soon and losses that come late go first.
const order = value => {
  const far = value?.mate ?? value?.plies ?? 0;
  return value?.share > 0.5 ? far : -far;
};
