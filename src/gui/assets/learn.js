// Mistakes as tasks: the position before each, for which the person finds a better move, judged by tables or a search.

import { action, fill, h } from "./dom.js";
import { failureText } from "./engine.js";
import { t } from "./texts.js";

export class Lesson {
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
    if (move === verdict.better) return this.#solve(move, t("learn best", { move }), "fine");
    this.#say(t("thinking"));
    const { loss } = await this.panel.compare(task.parent, verdict.better, move);
    if (this.isDone || task !== this.tasks[this.#at]) return;
    if (loss === 0) return this.#solve(move, t("learn good", { move, better: verdict.better }), "fine");
    this.#say(t(move === task.move ? "learn same" : "learn wrong", { move, n: Math.round(100 * loss) }), "wrong");
    await this.table.refresh();
    const answer = await this.panel.answer(task.parent, move);
    if (!this.isDone && task === this.tasks[this.#at]) this.table.view.setArrow(answer ?? null);
  }
}
