// The table: a board with its game, for persons and engines. Panels beside it play, analyse or review.

import { BoardView } from "./board-view.js";
import { Clock, TICK_MS } from "./clock.js";
import { action, button, calm, fill, h, portrait, randomName } from "./dom.js";
import { drawBelow, drawButtons, drawClocks, drawSeats, rollDice, situation, tellBlocked } from "./situation.js";
import { Engine } from "./engine.js";
import { originOf } from "./entry.js";
import { address, app, every, menu, offerUndo, say, tick, wait } from "./page.js";
import { engineName, gameOf, keepGame, keptGame, kindOf, titleOf } from "./games.js";
import { connection, imported, look } from "./server.js";
import { parse } from "./setup.js";
import { tableMenu } from "./share.js";
import { prepare } from "./strengths.js";
import { huffed, seatOf, told } from "./telling.js";
import { sentence, t, word } from "./texts.js";
import { evaluationGraph, takeKey, treeView } from "./tree-view.js";
import { Tree } from "./tree.js";

// What is kept of a table as it is.
const KEPT = ["date", "kind", "mode", "seats", "players", "end", "isTurned", "isTouched", "outcome"];
const TABS = ["analyse", "review", "rules"];
// Modules of panels that have another name.
const PANELS = { analyse: "analysis", rules: "rules-text" };
// An engine that has ended so often over one position is not asked again.
const MOST_LOSSES = 3;

export class Table {
  #turn = 0;
  lost = 0;

  // Without an `id` the browser keeps nothing of it.
  constructor(given) {
    const { game, mode } = given,
      // A report has no engines.
      tabs = [mode === "record" ? mode : "play", ...(app.data ? [] : TABS)],
      seats = game.seats.map(() => null),
      usual = { seats, tabs, isTurned: false, end: null, outcome: null, date: Date.now(), engines: new Map() };
    Object.assign(this, usual, given);
    // What panels show of the moves.
    Object.assign(this, { moves: treeView(this), graph: evaluationGraph(this) });
    this.clock = given.clock ? new Clock(given.clock, seats.length) : null;
    this.view = new BoardView({ seats: game.seats, onMove: move => this.play(move), say });
    this.view.setBoard(game.board, this.isTurned);
    this.view.onState = () => this.now && drawButtons(this);
    this.view.onBlocked = piece => this.now && tellBlocked(this, piece);
  }

  newEngine(engine, onLost, purpose = t(`tab ${this.mode}`)) {
    const made = new Engine({
      engine,
      name: `${engineName(engine)} ${purpose}`,
      ruleset: this.game.ruleset,
      onLost,
      onState: (state, reason) => state === "refused" && (this.parts.status.textContent = t("refused", { reason })),
    });
    if (!this.game.ruleset) made.set("UCI_Variant", this.game.name);
    return made;
  }

  // The process that plays a seat.
  engine(seat) {
    const again = () => (this.lost < MOST_LOSSES ? this.refresh() : this.#fail(t("it ends")));
    return this.#process(seat, this.seats[seat].engine, again, word(this.game.seats[seat]));
  }
  // That of this program which gives hints and answers offers, while others think.
  adviser = () => this.#process("adviser", 0, undefined, t("hint"));
  #process(key, index, onLost, purpose) {
    const known = this.engines.get(key);
    if (!known || known.refusal) {
      const engine = this.newEngine(index, onLost, purpose);
      engine.set("Seed", Math.floor(Math.random() * 4e9));
      this.engines.set(key, engine);
    }
    return this.engines.get(key);
  }
  // The one that thinks about its move.
  get thinker() {
    const engine = this.mode === "play" && this.now && this.engines.get(this.actor(this.now));
    return engine?.isSearching ? engine : null;
  }
  // Before another player sits down there.
  dismiss(seat) {
    this.engines.get(seat)?.close();
    this.engines.delete(seat);
  }

