// The panel of a review: every move judged, by tables where they reach and by search elsewhere.

import { button, grid, h, keep, kept, row, select } from "./dom.js";
import { evaluationGraph } from "./analysis.js";
import { solvedFor } from "./games.js";
import { accuracy, judgeLine, markOf, ofLine, ofTable } from "./judge.js";
import { strengthText } from "./strengths.js";
import { t, word } from "./texts.js";
import { treeView } from "./tree-view.js";

// How much more thought a mark needs than a value.
const CHECK = 3,
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"];

export class Panel {
  constructor(table) {
    this.table = table;
    this.limit = kept("review limit", LIMITS[0]);
    this.tree = treeView(table);
    this.graph = evaluationGraph(table);
    this.progress = h("p", { class: "note", role: "status" });
    this.better = h("p", { class: "note", "data-better": "" });
    this.scores = h("div", {});
    this.footer = h("p", { class: "quiet", "data-formula": "" }, t("formula", { limit: strengthText(this.limit) }));
    this.start = button(t("start review"), () => this.judge(), { class: "primary", "data-action": "judge" });
    this.element = h(
      "div",
      { class: "panel review" },
      h(
        "div",
        { class: "strengths" },
        select(
          t("strength"),
          LIMITS.map(limit => [limit, strengthText(limit)]),
          this.limit,
          limit => {
            this.limit = limit;
            keep("review limit", limit);
          },
        ),
      ),
      h(
        "div",
        { class: "actions" },
        this.start,
        button(t("next mistake"), () => this.#next(), { "data-action": "next-mistake" }),
      ),
      this.progress,
      this.scores,
      this.graph.element,
      this.better,
      this.tree.element,
      this.footer,
    );
  }

  update() {
    this.tree.update();
    this.graph.update();
    const { tree } = this.table,
      { node } = tree,
      { verdict } = node;
    // The text and the arrow are of the move that led here.
    this.better.textContent = verdict?.mark
      ? `${node.move}: ${t("lost share", { n: Math.round(verdict.loss * 100) })}. ${t("better was", { move: verdict.better })}`
      : "";
    this.table.view.setArrows(verdict?.mark && verdict.change ? [verdict.change] : []);
  }

  async judge() {
    const { table } = this,
      { limit } = this,
      line = [table.tree.root, ...table.tree.through()],
      positions = [];
    this.start.disabled = true;
    this.engine ??= table.newEngine(0);
    for (const [index, node] of line.entries()) {
      if (this.isClosed) return;
      this.progress.textContent = t("judging", { n: index, of: line.length - 1 });
      const facts = await table.facts(node).catch(() => null);
      if (!facts) break;
      positions.push({ turn: facts.turn === "none" ? "p1" : facts.turn, ...(await this.#value(node, facts)) });
      node.value = positions.at(-1).value && { ...positions.at(-1).value, turn: positions.at(-1).turn };
      this.graph.update();
    }
    const moves = line.slice(1).map(({ move }) => move);
    for (const [index, verdict] of judgeLine(positions, moves).entries()) {
      const node = line[index + 1];
      if (verdict?.mark && !verdict.exact) await this.#verify(line[index], node, verdict, limit);
      if (this.isClosed) return;
      node.mark = verdict?.mark ?? "";
      node.verdict = verdict && {
        ...verdict,
        change: line[index].facts.moves.find(({ move }) => move === verdict.better),
      };
    }
    this.footer.textContent = t("formula", { limit: strengthText(limit) });
    this.progress.textContent = "";
    this.start.disabled = false;
    this.#score(line.slice(1));
    this.update();
    table.remember();
  }

  // A second opinion on a mark: the two moves alone, each with more thought. The smaller of the losses stands.
  async #verify(before, { move }, verdict, limit) {
    const nodes = CHECK * limit.split(" ")[1];
    const worth = async move => {
      this.progress.textContent = t("checking", { move });
      const { lines } = await this.engine
        .search(this.table.tree.position(before), `nodes ${nodes} searchmoves ${move}`)
        .catch(() => ({ lines: [] }));
      return ofLine(lines[0] ?? {}).share;
    };
    verdict.loss = Math.min(verdict.loss, Math.max(0, (await worth(verdict.better)) - (await worth(move))));
    verdict.mark = markOf(verdict.loss);
  }

  // {value, best} of the side to move; a position that is over has the value of its result.
  async #value(node, facts) {
    const { table } = this;
    if (facts.result !== null)
      return { value: { share: facts.result === "draw" ? 0.5 : facts.result === "p1win" ? 1 : 0, exact: true } };
    if (facts.turn === "chance") return { value: null };
    if (facts.table) return { value: ofTable(facts.table), best: facts.table.moves[0]?.move };
    const { best, lines } = await this.engine
      .search(table.tree.position(node), this.limit)
      .catch(() => ({ lines: [] }));
    return { value: lines[0] ? ofLine(lines[0]) : null, best };
  }

  #score(nodes) {
    const { table } = this,
      rows = table.game.seats.map((_, seat) => {
        const mine = nodes.map(({ verdict }) => verdict).filter(verdict => verdict?.mover === `p${seat + 1}`),
          share = accuracy(mine.map(({ loss }) => loss));
        const count = mark => mine.filter(verdict => verdict.mark === mark).length;
        const line = row(table.name(`p${seat + 1}`), [
          share === null ? "–" : `${share.toFixed(1)} %`,
          ...["??", "?", "?!"].map(count),
        ]);
        line.children[1].dataset.accuracy = seat;
        return line;
      });
    this.scores.replaceChildren(grid(["", t("accuracy"), "??", "?", "?!"], rows));
    this.progress.textContent = this.#solved() || (nodes.every(({ mark }) => !mark) ? t("flawless") : "");
  }

  // What is known of the game as a whole, which no search of a move may contradict.
  #solved() {
    const { game, tree } = this.table,
      winner = tree.start ? null : solvedFor(game);
    if (winner === null) return "";
    return winner === "draw" ? t("solved draw") : t("solved result", { side: word(game.seats[winner]) });
  }

  #next() {
    const { tree } = this.table,
      line = tree.through(),
      at = line.indexOf(tree.node),
      bad = line.filter(({ mark }) => mark);
    this.table.go(bad.find(node => line.indexOf(node) > at) ?? bad[0]);
  }

  close() {
    this.isClosed = true;
    this.engine?.close();
    this.table.view.setArrows([]);
  }
}
