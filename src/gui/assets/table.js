// The table: a board with its game, whoever plays it. Panels beside it play, analyse or review.

import { address, app } from "./app.js";
import { BoardView, token } from "./board-view.js";
import { titleOf } from "./choose.js";
import { button, calm, h, keep, kept, randomName } from "./dom.js";
import { Engine, positionLine } from "./engine.js";
import { HAND, originOf } from "./entry.js";
import { hands, parse } from "./setup.js";
import { t, word } from "./texts.js";
import { Tree } from "./tree.js";
import { diceView, throwDice } from "./dice.js";

export async function openPlay(main, [name], query) {
  const id = query.get("id") ?? randomName(), saved = kept(`game ${id}`);
  const tree = saved ? Tree.load(saved.tree) : fromAddress(query);
  const game = await gameOf(name, saved?.own);
  const table = new Table({ ...saved, id, game, tree, mode: "play", seats: saved?.seats ?? game.seats.map(() => null) });
  keep("last game", id);
  await table.open(main);
}

export async function openAnalysis(main, [name], query) {
  const id = query.get("id") ?? randomName(), saved = kept(`game ${id}`);
  const tree = saved ? Tree.load(saved.tree) : fromAddress(query);
  const game = await gameOf(name, saved?.own ?? query.get("own"));
  await new Table({ id, game, tree, mode: query.get("tab") ?? "analyse", seats: saved?.seats ?? game.seats.map(() => null), isTurned: saved?.isTurned, end: saved?.end }).open(main);
}

function fromAddress(query) {
  const tree = new Tree(query.get("fen"));
  for (const move of (query.get("moves") ?? "").split("_").filter(Boolean)) tree.play(move);
  return tree;
}

// A game of the catalog, or an own ruleset that the browser keeps and the server has to be told.
async function gameOf(name, own) {
  const known = app.games.find(game => game.name === name);
  if (known && !own) return known;
  const text = kept(`own ${own ?? name}`);
  if (text === null) throw new Error(t("no such game", { name }));
  const { id } = await app.fetchJson("/api/ruleset", { method: "POST", body: text, headers: { "content-type": "application/json" } });
  return describe(id, own ?? name);
}

// What the catalog says of its games, asked of an engine that has the ruleset.
export async function describe(ruleset, own) {
  const engine = new Engine({ id: randomName(), ruleset });
  const ask = async question => (await engine.ask(question)).text;
  const [rules, board, pieces, game] = (await Promise.all(["rules", "board", "pieces", "game"].map(ask))).map(JSON.parse);
  const seats = await Promise.all(Array.from({ length: game.seats }, (_, index) => ask(`p${index + 1}name`)));
  engine.close();
  return { name: rules.name, title: rules.title || rules.name, family: rules.family, about: rules.about ?? "", source: rules.source ?? "", seats, rules, board, pieces, game, text: {}, ruleset, own };
}

// An engine that has ended so often over one position is not asked again.
const MOST_LOSSES = 3;

export class Table {
  #turn = 0;
  lost = 0;

  constructor({ id, game, tree, mode, seats, isTurned = false, end = null }) {
    Object.assign(this, { id, game, tree, mode, seats, end, engines: new Map(), listeners: [], isTurned });
    this.sideOf = owner => game.seats[owner] ?? "";
    this.view = new BoardView({ onMove: move => this.play(move), say: app.say, sideOf: this.sideOf });
    this.view.onState = () => this.#buttons();
    this.mirror = this.newEngine("board", 0, () => this.refresh());
  }