  // Shown until the signal ends it.
  async open(main, signal) {
    document.title = `${titleOf(this.game)} · reynard`;
    this.signal = signal;
    signal.addEventListener("abort", () => this.close());
    main.className = "table";
    main.dataset.family = this.game.family;
    const names = [".seat.far", ".seat.near", ".dice-place", ".now", "aside.side", ".bar-place"],
      [far, near, dice, buttons, side, bar] = names.map(name => h(name)),
      status = h("p.status", { role: "status" });
    this.parts = { far, near, status, dice, buttons, side, bar };
    fill(main, [
      h(".stage", [far, h(".board-place", bar, this.view.svg), near, h(".under", status, dice, buttons)]),
      side,
    ]);
    this.view.show({
      pieces: this.tree.root === this.tree.node && !this.tree.start ? this.game.pieces : [],
      label: titleOf(this.game),
    });
    document.addEventListener("keydown", event => takeKey(this, event), { signal });
    portrait().addEventListener("change", () => this.flip(this.isTurned), { signal });
    window.addEventListener("pagehide", () => this.#keep(), { signal });
    if (this.clock) every(TICK_MS, () => this.#watchClock(), signal);
    await this.showPanel(this.mode);
  }

  async showPanel(mode) {
    this.panel?.close?.();
    const shown = (this.mode = this.tabs.includes(mode) ? mode : "analyse");
    // The address is the way back if the panel cannot be loaded.
    this.remember();
    this.parts.bar.replaceChildren();
    const { panel } = await imported(() => import(`./${PANELS[this.mode] ?? this.mode}.js`));
    if (this.signal.aborted || shown !== this.mode) return;
    this.panel = panel(this);
    const facts = name => ({ role: "tab", "aria-selected": String(this.mode === name), "data-tab": name }),
      tab = name => button(t(`tab ${name}`), () => this.showPanel(name), facts(name));
    fill(this.parts.side, [
      h(".head", h("h1", titleOf(this.game)), this.mode !== "play" && menu(tableMenu(this))),
      h(".tabs", { role: "tablist" }, this.tabs.map(tab)),
      this.panel.element,
    ]);
    document.querySelector("main").dataset.mode = this.mode;
    return this.refresh();
  }

  close() {
    this.#turn++;
    this.panel?.close?.();
    this.clock?.hold();
    this.#keep();
    this.engines.forEach(engine => engine.close());
  }

  // Before moves are lost: a way back to the tree as it is now. One that is lost `whole` is kept as a game of its own.
  losing(text, whole = false) {
    const { tree, end, players, clock } = this,
      [moves, times, copy] = [tree.save(), clock?.save(), randomName()],
      isKept = whole && tree.root.children.length > 0;
    if (isKept) keepGame(copy, this.saved());
    offerUndo(isKept ? t("undo whole") : text, () => {
      if (isKept) keepGame(copy, null);
      this.losing(t("undo tree"));
      Object.assign(this, {
        tree: Tree.load(moves),
        end,
        players,
        clock: times && new Clock(times, this.seats.length),
      });
      this.refresh();
    });
  }

  // What is known of a node's position, asked once.
  async facts(node = this.tree.node, tree = this.tree) {
    if (node.facts) return node.facts;
    const found = await look(this.game, tree.position(node), node.move && !node.change ? ["played"] : []);
    const nodes = tree.path(node),
      played = found.error ? [] : (found.played ?? []);
    for (const [index, change] of played.entries()) {
      nodes[index].change ??= change;
      nodes[index].move = change.move;
    }
    node.route = found.route ?? undefined;
    return (node.facts ??= found);
  }

  // Takes a game over, as far as its moves are legal; what is wrong with the first that is not. Where none is, all stays.
  async load(tree, { players, end }) {
    let error = null;
    for (const todo = [tree.root]; todo.length > 0;) {
      const node = todo.shift(),
        facts = await this.facts(node, tree);
      if (facts.error) {
        error ??= facts.error;
        if (!node.parent) break;
        tree.remove(node);
      } else todo.push(...node.children);
    }
    if (error && (tree.root.facts.error || tree.root.children.length === 0)) return error;
    if (this.tree.root.children.length > 0 || this.tree.start) this.losing(t("undo tree"), true);
    Object.assign(this, { tree, players, end: error ? null : end });
    this.view.hold();
    tree.node = tree.line().at(-1);
    await this.refresh();
    return error;
  }

  // Shows the node; plays on where an engine or the dice are due.
  async refresh({ isAnimated = false } = {}) {
    if (this.signal.aborted) return;
    const turn = ++this.#turn,
      node = this.tree.node;
    if (!node.facts) this.view.hold();
    const facts = await this.facts(node).catch(failure => turn === this.#turn && this.#fail(failure.message));
    if (!facts || turn !== this.#turn) return;
    if (facts.error && (node.parent || this.tree.start)) return this.refuse(node, facts.error);
    this.now = facts;
    if (this.clock && !connection.isAway && (this.mode !== "play" || this.isOver || this.isAtEnd))
      this.clock.run(this.mode === "play" && !this.isOver && node.parent ? this.actor(facts) : null);
    this.draw(isAnimated);
    drawSeats(this, facts, this.parts);
    drawBelow(this);
    this.moves.update();
    this.graph.update();
    this.panel?.update?.(facts);
    this.remember();
    if (this.mode === "play" && !this.isOver && this.isAtEnd) await this.#proceed(turn, facts);
  }

  // The position of the node on the board.
  draw(isAnimated = false) {
    const { now: facts, view } = this,
      { node } = this.tree,
      { change, parent } = node;
    view.show({
      pieces: facts.pieces,
      moves: this.isMine() ? facts.moves.filter(move => originOf(move) !== null && facts.turn !== "chance") : [],
      // The cross of a piece that was taken off for not jumping stays for a move.
      change: change && { ...change, captured: [...change.captured, ...huffed(this.game, parent.change)] },
      route: node.route,
      fen: facts.fen,
      label: `${titleOf(this.game)}. ${situation(this, facts)}`,
      shapes: (node.shapes ??= []),
      isPlayed: this.mode === "play" || this.panel.isPosed?.(),
      isAnimated,
    });
  }

  // Given up, agreed, out of time: said of the last position of the game, not of its variations; while it is played, of
  // those before it, too.
  isEnded = () => this.end !== null && (this.mode === "play" || this.tree.node === this.tree.line().at(-1));
  get isOver() {
    return this.now.result !== null || this.isEnded();
  }
  // A game is played at its end; moves before it are only looked at.
  get isAtEnd() {
    return this.tree.node.children.length === 0;
  }
  isMine = () => this.mode !== "play" || (!this.isOver && this.isAtEnd && this.seatToMove(this.now) === null);
  // Whether a person has made a move, or an engine where there are no persons.
  get hasMoved() {
    const isMine = ({ change }) => !change || (!!change.mover && this.seats[seatOf(change.mover)] === null);
    return this.seats.includes(null) ? this.tree.path().some(isMine) : this.tree.node.parent !== null;
  }

  // Who has no time left has lost.
  #watchClock() {
    // Without a server nobody can move.
    if (connection.isAway) this.clock.hold();
    drawClocks(this.clock, this.parts.far, this.parts.near);
    const loser = this.end ? null : this.clock.fallen;
    if (loser !== null) this.finish({ result: `p${loser === 0 ? 2 : 1}win`, reason: "time is up" });
  }

  // A start or a move of an address or a kept game that the engine does not know as legal.
  refuse(node, reason) {
    if (node.parent) {
      this.tree.go(node.parent);
      this.tree.remove(node);
      this.end = null;
    } else this.tree = new Tree();
    offerUndo(t("not taken", { reason: sentence(reason) }));
    return this.refresh();
  }

  // Who acts: the number of a seat, that of the roller where dice are due.
  actor = facts => seatOf(facts.turn === "chance" ? (parse(facts.fen).keys.turn ?? "p1") : facts.turn);
  seatToMove = facts => this.seats[this.actor(facts)] ?? null;

  async #proceed(turn, facts) {
    const seat = this.seatToMove(facts);
    if (facts.turn === "chance") {
      if (seat === null) return;
      await wait(calm() ? 0 : 450);
      if (turn === this.#turn) await this.roll();
      return;
    }
    if (seat === null || (this.isPaused && !this.seats.includes(null))) return;
    const begun = performance.now();
    try {
      const engine = this.engine(this.actor(facts)),
        limits = await prepare(engine, seat.limit, this.clock);
      if (turn !== this.#turn) return;
      const asked = engine.search(this.tree.position(), limits);
      this.panel.update?.(facts);
      const { best } = await asked;
      if (turn === this.#turn) this.clock?.hold();
      this.lost = 0;
      await wait(calm() ? 0 : 320 - (performance.now() - begun));
      if (turn !== this.#turn) return;
      // What is no text of a legal move may be another form of one.
      const known = facts.moves.find(({ move }) => move === best),
        error = known ? null : (await look(this.game, this.tree.position(this.tree.node, best))).error;
      if (error) return this.#fail(t("illegal move", { move: best }));
      if (turn === this.#turn) this.play(known ?? best);
    } catch (failure) {
      if (failure.message === "lost") this.lost++;
      else if (turn === this.#turn) this.#fail(failure.message);
    }
  }

  // The server or the engine of a seat cannot go on; the person may try again, take back, or analyse.
  #fail(reason) {
    const again = () => ((this.lost = 0), this.refresh());
    this.parts.status.textContent = t("engine failed", { reason });
    fill(this.parts.buttons, action("rotate-ccw", "try again", again));
  }

  // Between two engines; also while one of them thinks.
  pause() {
    this.isPaused = !this.isPaused;
    this.thinker?.stop();
    return this.refresh();
  }

  async roll() {
    const facts = this.now;
    if (facts.turn !== "chance" || this.isRolling || facts !== this.tree.node.facts) return;
    this.isRolling = true;
    const dice = await rollDice(this.parts.dice),
      text = `${Math.max(...dice)}+${Math.min(...dice)}`;
    this.isRolling = false;
    const move = facts.moves.find(({ move }) => move === text);
    if (move && facts === this.now) this.play(move);
  }

  // Plays in the position that is shown; nothing while another one is on its way.
  play(move) {
    if (this.tree.node.facts !== this.now || this.panel.takes?.(move)) return;
    const change = typeof move === "string" ? null : move;
    if (this.isMine()) this.isTouched = true;
    if (this.mode === "play" && this.clock) {
      const ply = this.tree.ply();
      if (this.clock.history.length !== ply + 1) this.clock.back(ply);
      this.clock.press(this.actor(this.now));
    }
    this.tree.play(change?.move ?? move, change);
    tick(change?.captured?.length > 0 ? 220 : 330);
    if (change) say(`${this.name(change.mover)}: ${change.move}. ${told(this.game, change)}`);
    this.date = Date.now();
    return this.refresh({ isAnimated: true });
  }

  go(node, isAnimated = false) {
    if (!node || node === this.tree.node) return;
    this.tree.go(node);
    return this.refresh({ isAnimated });
  }

  name = player => (player ? word(this.game.seats[seatOf(player)] ?? player) : t("dice"));

  finish(end) {
    this.clock?.hold();
    this.date = Date.now();
    this.end = end;
    return this.refresh();
  }

  flip(isTurned = !this.isTurned) {
    this.isTurned = isTurned;
    this.view.setBoard(this.game.board, isTurned);
    if (this.now) drawSeats(this, this.now, this.parts);
    this.remember();
  }

  // The game as the browser keeps it.
  saved() {
    const last = this.tree.line().at(-1).facts;
    if (last) this.outcome = last.result ? { result: last.result, reason: last.reason } : this.end;
    const { name: variant, own } = this.game,
      same = Object.fromEntries(KEPT.map(key => [key, this[key]]));
    return { ...same, variant, own, clock: this.clock?.save(), tree: this.tree.save() };
  }
  #keep() {
    const { start, root } = this.tree,
      isDone = (start && start !== this.given) || root.children.length > 0 || root.comment;
    if (this.id && (this.kind === "play" || this.mode === "play" || isDone)) keepGame(this.id, this.saved());
  }

  // The browser keeps the game, the address holds the position.
  remember() {
    this.#keep();
    const query = new URLSearchParams({
      id: this.id,
      ...(this.mode !== "play" && this.mode !== "analyse" && { tab: this.mode }),
      ...(this.tree.start && { fen: this.tree.start }),
      ...(this.tree.node.parent && { moves: this.tree.moves().join("_") }),
    });
    const view = this.mode === "play" ? "play" : "analyse",
      here = `#/${view}/${encodeURIComponent(this.game.name)}?${query}`;
    if (/^(play|analyse)$/.test(address().view)) history.replaceState(null, "", here);
  }
}

// The table of an address: a game that the browser keeps, else the one that the address tells. `signal` is aborted when another
// page is shown.
export async function analyse(main, [name], query, signal, mode = query.get("tab") ?? "analyse") {
  const id = query.get("id") ?? randomName(),
    saved = keptGame(id),
    tree = saved ? Tree.load(saved.tree) : new Tree(query.get("fen")),
    kind = kindOf({ mode, ...saved });
  if (!saved) for (const move of (query.get("moves") ?? "").split("_").filter(Boolean)) tree.play(move);
  if (mode === "play") tree.node = tree.through().at(-1) ?? tree.root;
  const game = await gameOf(name, saved?.own);
  const given = saved ? null : tree.start;
  if (!signal.aborted) await new Table({ ...saved, id, kind, game, tree, mode, given }).open(main, signal);
}
export const play = (...given) => analyse(...given, "play");
