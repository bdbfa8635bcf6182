// The panel of a review: every move judged, by tables where they reach and by search elsewhere; then each mistake as a task.

import { action, button, fill, grid, h, row, select } from "./dom.js";
import { failureText } from "./engine.js";
import { classOfMark, evaluationGraph } from "./graph.js";
import { provedFor, provedText } from "./games.js";
import { MARKS, accuracy, gaps, judge, lossOf, loserAfter, ofLine, ofResult, ofTable, tableValues } from "./judge.js";
import { Lesson } from "./learn.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { seatOf, sideText } from "./telling.js";
import { number, t, word } from "./texts.js";
import { moveNumber } from "./tree.js";
import { treeView } from "./tree-view.js";

// A mark needs the word of two searches: that of the review with so much more thought, and the other one.
const CHECKS = { auto: 3, mcts: 1 },
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"];

export class Panel {
  constructor(table) {
    this.table = table;
    this.limit = kept("review limit", LIMITS[0]);
    this.tree = treeView(table);
    this.graph = evaluationGraph(table);
    this.progress = h("p.note", { role: "status" });
    this.better = h("p.note", { "data-better": "" });
    this.scores = h(".scores");
    this.mistakes = h("ol.mistakes");
    this.footer = h("p.quiet", { "data-formula": "" }, t("formula", { limit: strengthText(this.limit) }));
    const main = { class: "primary", "data-action": "judge" };
    this.start = action("search", "start review", () => this.judge(), main);
    const limits = LIMITS.map(limit => [limit, strengthText(limit)]),
      strength = select(t("strength"), limits, this.limit, limit => keep("review limit", (this.limit = limit)));
    this.report = h(".panel", [
      h(".actions", [this.start, this.tree.mistake, strength]),
      this.better,
      this.graph.element,
      this.tree.element,
      this.progress,
      this.scores,
      this.mistakes,
      h("details", h("summary.quiet", t("how judged")), this.footer),
    ]);
    this.element = h(".panel.review", this.report);
    this.#score();
  }

  // The moves of the game behind its start.
  get line() {
    return this.table.tree.through();
  }

  update(facts) {
    // The board shows the task, and nothing that tells the answer.
    if (this.lesson) return;
    this.tree.update();
    this.graph.update();
    for (const item of this.mistakes.children)
      item.toggleAttribute("data-here", +item.dataset.node === this.table.tree.node.id);
    const values = facts ? tableValues(facts) : new Map();
    this.table.view.setValues(values.size > 0 ? values : null);
    this.#explain();
  }

