// The panel of a review: every move judged, by tables where they reach and by search elsewhere; then each mistake as a task.

import { action, button, fill, grid, h, row, select } from "./dom.js";
import { failureText } from "./engine.js";
import { classOfMark, evaluationGraph, treeView } from "./tree-view.js";
import { provedShare, provedText } from "./games.js";
import { MARKS, accuracy, classOf, gaps, judge, lossOf, lossOfEnd, loserAfter } from "./judge.js";
import { ofLine, ofResult, ofTable, tableValues, worthText } from "./judge.js";
import { Preview } from "./search-view.js";
import { look } from "./server.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { capital, seatOf, sideText, told } from "./telling.js";
import { number, t, word } from "./texts.js";
import { moveNumber } from "./tree.js";

// A mark needs the word of two searches: that of the review with so much more thought, and the other one.
const CHECKS = { auto: 3, mcts: 1 },
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"],
  MOST_SHOWN = 8;

// The player who has lost from the start, as far as is proved.
const lostAtStart = table => ({ 1: "p2", 0: "p1" })[provedShare(table)] ?? null;

export class Panel {
  constructor(table) {
    this.table = table;
    this.limit = kept("review limit", LIMITS[0]);
    this.tree = treeView(table);
    this.graph = evaluationGraph(table);
    this.progress = h("p.note", { role: "status" });
    this.preview = new Preview(table, () => this.update(table.now));
    const leave = ({ relatedTarget }) => this.better.contains(relatedTarget) || this.preview.hide();
    this.better = h(".panel.better", { "data-better": "", onpointerleave: leave, onfocusout: leave });
    this.headline = h("h2", { "data-turning": "" });
    this.scores = h(".scores");
    this.mistakes = h("ol.mistakes");
    this.footer = h("p.quiet", { "data-formula": "" }, t("formula", { limit: strengthText(this.limit) }));
    this.start = action("search", "start review", () => this.judge(), { class: "primary", "data-action": "judge" });
    const limits = LIMITS.map(limit => [limit, strengthText(limit)]),
      strength = select(t("strength"), limits, this.limit, limit => keep("review limit", (this.limit = limit)));
    this.report = h(".panel", [
      h(".actions", [this.start, this.tree.mistake]),
      this.better,
      this.headline,
      this.progress,
      this.graph.element,
      this.tree.element,
      this.scores,
      this.mistakes,
      h("details", h("summary.quiet", t("how judged")), strength, this.footer),
    ]);
    this.element = h(".panel.review", this.report);
    this.#score();
  }

  // The text, the lines and the arrows are of the move that led here: what was better, and the answer that punishes it.
  async update(facts) {
    // The board shows the task, and nothing that tells the answer.
    if (this.lesson) return;
    // A game that is over is judged at once.
    if (this.table.isOver && !this.isAsked && !this.table.tree.line().at(-1).verdict) this.judge();
    this.tree.update();
    this.graph.update();
    this.preview.shown = null;
    const { table } = this,
      { view, tree } = table,
      { node } = tree,
      { mark, best = [], reply = [] } = node.verdict ?? {},
      answer = facts?.moves.find(({ move }) => move === reply[0]),
      values = facts ? tableValues(facts) : new Map();
    if (values.size === 0 && mark && reply[0] && node.value) values.set(reply[0], node.value);
    view.setValues(values.size > 0 ? values : null, mark ? reply.slice(0, 1) : []);
    view.setArrow(null);
    for (const item of this.mistakes.children) item.toggleAttribute("data-here", +item.dataset.node === node.id);
    const line = (name, from, moves) =>
      moves.length > 0 && h("p.line", h("b", t(name)), this.preview.buttons(from, moves));
    const parts = () => [
      h("p", this.said(node), " ", told(table.game, answer)),
      line("better was", node.parent, best),
      line("punished by", node, reply),
    ];
    fill(this.better, mark && parts());
    const better = mark && (await table.facts(node.parent)).moves.find(({ move }) => move === node.verdict.better);
    if (better && node === tree.node && !this.lesson && !this.isClosed) view.setArrow(better);
  }