  newEngine(name, engine, onLost) {
    const made = new Engine({ id: `${this.id}-${name}`, engine, ruleset: this.game.ruleset, onLost, onState: (state, reason) => this.#connection(state, reason) });
    if (!this.game.ruleset) made.set("UCI_Variant", this.game.name);
    return made;
  }

  engine(index) {
    if (!this.engines.has(index)) {
      const engine = this.newEngine(`play${index}`, index, () => this.lost < MOST_LOSSES ? this.refresh() : this.#fail(t("it ends")));
      engine.set("Seed", Math.floor(Math.random() * 4e9));
      this.engines.set(index, engine);
    }
    return this.engines.get(index);
  }

  async open(main) {
    document.title = `${titleOf(this.game)} · reynard`;
    app.leave = () => this.close();
    main.className = "table";
    main.dataset.family = this.game.family;
    const seatLine = place => h("div", { class: `seat ${place}` });
    this.parts = { far: seatLine("far"), near: seatLine("near"), status: h("p", { class: "status", role: "status" }), dice: h("div", { class: "dice-place" }), buttons: h("div", { class: "now" }), side: h("aside", { class: "side" }), bar: h("div", { class: "bar-place" }) };
    const { far, near, status, dice, buttons, side, bar } = this.parts;
    main.replaceChildren(h("div", { class: "stage" }, far, h("div", { class: "board-place" }, bar, this.view.svg), near, h("div", { class: "under" }, status, dice, buttons)), side);
    this.view.setBoard(this.game.board, this.isTurned);
    this.view.show({ pieces: this.tree.root === this.tree.node && !this.tree.start ? this.game.pieces : [], label: this.#label(null) });
    this.keys = event => this.#key(event);
    document.addEventListener("keydown", this.keys);
    await this.setMode(this.mode);
    await this.refresh();
  }

  async setMode(mode) {
    this.panel?.close?.();
    this.mode = mode;
    const panels = { play: () => import("./play.js"), analyse: () => import("./analysis.js"), review: () => import("./review.js"), rules: () => import("./rules-panel.js") };
    this.parts.bar.replaceChildren();
    const { Panel } = await (panels[mode] ?? panels.analyse)();
    this.panel = new Panel(this);
    const tab = name => button(t(`tab ${name}`), async () => { await this.setMode(name); this.refresh(); }, { role: "tab", "aria-selected": String(this.mode === name), "data-tab": name });
    this.view.setArrows([]);
    this.parts.side.replaceChildren(h("h1", {}, titleOf(this.game)), h("div", { class: "tabs", role: "tablist" }, ["play", "analyse", "review", "rules"].map(tab)), this.panel.element);
    document.querySelector("main").dataset.mode = this.mode;
    this.remember();
  }

  close() {
    this.#turn++;
    this.panel?.close?.();
    document.removeEventListener("keydown", this.keys);
    [this.mirror, ...this.engines.values()].forEach(engine => engine.close());
  }

  // What is known of a node's position, asked once.
  async facts(node = this.tree.node) {
    if (node.facts) return node.facts;
    const look = await this.mirror.look(this.tree.position(node), node.move && !node.change ? ["played"] : []);
    if (look.errors.length === 0) this.tree.path(node).forEach((each, index) => {
      const played = look.more[0]?.[index];
      if (played) { each.change ??= played; each.move = played.move; }
    });
    if (this.game.game.has_stacks && node.change?.from) node.route = (await this.route(node)) ?? undefined;
    return node.facts = look;
  }

  // Takes a tree over, as far as its moves are legal; what is wrong with the first that is not.
  async load(tree) {
    this.tree = tree;
    this.end = null;
    let error = null;
    for (const todo = [tree.root]; todo.length > 0;) {
      const node = todo.shift(), { errors } = await this.facts(node);
      if (errors.length > 0) { error ??= errors[0]; tree.remove(node); } else todo.push(...node.children);
    }
    tree.node = tree.line().at(-1);
    await this.refresh();
    return error;
  }

  async route(node) {
    this.mirror.send(positionLine(this.tree.position(node.parent)));
    const { text } = await this.mirror.ask(`route ${node.move}`);
    return text === "none" || text === "unknown" ? null : text.split(" ");
  }

  // Shows the node; plays on where an engine or the dice are due.
  async refresh({ isAnimated = false } = {}) {
    const turn = ++this.#turn, node = this.tree.node;
    let facts;
    try { facts = await this.facts(node); } catch { return; } // the engine was lost: its successor refreshes
    if (turn !== this.#turn) return;
    if (facts.errors.length > 0 && node.parent) return this.#refuse(node, facts.errors[0]);
    this.now = facts;
    const isOver = facts.result !== null || this.end !== null;
    const mine = this.mode !== "play" || (!isOver && this.#seatToMove(facts) === null);
    this.view.show({ pieces: facts.pieces, moves: mine ? facts.moves.filter(move => originOf(move) !== null && !(this.isRoll(facts))) : [], change: node.change, route: node.route, fen: facts.fen, label: this.#label(facts), isAnimated });
    this.#status();
    this.#seats(facts);
    this.#buttons();
    this.panel?.update?.(facts);
    this.remember();
    if (this.mode === "play" && !isOver) await this.#proceed(turn, facts);
  }

  // A move of an address or a kept game that the engine does not know as legal.
  #refuse(node, reason) {
    this.tree.go(node.parent);
    this.tree.remove(node);
    app.say(reason);
    return this.refresh();
  }

  isRoll(facts) { return facts.turn === "chance"; }

  // Who acts: the number of a seat, that of the roller where dice are due.
  actor(facts) { return +(facts.turn === "chance" ? parse(facts.fen).keys.turn ?? "p1" : facts.turn).slice(1) - 1; }
  #seatToMove(facts) { return this.seats[this.actor(facts)] ?? null; }

  async #proceed(turn, facts) {
    const seat = this.#seatToMove(facts), wait = ms => new Promise(done => setTimeout(done, calm() ? 0 : ms));
    if (this.isRoll(facts)) {
      if (seat === null) return;
      await wait(450);
      if (turn === this.#turn) await this.roll();
      return;
    }
    if (seat === null) return;
    this.#status();
    const begun = performance.now();
    try {
      const { best } = await this.engine(seat.engine).search(this.tree.position(), seat.limit);
      this.lost = 0;
      await wait(320 - (performance.now() - begun));
      if (turn !== this.#turn) return;
      const known = facts.moves.find(({ move }) => move === best);
      this.mirror.send(positionLine(this.tree.position()));
      if (!known && (await this.mirror.ask(`islegal ${best}`)).text !== "true") return this.#fail(t("illegal move", { move: best }));
      if (turn === this.#turn) this.play(known ?? best);
    } catch (failure) {
      if (failure.message === "lost") this.lost++;
      else if (turn === this.#turn) this.#fail(failure.message);
    }
  }

  // The engine of a seat cannot go on; the person may take back, or analyse.
  #fail(reason) { this.parts.status.textContent = t("engine failed", { reason }); }

  async roll() {
    const facts = this.now;
    if (!this.isRoll(facts) || this.isRolling) return;
    this.isRolling = true;
    const dice = throwDice(), text = `${Math.max(...dice)}+${Math.min(...dice)}`;
    await diceView(this.parts.dice, dice, app);
    this.isRolling = false;
    const move = facts.moves.find(({ move }) => move === text);
    if (move && facts === this.now) this.play(move);
  }

  play(move) {
    const change = typeof move === "string" ? null : move;
    this.tree.play(change?.move ?? move, change);
    app.tick(change?.captured?.length > 0 ? 220 : 330);
    if (change) app.say(t("say move", { side: this.name(change.mover), move: change.move, captures: change.captured.length }));
    return this.refresh({ isAnimated: true });
  }

  go(node, isAnimated = false) {
    if (!node || node === this.tree.node) return;
    this.tree.go(node);
    this.refresh({ isAnimated });
  }

  name(player) { return player ? word(this.game.seats[+player.slice(1) - 1] ?? player) : t("dice"); }

  finish(end) { this.end = end; this.refresh(); }

  // Texts.

  resultText(facts = this.now) {
    const winner = /^(p\d)win$/.exec(this.end?.result ?? facts.result ?? "")?.[1], result = this.end?.result ?? facts.result;
    const reason = this.end ? t(this.end.reason) : word(facts.reason);
    if (this.game.game.seats === 1 && result) return `${t(winner ? "solved" : "not solved")}: ${reason}`;
    if (winner) return `${t("wins", { side: this.name(winner) })}: ${reason}`;
    return result ? `${t("draw")}: ${reason}` : "";
  }

  situation(facts = this.now) {
    if (facts.result || this.end) return this.resultText(facts);
    const seat = this.seats[this.actor(facts)], side = word(this.game.seats[this.actor(facts)]);
    if (facts.turn === "chance") return t(this.mode === "play" && seat ? "engine rolls" : "to roll", { side });
    if (this.mode === "play" && seat) return t("thinks", { side, engine: app.about.engines[seat.engine]?.name ?? "?" });
    if (facts.moves.length > 0 && facts.moves.every(({ move }) => move.startsWith("~"))) return t("to huff", { side });
    if (facts.moves.length > 0 && facts.moves.every(({ placed, from }) => from === null && placed.length > 0)) return t("to place", { side });
    return t(this.game.game.seats === 1 ? "your jump" : "to move", { side });
  }

  #status() {
    const isOver = !!(this.now.result || this.end);
    this.parts.status.textContent = this.situation();
    this.parts.status.classList.toggle("over", isOver);
  }

  #label(facts) { return facts ? `${titleOf(this.game)}. ${this.situation(facts)}` : titleOf(this.game); }

  #connection(state, reason) {
    if (!this.parts) return;
    if (state === "refused") this.parts.status.textContent = t("refused", { reason });
    else if (state === "away") { this.isAway = true; this.parts.status.textContent = t("connecting"); }
    else if (this.isAway && this.now) { this.isAway = false; this.#status(); }
  }

  #seats(facts) {
    const near = this.#near(), others = this.game.seats.map((_, seat) => seat).filter(seat => !near.includes(seat));
    const reserve = hands(facts.fen, this.game.game), { keys } = parse(facts.fen);
    const line = seat => {
      const kind = this.game.game.pieces.find(({ owner }) => owner === `p${seat + 1}`), who = this.seats[seat];
      const held = reserve.filter(({ owner }) => owner === `p${seat + 1}`), taken = this.#takenBy(seat, facts);
      const isNow = !facts.result && !this.end && this.actor(facts) === seat;
      return h("div", { class: `who${isNow ? " now" : ""}` }, kind && token(kind, this.sideOf(seat)), h("b", {}, word(this.game.seats[seat])),
        this.mode === "play" && who && h("span", { class: "quiet" }, app.about.engines[who.engine]?.name),
        held.map(piece => this.#hand(piece, seat, isNow)), taken > 0 && h("span", { class: "taken", title: t("taken") }, `✕ ${taken}`),
        keys.basis && h("span", { class: "quiet" }, `${t("basis")} ${keys.basis.split(",")[seat]}`),
        keys.accounts && h("span", { class: "quiet" }, t("account", { n: keys.accounts.split(",")[seat] })), this.#waits(keys[`p${seat + 1}`]));
    };
    this.parts.far.replaceChildren(...others.map(line), ...(keys.pot ? [h("span", { class: "pot quiet" }, t("pot", { n: keys.pot }))] : []));
    this.parts.near.replaceChildren(...near.map(line));
  }

  #waits(fields) {
    const left = (fields ?? "").split(",").map(field => field.split(":")[1]).filter(Boolean);
    return left.length > 0 && h("span", { class: "quiet" }, t("waits", { n: Math.max(...left.map(Number)) }));
  }

  #near() {
    if (this.game.game.seats === 1) return [0];
    const many = this.game.rules.geese_side ? this.game.seats.indexOf(this.game.rules.geese_side) : 0;
    const bottom = this.view.layout.isTurned ? this.game.seats.findIndex((_, seat) => seat !== many) : many;
    return [bottom];
  }

  #hand({ kind, owner, count }, seat, isNow) {
    const canPick = isNow && this.view.moves.some(move => originOf(move) === HAND);
    return h("button", { type: "button", class: "hand", "data-hand": owner, disabled: !canPick, "aria-label": t("in hand", { n: count }), onclick: () => this.view.pickHand() },
      token({ kind, owner: seat }, this.sideOf(seat)), `× ${count}`);
  }

  // Pieces of others that have left the board since the start, those in hand not counted.
  #takenBy(seat, facts) {
    if (this.game.game.most_captures === 0 || this.game.game.has_dice) return 0;
    return this.tree.path().reduce((sum, { change }) => sum + (change?.mover === `p${seat + 1}` ? change.captured.filter(({ owner }) => owner !== change.mover || this.game.game.seats === 1).length : 0), 0);
  }

  #buttons() {
    const facts = this.now;
    if (!facts) return;
    const mine = this.mode !== "play" || (facts.result === null && !this.end && this.#seatToMove(facts) === null);
    const pass = mine && facts.moves.find(({ move }) => move === "pass");
    this.parts.buttons.replaceChildren(...[
      mine && this.isRoll(facts) && button(t("roll"), () => this.roll(), { class: "primary", "data-action": "roll" }),
      pass && button(t("pass"), () => this.play(pass), { class: "primary", "data-action": "pass" }),
      this.view.mayStop && button(t("stop here"), () => this.view.stop(), { class: "primary", "data-action": "stop-here" }),
    ].filter(Boolean));
    if (!this.isRolling && this.game.game.has_dice) this.#showDice(facts);
  }

  #showDice(facts) {
    const due = parse(facts.fen).keys.dice?.split("+").map(Number), last = this.tree.path().map(({ move }) => move).filter(move => /^\d\+\d$/.test(move)).at(-1);
    diceView(this.parts.dice, due ?? last?.split("+").map(Number) ?? [], null);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, [role=application], [role=tab]")) return;
    const line = this.tree.through();
    if (event.key === "f") this.flip();
    else if (this.mode === "play") return;
    else if (event.key === "ArrowLeft") this.go(this.tree.node.parent);
    else if (event.key === "ArrowRight") this.go(this.tree.node.children[0], true);
    else if (event.key === "Home") this.go(this.tree.root);
    else if (event.key === "End") this.go(line.at(-1));
    else return;
    event.preventDefault();
  }

  flip() {
    this.view.turn();
    this.isTurned = this.view.layout.isTurned;
    this.view.setValues(this.view.values);
    if (this.now) this.#seats(this.now);
    this.remember();
  }

  // The browser keeps the game, the address holds the position.
  remember() {
    keep(`game ${this.id}`, { variant: this.game.name, own: this.game.own, seats: this.seats, end: this.end, isTurned: this.isTurned, result: this.now?.result ?? null, tree: this.tree.save() });
    const query = new URLSearchParams({ id: this.id, ...(this.mode !== "play" && this.mode !== "analyse" && { tab: this.mode }), ...(this.game.own && { own: this.game.own }), ...(this.tree.start && { fen: this.tree.start }), ...(this.tree.node.parent && { moves: this.tree.moves().join("_") }) });
    if (/^(play|analyse)$/.test(address().view)) history.replaceState(null, "", `#/${this.mode === "play" ? "play" : "analyse"}/${encodeURIComponent(this.game.name)}?${query}`);
  }
}
