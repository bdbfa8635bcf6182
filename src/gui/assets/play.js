// The panel of a game that is being played.

import { action, fill, h, iconButton } from "./dom.js";
import { failureText } from "./engine.js";
import { saveGames } from "./files.js";
import { isLot } from "./games.js";
import { expectation } from "./judge.js";
import { menu } from "./page.js";
import { tableMenu } from "./share.js";
import { again } from "./situation.js";
import { offerPlayers, prepare, seatFields, usualLimit } from "./strengths.js";
import { t, word } from "./texts.js";
import { treeView } from "./tree-view.js";

export class Panel {
  constructor(table) {
    this.table = table;
    this.moves = treeView(table);
    this.bar = h("span.bar");
    this.menu = menu([]);
    this.apart = h("span.apart");
    const resign = action(null, "really resign", () => this.#resign(), { class: "wrong" });
    this.flag = menu([action(null, "go on"), resign], "resign", "flag", t("resign"));
    this.players = h(".strengths");
    this.element = h(".panel.play", h(".actions", this.bar, this.menu, this.apart), this.moves.element, this.players);
    this.drawActions();
    const isSeated = index => table.seats.some(seat => seat?.engine === index);
    offerPlayers(table.game, isSeated, players => this.#drawPlayers(players));
  }

  update(facts) {
    this.moves.update();
    this.drawActions(facts);
  }

  // Beside what stands below the board, until another position is shown.
  #tell = text => (this.table.parts.status.querySelector(".told").textContent = text);

  // Who plays each side, and how strong an engine is: also a game under way may be handed over.
  #drawPlayers(players) {
    const { table } = this,
      { game } = table;
    if (game.seats.length === 1) return;
    const sit = (index, value) => {
      table.dismiss(index);
      table.seats[index] = value === "" ? null : { engine: +value, limit: usualLimit(game) };
      table.remember();
      this.#drawPlayers(players);
      table.refresh();
    };
    const fields = (side, index) =>
      seatFields(game, table.seats[index], word(side), {
        players: [["", t("a person")], ...players],
        clock: table.clock,
        name: `player-${index}`,
        onPlayer: value => sit(index, value),
        onLimit: limit => {
          table.seats[index].limit = limit;
          table.remember();
        },
      });
    fill(this.players, game.seats.map(fields));
  }

  drawActions(facts) {
    const { table } = this,
      isOver = !facts || facts.result !== null || table.end !== null,
      solo = table.game.game.seats === 1,
      persons = table.seats.filter(seat => seat === null).length,
      // A game is given up or drawn as it stands, not as it once stood.
      isPast = isOver || !table.isAtEnd,
      over = { disabled: isOver };
    const act = (sign, name, does, attributes) =>
      iconButton(sign, t(name), does, { "data-action": name.replaceAll(" ", "-"), ...attributes });
    fill(this.bar, [
      act("rotate-ccw", "take back", () => this.#takeBack(), { disabled: !table.hasMoved }),
      !isLot(table.game) &&
        act("lightbulb", "hint", () => this.#hint(), { disabled: isOver || facts?.turn === "chance" }),
      solo && act("search", "solvable", () => this.#solvable(), over),
      act("arrow-up-down", "flip", () => table.flip()),
      persons < table.seats.length &&
        act("skip-forward", "move now", () => table.thinker?.stop(), { disabled: !table.thinker }),
      persons === 0 && act(...(table.isPaused ? ["play", "resume"] : ["pause", "pause"]), () => table.pause(), over),
    ]);
    this.flag[0].disabled = isPast;
    fill(this.apart, !solo && persons > 0 && this.flag);
    // One that is open stays as it is.
    if (this.menu[1].matches(":popover-open")) return;
    const canDraw = !solo && persons > 0 && !table.game.game.has_dice,
      cannotNow = { disabled: isPast || persons === table.seats.length };
    fill(this.menu[1], [
      action("plus", "new game", () => again(table)),
      canDraw && action("handshake", "offer draw", () => this.#offerDraw(), cannotNow),
      action("download", "save", () => saveGames(table.game.name, [table.saved()])),
      tableMenu(table),
    ]);
  }

  // Back to where the person had the move.
  async #takeBack() {
    const { tree, seats } = this.table;
    if (!this.table.isAtEnd || this.table.end) this.table.losing(t("undo delete"));
    this.table.end = null;
    do {
      const node = tree.node;
      tree.back();
      tree.remove(node);
    } while (tree.node.parent && seats.includes(null) && this.table.seatToMove(await this.table.facts()) !== null);
    this.table.clock?.back(tree.ply());
    this.table.refresh();
  }

  // This program's own opinion; null where there is none, or another position is shown by then.
  async #ask(limit) {
    const { table } = this,
      { node } = table.tree,
      engine = table.adviser();
    this.#tell(t("thinking"));
    const found = await prepare(engine, limit)
      .then(words => engine.search(table.tree.position(), words))
      .catch(failure => ({ failure }));
    if (table.tree.node !== node) return null;
    this.#tell(found.failure ? failureText(found.failure) : "");
    return found.failure ? null : found;
  }

  // At first where it begins, then the whole move.
  async #hint() {
    const { table, hinted } = this,
      found = hinted?.node === table.tree.node ? hinted : await this.#ask("movetime 800");
    if (!found || found.best === "(none)") return;
    const { best, lines, notes } = (this.hinted = { ...found, node: table.tree.node }),
      { kind, value } = lines[0]?.score ?? {},
      move = table.now.moves.find(({ move }) => move === best),
      isFirst = found !== hinted && move?.from;
    if (move) table.view.setArrows([isFirst ? { ...move, path: [] } : move]);
    const rest = table.game.game.seats === 1 && kind === "mate" ? ` ${t("solved in", { n: value })}` : "",
      said = isFirst ? t("learn from", { point: move.from }) : t("hint is", { move: best }) + rest;
    this.#tell(notes.some(text => text.includes("can no longer be reached")) ? t("hopeless") : said);
  }

  async #solvable() {
    const found = await this.#ask("movetime 5000");
    if (!found) return;
    const { kind, value } = found.lines[0]?.score ?? {};
    this.#tell(kind !== "mate" ? t("not known") : value > 0 ? t("still solvable", { n: value }) : t("hopeless"));
  }

  #resign() {
    const { table } = this,
      { seats } = table,
      who = seats.every(seat => seat === null) ? table.actor(table.now) : seats.indexOf(null);
    table.finish({ result: seats.length > 2 ? "draw" : `p${who === 0 ? 2 : 1}win`, reason: "resignation" });
  }

  // An engine that is not better agrees.
  async #offerDraw() {
    const { table } = this,
      mover = table.actor(table.now),
      { lines = [] } = (await this.#ask("nodes 20000")) ?? {};
    if (!lines[0] || !table.isAtEnd || table.isOver) return;
    const mine = table.seats[mover] === null ? expectation(lines[0]) : 1 - expectation(lines[0]);
    if (mine >= 0.5) table.finish({ result: "draw", reason: "agreement" });
    else this.#tell(t("draw refused"));
  }
}