  // Whose loss it was, and what that side had before and behind it.
  #facts({ mover, exact, from, to }) {
    const [before, after] = [from, to].map(share => worthText(share, exact));
    return { side: sideText(this.table.game.seats[seatOf(mover)]), before, after };
  }

  // In a sentence: what a mark is, and what was given away.
  said({ move, mark, verdict }) {
    return `${move}${mark} ${t(`mark ${mark}`)}: ${t(verdict.exact ? "cost exact" : "cost", this.#facts(verdict))}`;
  }

  // A move of the person, while there is a task.
  takes = move => this.lesson?.takes(move) ?? false;

  async judge() {
    const { table, limit } = this;
    this.start.disabled = this.isAsked = true;
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
      line = [tree.root, ...tree.through()];
    // What is known of the game as a whole no search of a move contradicts.
    const share = provedShare(table),
      proved = share !== null && { share, exact: true, turn: "p1" };
    let lost = lostAtStart(table),
      before = null;
    for (const [index, node] of line.entries()) {
      if (this.isClosed) return;
      this.progress.textContent = t("judging", { n: index, of: line.length - 1 });
      const facts = await table.facts(node),
        turn = facts.turn === "none" ? "p1" : facts.turn,
        here = { turn, node, facts, ...(await this.#value(node, facts, limit)) };
      node.value = (!before && proved) || (here.value && { ...here.value, turn });
      if (before) {
        let verdict = judge(before, here, node.move, lost);
        if (verdict?.mark && !verdict.exact)
          verdict = { ...verdict, ...(await this.compare(node.parent, verdict.better, node.move, limit)) };
        if (verdict?.mark)
          Object.assign(verdict, { best: await this.#line(before, limit), reply: await this.#line(here, limit) });
        node.verdict = verdict;
        node.mark = verdict?.mark ?? "";
        lost = loserAfter(here, verdict, lost);
      }
      before = here;
      this.graph.update();
    }
  }

  // How the game goes on from a position that was judged; where tables know the best move a search tells what follows it.
  async #line({ node, facts, best, line }, limit) {
    if (facts.result !== null) return [];
    const limits = best ? `${limit} searchmoves ${best}` : limit;
    line ??= (await this.engine.search(this.table.tree.position(node), limits)).lines[0]?.pv ?? [];
    return line.slice(0, MOST_SHOWN);
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

  // The answer to a move, as tables or a search have it; none where the game is over then.
  async answer(node, move) {
    const { start, moves } = this.table.tree.position(node),
      position = { start, moves: [...moves, move] },
      facts = await look(this.table.game, position);
    if (facts.result !== null) return null;
    const best = facts.table?.moves[0]?.move ?? (await this.engine.search(position, this.limit)).best;
    return facts.moves.find(({ move }) => move === best);
  }

  // {value, best} of the side to move; a position that is over has the value of its result.
  async #value(node, facts, limit) {
    if (facts.result !== null) return { value: ofResult(facts.result) };
    if (facts.turn === "chance") return { value: null };
    if (facts.table) return { value: ofTable(facts.table), best: facts.table.moves[0]?.move };
    const { best, lines } = await this.engine.search(this.table.tree.position(node), limit);
    return { value: lines[0] ? ofLine(lines[0]) : null, best, line: lines[0]?.pv };
  }

  // Accuracy and mistakes of each side, and a line for each mistake.
  #score() {
    const { table } = this,
      { tree, game } = table,
      line = tree.through(),
      judged = line.filter(({ verdict }) => verdict);
    if (judged.length === 0) return;
    const slip = node => {
      const move = `${moveNumber(tree.ply(node))} ${node.move}${node.mark}`;
      return { ...node.verdict, node, text: t("fall", { move, ...this.#facts(node.verdict) }) };
    };
    const slips = [...judged.filter(({ mark }) => mark).map(slip), ...this.#ended(tree.line().at(-1))];
    const rows = game.seats.map((side, seat) => {
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
    fill(this.scores, grid(["", t("accuracy"), ...MARKS, ""], rows), h("p.quiet", t("legend marks")));
    const proved = provedShare(table),
      unseen = gaps([tree.root, ...line], proved).map(({ since, ply, loser }) =>
        t("unseen", { since: moveNumber(since + 1), to: moveNumber(ply), side: word(game.seats[loser]) }),
      ),
      flawless = slips.length + unseen.length === 0 ? t("flawless") : "",
      isGuessed = proved !== null && line.some(({ value }) => value && !value.exact),
      told = [provedText(table, proved), isGuessed && t("guesses"), ...unseen, flawless];
    this.progress.textContent = told.filter(Boolean).join(" ");
    const link = ({ node, text }) => button(text, () => table.go(node)),
      facts = ({ mark, node }) => ({ class: classOfMark(mark), "data-node": node.id, "data-mistake": tree.ply(node) });
    fill(this.mistakes, [slips.map(slip => h("li", facts(slip), link(slip)))]);
    // What gave a won game away first has decided it, else the greatest loss of all, of equal ones the first.
    const isGiven = ({ from, to }) => classOf({ share: from }) === "win" && classOf({ share: to }) !== "win",
      [worst] = slips.toSorted((a, b) => b.loss - a.loss),
      turns = new Set([slips.find(isGiven) ?? worst, worst].filter(Boolean)),
      say = (slip, n) => link({ ...slip, text: t(n > 0 ? "greatest loss" : "turning point", slip) });
    fill(this.headline, [...turns].map(say));
  }

  // That a side gave up what was not lost, or let it go: the end of the game as a slip, none where it cost nothing.
  #ended(node) {
    const { end, tree } = this.table,
      loss = end && node.value && lossOfEnd(end, node.value),
      after = (lost, { value, verdict }) => loserAfter({ turn: value?.turn, value }, verdict, lost),
      isLost = tree.line().reduce(after, lostAtStart(this.table)) === loss?.mover;
    const text = () => t("still had", { reason: capital(word(end.reason)), ...this.#facts(loss) });
    return loss && !isLost ? [{ ...loss, node, text: text() }] : [];
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

// Mistakes as tasks: the position before each, for which the person finds a better move, judged by tables or a search.
class Lesson {
  #at = 0;

  // `tasks` are the nodes of the mistakes, `panel` that of the review; `onEnd` is called when the person has done.
  constructor(panel, tasks, onEnd) {
    Object.assign(this, { panel, tasks, table: panel.table });
    this.question = h("p.question");
    this.said = h("p.note", { role: "status", "data-lesson": "" });
    this.buttons = h(".actions");
    this.onEnd = onEnd;
    this.element = h(".panel.lesson", this.question, this.said, this.buttons);
  }

  begin(at = 0) {
    const task = this.tasks[(this.#at = at)];
    this.isDone = false;
    this.#say("");
    this.question.textContent = t("learn question", {
      n: at + 1,
      of: this.tasks.length,
      side: this.table.name(task.verdict.mover),
      move: task.move + task.mark,
    });
    this.#draw();
    this.table.tree.go(task.parent);
    return this.table.refresh();
  }

  #draw() {
    const task = this.tasks[this.#at],
      isLast = this.#at + 1 >= this.tasks.length,
      act = (name, does, attributes) => action(null, name, does, attributes),
      main = { class: this.isDone && "primary" };
    fill(this.buttons, [
      act("learn hint", () => this.#hint(task), { disabled: this.isDone }),
      act("learn solution", () => this.#solve(task.verdict.better, this.#solution(task)), { disabled: this.isDone }),
      !isLast && act("learn next", () => this.begin(this.#at + 1), main),
      isLast && this.isDone ? act("learn done", this.onEnd, main) : act("learn end", this.onEnd),
    ]);
  }

  // With a sign and a colour where it is right or wrong.
  #say(text, style = "") {
    const sign = { fine: "✓ ", wrong: "✗ " }[style] ?? "";
    Object.assign(this.said, { textContent: sign + text, className: `note ${style}` });
  }

  async #hint({ parent, verdict }) {
    const { moves } = await this.table.facts(parent),
      { from, placed } = moves.find(({ move }) => move === verdict.better) ?? {};
    this.#say(from ? t("learn from", { point: from }) : t("learn put", { point: placed?.[0]?.point }));
  }

  // What was better, why, and how both go on.
  #solution(task) {
    const { better, best, reply } = task.verdict,
      line = (name, moves = []) => (moves.length > 0 ? `${t(name)} ${moves.join(" ")}.` : "");
    const parts = [t("learn was", { move: better }), this.panel.said(task), line("better was", best)];
    return [...parts, line("punished by", reply)].join(" ");
  }

  async #solve(move, text, style) {
    this.isDone = true;
    this.#say(text, style);
    this.#draw();
    const { table } = this,
      { parent } = this.tasks[this.#at],
      { moves } = await table.facts(parent);
    if (this.panel.isClosed) return;
    await table.go(parent);
    if (!this.panel.isClosed) await table.play(moves.find(each => each.move === move) ?? move);
  }

  // Whether the move is an answer; it is played when it is good.
  takes(move) {
    const { tasks, table } = this,
      task = tasks[this.#at];
    if (this.isDone || table.tree.node !== task.parent) return false;
    this.#judge(task, move.move ?? move).catch(failure => {
      this.#say(failureText(failure));
      table.refresh();
    });
    return true;
  }

  async #judge(task, move) {
    const { verdict } = task;
    this.tried = move;
    if (move === verdict.better) return this.#solve(move, t("learn best", { move }), "fine");
    this.#say(t("thinking"));
    const { loss } = await this.panel.compare(task.parent, verdict.better, move);
    if (this.isDone || task !== this.tasks[this.#at]) return;
    if (loss === 0) return this.#solve(move, t("learn good", { move, better: verdict.better }), "fine");
    this.#say(t(move === task.move ? "learn same" : "learn wrong", { move, n: Math.round(100 * loss) }), "wrong");
    await this.table.refresh();
    const answer = await this.panel.answer(task.parent, move).catch(() => null);
    if (!this.isDone && task === this.tasks[this.#at] && this.tried === move) this.table.view.setArrow(answer ?? null);
  }
}
