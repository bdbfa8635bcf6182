// The panel of an analysis: what engines and tables say of the position, and the tree of variations.

import { action, button, check, fill, h, row, select } from "./dom.js";
import { distanceText, ofLine, ofResult, ofTable, scoreText, styleOf, tableValues } from "./judge.js";
import { editor } from "./editor.js";
import { provedText } from "./games.js";
import { evaluationGraph, shareOfFirst } from "./graph.js";
import { SteadyList, searchView } from "./search-view.js";
import { app } from "./page.js";
import { look } from "./server.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { number, t } from "./texts.js";
import { treeView } from "./tree-view.js";

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
    this.proved = h("p.note", { "data-proved": "" });
    const searchOn = () => (this.isSearching ? this.#stop() : this.update(table.now));
    this.halt = button("", searchOn, { "data-action": "search" });
    this.judge = action("search", "start review", () => table.review());
    this.tree = treeView(table);
    this.legal = new SteadyList(h(".legal-moves"), "button");
    this.legend = h("p.quiet", `${t("legend exact")}; ${t("legend guess")}. ${t("legend distance")}`);
    this.bar = h(".evalbar", { role: "img", "aria-label": t("evaluation") }, h("i"));
    this.graph = evaluationGraph(table);
    this.note = h("p.note", { role: "alert" });
    const remark = ({ target }) => {
      table.tree.node.comment = target.value;
      this.tree.update();
      table.remember();
    };
    this.comment = h("textarea", { rows: 2, "aria-label": t("comment"), placeholder: t("comment"), onchange: remark });
    const act = (name, does) =>
      action(null, name, () => {
        does();
        table.refresh();
      });
    this.editor = editor(table, this);
    this.element = h(".panel.analysis", [
      this.#switches(),
      this.proved,
      this.searches,
      h(".actions", this.halt, this.judge),
      this.graph.element,
      this.legal.element,
      this.legend,
      this.tree.element,
      this.comment,
      h(".actions", [
        act("delete from here", () => {
          if (!table.tree.node.parent) return;
          table.losing(t("undo delete"));
          table.tree.remove(table.tree.node);
        }),
        act("make main", () => table.tree.promote(table.tree.node)),
        action("arrow-up-down", "flip", () => {
          table.flip();
          this.#drawBar();
        }),
      ]),
      this.note,
      this.editor.element,
    ]);
    this.engines = [];
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
      setNumber = key => value => set(key)(+value),
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
          select(t("lines"), [1, 2, 3, 5, 8], wish.lines, setNumber("lines")),
          select(t("search for"), LIMITS.map(limitOf), wish.limit, set("limit"), { name: "limit" }),
          select(t("searcher"), SEARCHERS, wish.searcher, set("searcher")),
          select(t("threads"), threads, wish.threads, setNumber("threads")),
          select("Hash", hashes().map(mib), wish.hash, setNumber("hash")),
          engines.length > 1 && select(t("engine"), engines, wish.engine ?? 0, sit),
        ]),
      ]),
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
    const { isHidden = false } = this.wish;
    for (const element of [this.proved, this.searches, this.graph.element, this.legend, this.legal.element])
      element.toggleAttribute("hidden", isHidden);
    this.bar.style.visibility = isHidden ? "hidden" : "";
  }

  // While a position is set up nothing is said of the old one.
  rest(isResting) {
    this.isResting = isResting;
    if (!isResting) return;
    this.#stop();
    this.values = new Map();
    this.table.view.setArrow(null);
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
    this.proved.textContent = node.parent ? "" : provedText(table);
    this.judge.hidden = table.tree.through().length === 0;
    if (facts.result) node.value = ofResult(facts.result);
    if (facts.table) node.value = { ...ofTable(facts.table), turn: facts.turn };
    this.values = tableValues(facts);
    this.best = [];
    this.previewed = null;
    this.halt.hidden = true;
    this.legal.clear();
    this.#stop();
    this.#draw(facts);
    if (facts.result !== null || facts.error)
      fill(this.searches, h("p.quiet", facts.result ? t("no moves") : facts.error));
    else if (facts.turn === "chance") this.#chances(facts);
    else if (this.wish.isOn && !this.wish.isHidden) this.#search(node, facts);
    else fill(this.searches);
  }

  async #chances(facts) {
    const { table } = this,
      { chances } = await look(table.game, table.tree.position(), ["chances"]);
    if (!chances || facts !== table.now || this.isResting) return this.searches.replaceChildren();
    const wins = ({ win }, seat) => row(table.name(`p${seat + 1}`), [`${number(100 * win, 1)} %`]);
    fill(this.searches, h("table.grid", [chances.players.map(wins)]));
    table.tree.node.value = { share: chances.players[0].win, exact: chances.method === "exact", turn: "p1" };
    this.#draw(facts);
  }

  // One search, or the two searchers side by side.
  #search(node, facts) {
    const { table, wish } = this,
      // Alpha-beta is for one or two players: for more, mcts would stand beside itself.
      rivals = table.game.seats.length <= 2 ? ["alphabeta", "mcts"] : ["mcts"],
      names = wish.isDouble ? rivals : [wish.searcher],
      item = line => this.#line(line, node);
    const focus = [...(node.focus ?? [])],
      count = focus.length || facts.moves.length;
    const wanted = wish.isColoured ? Math.min(500, Math.max(wish.lines, count)) : wish.lines,
      limits = [wish.limit, ...(focus.length > 0 ? ["searchmoves", ...focus] : [])].join(" ");
    const views = this.#viewsOf(names),
      mine = (this.search = {});
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
            views[index].show(last, item);
            if (index === 0) this.#learn(last, node, facts);
          });
        due = lines;
      };
      return engine
        .search(table.tree.position(node), limits, (info, lines) => {
          if (info.pv) show(lines);
          else if (info.text?.includes("can no longer be reached")) views[index].element.title = info.text;
        })
        .then(({ lines }) => show(lines))
        .catch(() => {});
    });
    Promise.all(searches).then(() => mine === this.search && this.#halted(true));
  }

  // A view for each searcher, those of the last position where they are the same, so that the keyboard stays in them.
  #viewsOf(names) {
    const key = [this.wish.lines, ...names].join();
    if (key !== this.views?.key) {
      this.views = names.map(name => searchView(name, this.wish.lines, () => this.#unpreview()));
      this.views.key = key;
    }
    this.views.forEach(view => view.clear());
    const elements = this.views.map(({ element }) => element);
    fill(this.searches, elements);
    return this.views;
  }

  #halted(isHalted) {
    this.isSearching = !isHalted;
    this.halt.hidden = false;
    this.halt.textContent = t(isHalted ? "search on" : "stop");
  }

  // What the lines of a search are worth, where no table knows better.
  #learn(lines, node, facts) {
    if (!facts.table) node.value = { ...ofLine(lines[0]), turn: facts.turn };
    this.best = lines.slice(0, this.wish.lines).flatMap(line => line?.pv?.[0] ?? []);
    for (const line of lines)
      if (line?.pv && !this.values.get(line.pv[0])?.exact) this.values.set(line.pv[0], ofLine(line));
    this.#draw(facts);
  }

  // A line whose moves are shown on the board under a pointer, and gone to by a click.
  #line(line, node) {
    const { table } = this;
    const play = count => {
      let at = node;
      for (const move of line.pv.slice(0, count)) at = table.tree.play(move, null, at);
      table.refresh();
    };
    return h("li", { "data-line": line.multipv ?? 1 }, [
      h("b", scoreText(line)),
      line.pv.slice(0, 14).map((move, index) => {
        const show = () => this.#preview(node, line.pv.slice(0, index + 1));
        return button(move, () => play(index + 1), { "data-pv": move, onpointermove: show, onfocus: show });
      }),
    ]);
  }

  // The board behind some moves of a line, until pointer and keyboard leave it; of several that were asked for the last. A
  // pointer that rests where a line appears asks for nothing.
  async #preview(node, more) {
    const at = more.join(" ");
    if (this.previewed?.at === at) return;
    const { table } = this,
      mine = (this.previewed = { at }),
      { start, moves } = table.tree.position(node),
      { pieces, played, fen } = await look(table.game, { start, moves: [...moves, ...more] }, ["played"]);
    if (mine !== this.previewed || node !== table.tree.node) return;
    table.view.show({ pieces, fen, change: played.at(-1), isPreview: true });
  }
  #unpreview() {
    const { table } = this;
    if (!this.previewed) return;
    this.previewed = null;
    table.draw();
    this.#draw(table.now);
  }

  #draw(facts) {
    const { table, wish } = this;
    const known = wish.isHidden ? new Map() : this.values,
      best = Math.max(0, ...[...known.values()].map(({ share }) => share));
    const drawn = wish.isColoured ? known : new Map([...known].filter(([move]) => this.best.includes(move)));
    if (!this.previewed) table.view.setValues(drawn.size > 0 ? drawn : null, this.best);
    this.#drawBar();
    this.graph.update();
    const entries = facts.moves
      .map(({ move }) => ({ move, value: known.get(move) }))
      .sort((a, b) => (b.value?.share ?? -1) - (a.value?.share ?? -1) || order(a.value) - order(b.value));
    const text = value => {
      if (!value.exact) return `${Math.round(value.share * 100)} %`;
      return `${t({ 1: "win", 0: "lost" }[value.share] ?? "draw")} ${distanceText(value)}`;
    };
    const { focus } = table.tree.node;
    const chosen = move => event =>
      event.shiftKey ? this.#focus(move) : table.play(facts.moves.find(entry => entry.move === move));
    const behind = ({ share }) => (best - share > 0.005 ? ` −${Math.round((best - share) * 100)}` : "");
    const choice = ({ move, value }) =>
      button([move, value && h("small", text(value), behind(value))], chosen(move), {
        class: [styleOf(value), focus?.has(move) && "focused"].filter(Boolean).join(" "),
        "data-choice": move,
        title: t("shift focus"),
      });
    this.legal.show(() => entries.map(choice));
  }

  // Only moves that were chosen so are searched, if there are any.
  #focus(move) {
    const { node } = this.table.tree;
    node.focus ??= new Set();
    if (!node.focus.delete(move)) node.focus.add(move);
    this.update(this.table.now);
  }

  #drawBar() {
    const { table } = this,
      { value } = table.tree.node,
      near = table.view.layout.isTurned ? 1 : 0;
    const first = shareOfFirst(value),
      bottom = table.game.rules.geese_side ? table.game.seats.indexOf(table.game.rules.geese_side) : 0;
    const share = first === null ? 0.5 : bottom === 0 ? first : 1 - first;
    this.bar.firstChild.style.transform = `scaleY(${share.toFixed(3)})`;
    this.bar.classList.toggle("turned", near === 1);
    this.bar.setAttribute("aria-label", `${t("evaluation")}: ${Math.round(share * 100)} %`);
    this.bar.dataset.share = share.toFixed(3);
  }

  #stop() {
    this.engines.forEach(engine => engine.stop());
  }

  close() {
    this.editor.close();
    this.engines.forEach(engine => engine.close());
    const { view } = this.table;
    view.isFree = view.drawing.isOn = false;
    view.setValues(null);
    this.table.parts.bar.replaceChildren();
  }
}

// Wins that come soon and losses that come late go first.
const order = value => {
  const far = value?.mate ?? value?.plies ?? 0;
  return value?.share > 0.5 ? far : -far;
};
