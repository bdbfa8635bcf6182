// The panel of a review: every move judged, by tables where they reach and by search elsewhere; then each mistake as a task.

import { action, button, fill, grid, h, row, select } from "./dom.js";
import { failureText } from "./engine.js";
import { evaluationGraph, treeView } from "./tree-view.js";
import { provedShare, provedText } from "./games.js";
import { MARKS, accuracy, classOf, classOfMark, gaps, judge, lossOf, lossOfEnd, loserAfter } from "./judge.js";
import { ofLine, ofResult, ofTable, tableValues, worthText } from "./judge.js";
import { Preview } from "./search-view.js";
import { look } from "./server.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { capital, seatOf, sideText, told } from "./telling.js";
import { number, t, word } from "./texts.js";
import { numbered } from "./tree.js";

// A mark needs the word of two searches: that of the review with so much more thought, and the other one.
const CHECKS = { auto: 3, mcts: 1 },
  SOLVING = "movetime 5000",
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"],
  MOST_SHOWN = 8;

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
    this.element = h(".panel.review", [
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
    this.#score();
  }

  // Lines and arrows are of the position that is shown: before a mistake what was better, behind it the answer to it.
  update(facts) {
    // The board shows the task, and nothing that tells the answer.
    if (this.lesson?.isDone === false) {
      this.better.replaceChildren();
      return this.lesson.draw();
    }
    // A game that is over is judged at once.
    if (this.table.isOver && !this.isAsked && !this.table.tree.line().at(-1).verdict) this.judge();
    this.tree.update();
    this.graph.update();
    this.preview.shown = null;
    const { game, tree, view } = this.table,
      { node } = tree,
      slip = node.children.find(({ verdict }) => verdict?.mark),
      reply = node.verdict?.reply ?? [],
      next = reply[0] ?? node.children[0]?.move,
      of = move => facts.moves.find(each => each.move === move),
      values = tableValues(facts);
    if (values.size === 0 && reply[0] && node.value) values.set(reply[0], node.value);
    view.setValues(values.size > 0 ? values : null, reply.slice(0, 1));
    view.setArrows([of(slip?.move), slip?.mark], [of(slip?.verdict.better)]);
    for (const item of this.mistakes.children) item.toggleAttribute("data-here", +item.dataset.node === node.id);
    const line = (name, moves) => moves?.length > 0 && h("p.line", h("b", t(name)), this.preview.buttons(node, moves));
    fill(this.better, [
      slip && [h("p", this.said(slip)), line("better was", slip.verdict.best)],
      node.verdict && h("p", { class: slip && "quiet" }, this.said(node), " ", told(game, of(next))),
      // Where the answer was missed, too, it is what was better.
      !slip && line("punished by", reply),
    ]);
  }

  // Whose loss it was, and what that side had before and behind it.
  #facts({ mover, exact, from, to }) {
    const [before, after] = [from, to].map(share => worthText(share, exact));
    return { side: sideText(this.table.game.seats[seatOf(mover)]), before, after };
  }

  // In a sentence: what a mark is, and what was given away or kept.
  said({ move, mark, verdict }) {
    const { exact, isOnly, from, to } = verdict,
      facts = { move, ...this.#facts(verdict) };
    if (verdict.mark) return `${move}${mark} ${t(`mark ${mark}`)}: ${t(exact ? "cost exact" : "cost", facts)}`;
    return `${exact && from === to ? t("kept", facts) : `${t("fall", facts)}.`}${isOnly ? ` ${t("only move")}` : ""}`;
  }

  async judge() {
    const { table, limit } = this;
    this.start.disabled = this.isAsked = true;
    this.scores.querySelectorAll("button").forEach(learn => (learn.disabled = true));
    if (!this.engine || this.engine.refusal) this.engine = table.newEngine(0);
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
      proved = share !== null && { share, exact: true, turn: "p1" },
      places = [];
    const settle = async () => {
      for (let doubt; (doubt = this.#weigh(places, proved));) await this.#check(...doubt, limit);
      this.graph.update();
    };
    for (const [index, node] of line.entries()) {
      if (this.isClosed) return;
      this.progress.textContent = t("judging", { n: index, of: line.length - 1 });
      const facts = await table.facts(node),
        turn = facts.turn === "none" ? "p1" : facts.turn;
      places.push({ turn, node, facts, ...(await this.#value(tree.position(node), facts, limit)) });
      await settle();
    }
    if (table.game.seats.length > 1) return;
    // Where the solution was lost unseen, a longer look, from the end on, finds the move.
    for (const [n, place] of [...places.entries()].reverse()) {
      if (!gaps(line).some(({ since, ply }) => since < n && n < ply)) continue;
      this.progress.textContent = t("judging", { n, of: line.length - 1 });
      Object.assign(place, await this.#value(tree.position(place.node), place.facts, SOLVING));
      await settle();
    }
  }

  // Says of every move what the values of the positions around it say, so that each position has one; the first slip that
  // was not looked at more closely is not told, but is what comes back.
  #weigh(places, proved) {
    let lost, doubt;
    for (const [index, here] of places.entries()) {
      const { node, turn } = here,
        before = places[index - 1];
      node.value = (!before && proved) || (here.value && { ...here.value, turn });
      if (before) {
        const verdict = judge(before, here, node.move, lost),
          isDoubted = verdict?.mark && !here.found;
        if (isDoubted) doubt ??= [before, here, verdict];
        const known = [...tableValues(before.facts)];
        node.verdict = verdict && !isDoubted ? { ...verdict, ...(verdict.mark && here.found) } : null;
        if (node.verdict)
          node.verdict.isOnly =
            known.length > 1 && known.every(([move, { share }]) => move === node.move || share < verdict.to);
        node.mark = node.verdict?.mark ?? "";
      }
      lost = loserAfter(node.value, node.verdict, lost);
    }
    return doubt;
  }

  // What the closer look finds is what both positions are worth from then on, unless that is known.
  async #check(before, here, { exact, better }, limit) {
    if (!exact) {
      const { from, to } = await this.compare(before.node, better, here.node.move, limit),
        set = (place, share) => place.value.exact || (place.value = { ...place.value, share });
      set(before, Math.max(from, to));
      set(here, here.turn === before.turn ? to : 1 - to);
    }
    here.found = { best: await this.#line(before, limit), reply: await this.#line(here, limit) };
  }

  // How the game goes on from a position that was judged; where tables know the best move a search tells what follows it.
  async #line({ node, best, line }, limit) {
    const position = this.table.tree.position(node);
    line ??= (await this.engine.search(position, `${limit} searchmoves ${best}`)).lines[0]?.pv;
    return line?.slice(0, MOST_SHOWN);
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
    const position = this.table.tree.position(node, move),
      facts = await look(this.table.game, position),
      { best } = await this.#value(position, facts, this.limit);
    return facts.moves.find(({ move }) => move === best);
  }

  // {value, best, line} of the side to move; a position that is over has the value of its result.
  async #value(position, facts, limit) {
    if (facts.result !== null) return { value: ofResult(facts.result), line: [] };
    if (facts.turn === "chance") return { value: null };
    if (facts.table) return { value: ofTable(facts.table), best: facts.table.moves[0]?.move };
    const { best, lines } = await this.engine.search(position, limit);
    const value = lines[0] && ofLine(lines[0]);
    // Whether a puzzle can be solved is known, or nothing is.
    return { value: value?.exact || this.table.game.seats.length > 1 ? value : null, best, line: lines[0]?.pv };
  }

  // Accuracy and mistakes of each side, and a line for each mistake.
  #score() {
    const { tree, game } = this.table,
      line = [tree.root, ...tree.through()],
      judged = line.filter(({ verdict }) => verdict);
    if (judged.length === 0) return;
    // A mistake is looked at where it was to be avoided, the end of a game where it came.
    const slip = ({ move, mark, parent, verdict }) => {
      const ply = tree.ply(parent) + 1,
        facts = { move: `${numbered(game, ply)} ${move}${mark}`, ...this.#facts(verdict) };
      return { ...verdict, node: parent, ply, text: t("fall", facts) };
    };
    const lost = gaps(line),
      ended = this.#ended(tree.line().at(-1)),
      slips = [...judged.filter(({ mark }) => mark).map(slip), ...ended];
    const rows = game.seats.map((side, seat) => {
      const mine = judged.filter(({ verdict }) => verdict.mover === `p${seat + 1}`),
        share = accuracy(mine.map(({ verdict }) => verdict)),
        tasks = mine.filter(({ mark }) => mark);
      const text = lost.some(({ loser }) => loser === seat)
        ? word("n/a")
        : share !== null
          ? `${number(share, 1)} %`
          : mine.length > 0
            ? t("lost throughout")
            : "–";
      return row(word(side), [
        h("span", { "data-accuracy": seat }, text),
        ...MARKS.map(mark => tasks.filter(node => node.mark === mark).length),
        action("graduation-cap", "learn", () => this.#learn(tasks), { "data-learn": seat, disabled: !tasks[0] }),
      ]);
    });
    const legend = [t("legend marks"), lost.length === 0 && t("legend accuracy")];
    fill(this.scores, grid(["", t("accuracy"), ...MARKS, ""], rows), h("p.quiet", legend.filter(Boolean).join(" ")));
    const proved = provedShare(this.table),
      since = line.findLastIndex(({ value }) => !value?.exact || value.share !== 0.5) + 1,
      unseen = lost.map(({ since, ply, loser }) =>
        t("unseen", { since: numbered(game, since + 1), to: numbered(game, ply), side: word(game.seats[loser]) }),
      ),
      isFlawless = slips.length + unseen.length === 0,
      isGuessed = proved !== null && line.some(({ value }) => value && !value.exact),
      held = since < line.length - 1 && ended.length === 0 && t("held", { since: parseInt(numbered(game, since + 1)) }),
      parts = [provedText(this.table, proved), isGuessed && t("guesses"), ...unseen, isFlawless && t("flawless"), held];
    this.progress.textContent = parts.filter(Boolean).join(" ");
    const show = async node => (await this.table.go(node), this.better.scrollIntoView({ block: "end" })),
      link = ({ node, text }) => button(text, () => show(node)),
      facts = ({ mark, node, ply }) => ({ class: classOfMark(mark), "data-node": node.id, "data-mistake": ply });
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
      after = (lost, { value, verdict }) => loserAfter(value, verdict, lost),
      isLost = tree.line().reduce(after, null) === loss?.mover;
    const text = () => t("still had", { reason: capital(word(end.reason)), ...this.#facts(loss) });
    return loss && !isLost ? [{ ...loss, node, ply: tree.ply(node), text: text() }] : [];
  }

  #learn(tasks) {
    const { tree } = this.table,
      { node } = tree,
      known = tree.all().map(node => [node, [...node.children]]);
    // The game is kept as it was, without what was tried; one under way has gone on.
    this.leave = () => {
      const live = this.table.tip ? tree.path(this.table.tip) : [];
      for (const [node, children] of known)
        node.children = node.children.filter(child => children.includes(child) || live.includes(child));
      tree.go(node);
    };
    this.lesson = new Lesson(this, tasks, () => {
      this.lesson.element.remove();
      this.lesson = null;
      this.leave();
      this.table.refresh();
    });
    this.element.prepend(this.lesson.element);
  }

  close() {
    if (this.lesson) this.leave();
    this.isClosed = true;
    this.engine?.close();
  }
}

// Mistakes as tasks: the position before each, for which the person finds a better move, judged by tables or a search.
class Lesson {
  // `tasks` are the nodes of the mistakes, `panel` that of the review; `onEnd` is called when the person has done.
  constructor(panel, tasks, onEnd) {
    Object.assign(this, { panel, onEnd, table: panel.table });
    this.question = h("p.question");
    this.said = h("p.note", { role: "status", "data-lesson": "" });
    this.buttons = h(".actions");
    this.element = h(".panel.lesson", this.question, this.said, this.buttons);
    this.#begin(tasks);
  }

  // Of tasks that are `found` there is whether it was at the first try.
  #begin(tasks) {
    Object.assign(this, { tasks, found: new Map() });
    this.#ask(0);
  }

  #ask(at) {
    const { table, tasks } = this,
      task = (this.task = tasks[at]);
    if (!task) return this.#end();
    const facts = { n: at + 1, of: tasks.length, side: table.name(task.verdict.mover), move: task.move + task.mark };
    this.question.textContent = t("learn question", facts);
    this.isHelped = this.tried = null;
    this.arrows = [];
    this.#offer(false);
    table.tree.go(task.parent);
    table.refresh();
  }

  // How they went; what was not found can be tried once more.
  #end() {
    const { tasks, found } = this,
      first = [...found.values()].filter(Boolean).length,
      left = tasks.filter(task => !found.has(task));
    this.question.textContent = t("learn found", { n: found.size, of: tasks.length });
    this.isDone = true;
    this.#say(t("learn ways", { first, helped: found.size - first, shown: left.length }));
    fill(this.buttons, [
      left.length > 0 && action(null, "learn again", () => this.#begin(left)),
      action(null, "learn done", this.onEnd, { class: "primary" }),
    ]);
  }

  #offer(isDone, text = "", style = "") {
    const { task, tasks } = this,
      act = (name, does, attributes) => action(null, name, does, attributes);
    this.isDone = isDone;
    this.#say(text, style);
    fill(this.buttons, [
      act("learn hint", () => this.#hint(task), { disabled: isDone }),
      act("learn solution", () => this.#solve(t("learn was", { move: task.verdict.better })), { disabled: isDone }),
      act("learn next", () => this.#ask(tasks.indexOf(task) + 1), { class: isDone && "primary" }),
      act("learn end", this.onEnd),
    ]);
  }

  // With a sign and a colour where it is right or wrong.
  #say(text, style = "") {
    const sign = { fine: "✓ ", wrong: "✗ " }[style] ?? "";
    Object.assign(this.said, { textContent: sign + text, className: `note ${style}` });
  }

  // What is drawn in the position of the task.
  draw() {
    if (this.table.tree.node === this.task.parent) this.table.view.setArrows(...this.arrows);
  }
  #show(...arrows) {
    this.arrows = arrows;
    this.draw();
  }

  // Where the better move begins, or where that is plain, where it ends.
  async #hint({ parent, verdict }) {
    const { table } = this,
      { moves, pieces } = await table.facts(parent),
      better = moves.find(({ move }) => move === verdict.better) ?? {},
      isAlone = pieces.filter(({ owner }) => owner === verdict.mover).length === 1,
      way = !better.from ? "put" : isAlone ? "to" : "from",
      point = { put: better.placed?.[0]?.point, to: better.to, from: better.from }[way];
    this.isHelped = true;
    // The answer to a try that is still looked for comes too late.
    this.tried = null;
    // A pass has no point.
    if (!point) return this.#say(t("learn was", { move: verdict.better }));
    this.#say(t(`learn ${way}`, { point }));
    this.#show([{ ...better, from: null, placed: [{ point }] }, "", "hint"]);
    table.go(parent);
  }

  // With the move that was found, which is played; else the review shows the mistake with what was better.
  async #solve(text, found) {
    const { table, task } = this;
    if (found) this.found.set(task, !this.isHelped);
    this.#offer(true, text, found && "fine");
    table.tree.go(task.parent);
    await table.refresh();
    if (found && !this.panel.isClosed) table.play(found);
  }

  // Whether the move is an answer; it is played when it is good.
  takes(move) {
    const { task, table } = this;
    if (this.isDone || table.tree.node !== task.parent) return false;
    this.#judge(task, move).catch(failure => {
      this.#say(failureText(failure));
      table.refresh();
    });
    return true;
  }

  async #judge(task, change) {
    const { panel, table } = this,
      { better } = task.verdict,
      { move } = change,
      isLate = () => this.isDone || panel.isClosed || this.tried !== change;
    this.tried = change;
    if (move === better) return this.#solve(t("learn best", { move }), change);
    this.#say(t("thinking"));
    const { loss, mark } = await panel.compare(task.parent, better, move);
    if (isLate()) return;
    if (loss === 0) return this.#solve(t("learn good", { move, better }), change);
    this.isHelped = true;
    this.#say(t(move === task.move ? "learn same" : "learn wrong", { move, n: Math.round(100 * loss) }), "wrong");
    await table.refresh();
    const answer = await panel.answer(task.parent, move).catch(() => null);
    if (isLate()) return;
    if (answer) this.said.append(` ${t("punished by")} ${answer.move}`);
    this.#show([change, mark], [answer, "", "answer"]);
  }
}