  // The text and the arrow are of the move that led here.
  async #explain() {
    const { table } = this,
      { node } = table.tree,
      { verdict } = node;
    this.better.textContent = verdict?.mark ? this.#told(node) : "";
    table.view.setArrow(null);
    if (!verdict?.mark) return;
    const { moves } = await table.facts(node.parent);
    if (node === table.tree.node && !this.lesson && !this.isClosed)
      table.view.setArrow(moves.find(({ move }) => move === verdict.better));
  }

  // One line for each mark: what it was, what it cost, what was better.
  #told({ move, verdict: { mark, mover, exact, from, to, better } }) {
    const side = sideText(this.table.game.seats[seatOf(mover)]),
      percent = share => Math.round(share * 100),
      cost = exact ? t(`cost ${from}-${to}`, { side }) : t("cost", { side, from: percent(from), to: percent(to) });
    return `${move}${mark} ${t(`mark ${mark}`)}: ${cost} ${better ? t("better was", { move: better }) : ""}`;
  }

  // A move of the person, while there is a task.
  takes(move) {
    return this.lesson?.takes(move) ?? false;
  }

  async judge() {
    const { table, limit } = this;
    this.start.disabled = true;
    if (this.engine?.refusal) this.engine = null;
    this.scores.querySelectorAll("button").forEach(learn => (learn.disabled = true));
    this.engine ??= table.newEngine(0);
    const failure = await this.#judgeLine(limit).catch(failure => failure);
    if (this.isClosed) return;
    this.footer.textContent = t("formula", { limit: strengthText(limit) });
    this.progress.textContent = "";
    this.start.disabled = false;
    this.#score();
    if (failure) this.progress.textContent = failureText(failure);
    this.update(table.now);
    table.remember();
  }

  // Every move of the game until a search or the server fails.
  async #judgeLine(limit) {
    const { table } = this,
      { tree } = table,
      line = [tree.root, ...this.line];
    // What is known of the game as a whole no search of a move contradicts.
    let lost = { 0: "p2", 1: "p1" }[provedFor(table)] ?? null,
      before = null;
    for (const [index, node] of line.entries()) {
      if (this.isClosed) return;
      this.progress.textContent = t("judging", { n: index, of: line.length - 1 });
      const facts = await table.facts(node),
        turn = facts.turn === "none" ? "p1" : facts.turn,
        here = { turn, ...(await this.#value(node, facts, limit)) };
      node.value = here.value && { ...here.value, turn };
      if (before) {
        let verdict = judge(before, here, node.move, lost);
        if (verdict?.mark && !verdict.exact)
          verdict = { ...verdict, ...(await this.compare(node.parent, verdict.better, node.move, limit)) };
        node.verdict = verdict;
        node.mark = verdict?.mark ?? "";
        lost = loserAfter(here, verdict, lost);
      }
      before = here;
      this.graph.update();
    }
  }

  // What a move loses against another, each thought about by itself: as the tables say, or the search that finds less.
  // Fails where one does.
  async compare(node, better, move, limit = this.limit) {
    const known = tableValues(await this.table.facts(node));
    this.engine ??= this.table.newEngine(0);
    const worth = async ([searcher, factor], move) => {
      if (known.has(move)) return known.get(move).share;
      this.progress.textContent = t("checking", { move });
      this.engine.set("Searcher", searcher);
      const nodes = factor * limit.split(" ")[1],
        { lines } = await this.engine.search(this.table.tree.position(node), `nodes ${nodes} searchmoves ${move}`);
      if (!lines[0]) throw new Error(t("no answer"));
      return ofLine(lines[0]).share;
    };
    try {
      const found = [];
      for (const check of Object.entries(CHECKS))
        found.push(lossOf(await worth(check, better), await worth(check, move)));
      return found.sort((a, b) => a.from - a.to - (b.from - b.to))[0];
    } finally {
      this.engine.set("Searcher", "auto");
      this.progress.textContent = "";
    }
  }

  // {value, best} of the side to move; a position that is over has the value of its result.
  async #value(node, facts, limit) {
    const { table } = this;
    if (facts.result !== null) return { value: ofResult(facts.result) };
    if (facts.turn === "chance") return { value: null };
    if (facts.table) return { value: ofTable(facts.table), best: facts.table.moves[0]?.move };
    const { best, lines } = await this.engine.search(table.tree.position(node), limit);
    return { value: lines[0] ? ofLine(lines[0]) : null, best };
  }

  // Accuracy and mistakes of each side, and a line for each mistake.
  #score() {
    const { table, line } = this,
      judged = line.filter(({ verdict }) => verdict);
    if (judged.length === 0) return;
    const bad = judged.filter(({ mark }) => mark);
    const rows = table.game.seats.map((side, seat) => {
      const mine = judged.filter(({ verdict }) => verdict.mover === `p${seat + 1}`),
        share = accuracy(mine.map(({ verdict }) => verdict)),
        tasks = mine.filter(({ mark }) => mark);
      const cells = row(word(side), [
        share !== null ? `${number(share, 1)} %` : mine.length > 0 ? t("lost throughout") : "–",
        ...MARKS.map(mark => tasks.filter(node => node.mark === mark).length),
        action("graduation-cap", "learn", () => this.#learn(tasks), { "data-learn": seat, disabled: !tasks[0] }),
      ]);
      cells.children[1].dataset.accuracy = seat;
      return cells;
    });
    fill(this.scores, grid(["", t("accuracy"), ...MARKS, ""], rows));
    const proved = { 0: 1, 1: 0, draw: 0.5 }[provedFor(table)] ?? null,
      unseen = gaps([table.tree.root, ...line], proved).map(({ since, ply, loser }) =>
        t("unseen", { since: moveNumber(since + 1), to: moveNumber(ply), side: word(table.game.seats[loser]) }),
      ),
      flawless = bad.length + unseen.length === 0 ? t("flawless") : "";
    this.progress.textContent = [provedText(table), ...unseen, flawless].filter(Boolean).join(" ");
    const item = node => {
      const ply = table.tree.ply(node),
        text = [h("i", moveNumber(ply)), this.#told(node)],
        facts = { class: classOfMark(node.mark), "data-node": node.id };
      return h("li", facts, [button(text, () => table.go(node), { "data-mistake": ply })]);
    };
    fill(this.mistakes, bad.map(item));
  }

  #learn(tasks) {
    this.before = this.table.tree.node;
    this.report.hidden = true;
    this.lesson = new Lesson(this, tasks, () => {
      this.lesson.element.remove();
      this.lesson = null;
      this.report.hidden = false;
      this.table.tree.go(this.before);
      this.table.refresh();
    });
    this.element.append(this.lesson.element);
    this.lesson.begin();
  }

  close() {
    // The game is kept as it was, not where something was tried.
    if (this.lesson) this.table.tree.go(this.before);
    this.isClosed = true;
    this.engine?.close();
    this.table.view.setArrow(null);
    this.table.view.setValues(null);
  }
}
