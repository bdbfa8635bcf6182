// The board that a person touches: SVG, clicks, drags and keys. It shows what it is given and tells which move was meant.

import { boardLayout, groundMarkup, marksMarkup, piecesMarkup, wayOf } from "./board.js";
import { arrow, circle, drawing } from "./board-parts.js";
import * as entry from "./entry.js";
import { calm, fill, portrait, s } from "./dom.js";
import { pieceName, seatOf } from "./telling.js";
import { t } from "./texts.js";
import { classOfMark, distanceText, percent, styleOf, valueSign, worthText } from "./judge.js";

const HOP_MS = 170,
  LAYERS = ["ground", "marks", "legal", "pieces", "ghost", "map", "hints", "arrows", "best", "drawn", "cursor", "hits"];
// Above, below, right and left of a point.
const BESIDE = ["0 -14", "0 14", "21 0", "-21 0"].map(place => place.split(" ").map(Number));
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BoardView {
  // `onMove(move)` when one is entered, `say(text)` for screen readers; `onPoint(name)` is called for clicks while `isFree`.
  constructor({ seats, onMove, say = () => {} }) {
    Object.assign(this, { seats, onMove, say, moves: [], pieces: [], best: [], arrows: [] });
    this.state = entry.nothing;
    this.svg = s("svg", { class: "board", tabindex: 0, role: "application", "aria-roledescription": t("board") });
    for (const name of LAYERS) this.svg.append((this[`_${name}`] = s("g", { class: `layer-${name}` })));
    this.drawing = drawing(this, this._drawn, event => this.#nearest(this.#at(event)));
    // The cursor is for those who come by Tab: a click takes no focus, so that keys stay the game's.
    this.svg.addEventListener("mousedown", event => {
      event.preventDefault();
      document.activeElement?.blur();
    });
    this.svg.addEventListener("pointerdown", event => this.#down(event));
    this.svg.addEventListener("pointermove", event => this.#drag(event));
    this.svg.addEventListener("pointerup", event => this.#up(event));
    this.svg.addEventListener("pointerleave", () => this.#haunt(null));
    this.svg.addEventListener("pointercancel", () => {
      this.press = null;
      this.draw();
    });
    this.svg.addEventListener("keydown", event => this.#key(event));
    this.svg.addEventListener("blur", () => fill(this._cursor));
  }

  setBoard(board, isTurned = false) {
    this.layout = boardLayout(board, isTurned, portrait().matches);
    this.svg.setAttribute("viewBox", this.layout.view);
    this.svg.dataset.style = this.layout.style;
    this.svg.classList.toggle("turned", isTurned);
    this.svg.style.setProperty("--ratio", `${this.layout.width} / ${this.layout.height}`);
    this._ground.innerHTML = groundMarkup(this.layout);
    const hit = ([name, place]) => circle("hit", place, 20, { "data-point": name });
    fill(this._hits, [...this.layout.places].map(hit));
    this.cursor = [...this.layout.places.keys()][Math.floor(this.layout.places.size / 2)];
    this.draw();
    this.setArrows(...this.arrows);
    this.drawing.draw();
  }

  // A position: its pieces, the moves that may be entered, the change that led to it, what was drawn on it; `isPreview` where
  // it is only looked at.
  show({ pieces, moves = [], change = null, route = null, fen = "", label = "", shapes = [], ...how }) {
    const { isAnimated, isPlayed, isPreview = false } = how;
    this.svg.classList.toggle("previewed", isPreview);
    Object.assign(this, { pieces: pieces ?? [], moves, change, route, isPlayed, values: null, best: [] });
    this.drawing.show(shapes);
    this.state = entry.begin(moves);
    this.setArrows();
    this.svg.dataset.position = fen;
    this.svg.setAttribute("aria-label", label);
    this.draw();
    if (isAnimated && change) this.#animate(change, route);
  }

  // What is known of points whatever is entered: it stays until another map is drawn.
  setMap = marks => fill(this._map, marks);

  // Values of moves, by their texts, as judge.js gives them; null hides them. The `best` are arrows with their values.
  setValues(values, best = []) {
    Object.assign(this, { values, best });
    this.#hints();
  }

  draw() {
    this._marks.innerHTML = this.change ? marksMarkup(this.layout, this.change, this.route) : "";
    this._pieces.innerHTML = piecesMarkup(this.layout, this.pieces, this.seats);
    this._legal.after(this._pieces);
    const { moves, state } = this;
    // In the middle of a chain: the piece where it has come to, those it has taken out pale.
    if (state.stops.length > 0) {
      const { x, y } = this.layout.places.get(entry.standing(state)),
        stop = entry.stopHere(moves, state) ?? entry.candidates(moves, state)[0];
      this.#pieceOn(state.origin)?.setAttribute("transform", `translate(${x} ${y})`);
      for (const { point } of (stop?.captured ?? []).slice(0, state.stops.length))
        this.#pieceOn(point)?.setAttribute("opacity", ".25");
    }
    this.#hints();
  }

  #pieceOn = point => [...this._pieces.children].findLast(piece => piece.dataset.on === point);

  #hints() {
    const { state, layout, moves } = this,
      reached = entry.targets(moves, state),
      from = entry.standing(state),
      origins = entry.origins(moves);
    for (const hit of this._hits.children) {
      const { point } = hit.dataset;
      hit.classList.toggle("live", this.isFree || reached.has(point) || origins.has(point));
    }
    // In a game, what may be touched: pieces that can move, until one is picked.
    const movable = this.isPlayed && from === null ? this.#placesOf([...origins]) : [],
      picked = `picked${entry.stopHere(moves, state) ? " may-stop" : ""}`;
    const shown = [
      ...movable.map(place => circle("movable", place, 16.6)),
      ...this.#placesOf([from]).map(place => circle(picked, place, 18)),
    ];
    const left = entry.candidates(moves, state);
    for (const [point, kind] of reached) {
      const place = layout.places.get(point),
        isTaken = this.pieces.some(piece => piece.point === point);
      const of = left.filter(({ to, placed, path }) =>
        [to ?? placed[0]?.point, path[state.stops.length]].includes(point),
      );
      const values = of.map(({ move }) => this.values?.get(move)).filter(Boolean),
        best = values.sort((a, b) => b.share - a.share)[0],
        kinds = ["reach", kind, state.origin === entry.HAND && "hand", isTaken && "taken", styleOf(best)],
        isBest = of.some(({ move }) => this.best.includes(move)),
        r = isBest ? 14 : best ? 11 : isTaken ? 18 : kind === "next" ? 7 : 5;
      // Nobody is asked to put a piece where a game is only looked at.
      if (!best && !this.isPlayed && state.origin === entry.HAND) continue;
      shown.push(circle(kinds.filter(Boolean).join(" "), place, r, { "data-target": point }));
      if (!best) continue;
      const worth = best.label ?? (best.exact ? distanceText(best) || valueSign(best) : percent(best.share));
      shown.push(s("text", { class: "worth", x: place.x, y: place.y + 3.5 }, worth));
    }
    fill(this._hints, shown);
    this.#haunt(null);
    this.#legal();
  }

  // The piece that would be put on a point, as a ghost.
  #haunt(point) {
    const move =
      this.state.origin === entry.HAND && point && this.moves.find(({ placed }) => placed[0]?.point === point);
    this._ghost.innerHTML = move ? piecesMarkup(this.layout, move.placed.slice(0, 1), this.seats) : "";
  }

  // Every legal move, drawn where values are known: solid where exact, hatched where only thought.
  #legal() {
    const { places } = this.layout;
    const most = Math.max(0, ...[...(this.values?.values() ?? [])].map(({ share }) => share));
    const worth = move => this.values?.get(move.move)?.share ?? 0;
    const line = move => {
      const value = this.values?.get(move.move),
        origin = entry.originOf(move);
      const attributes = {
        "data-move": move.move,
        "data-from": origin,
        "data-path": move.path.join(" ") || undefined,
        "data-to": move.to ?? move.placed[0]?.point ?? origin,
        ...(value && {
          "data-value": value.share.toFixed(3),
          "data-exact": String(value.exact),
          "data-plies": value.plies ?? undefined,
          "data-mate": value.mate,
          "stroke-opacity": Math.max(0.4, 1 - 3 * (most - value.share)).toFixed(2),
        }),
      };
      const style = `value${isPale(move) ? " pale" : ""} ${styleOf(value) || "unknown"}`;
      const stops = this.#placesOf([move.from, ...move.path]);
      if (stops.length > 1)
        return arrow(stops, style, attributes, 13).slice(0, value && this.best.includes(move.move) ? 2 : 1);
      const place = places.get(move.placed[0]?.point ?? move.captured[0]?.point);
      return circle(`${style} spot`, place ?? { x: 0, y: 0 }, place ? 6 : 0, attributes);
    };
    // Far moves of many pieces would hide the board: of each piece the best one.
    const isCrowded = this.moves.length > 30 && this.layout.style === "squares",
      rising = isCrowded ? this.moves.toReversed().sort((a, b) => worth(a) - worth(b)) : [],
      firsts = new Map(rising.map(move => [move.from, move]));
    const open =
      this.state.origin && this.state.origin !== entry.HAND ? entry.candidates(this.moves, this.state) : this.moves;
    const isPale = move => isCrowded && open === this.moves && firsts.get(move.from) !== move;
    // A loop can be entered both ways round, but is one move.
    const shown = new Map();
    for (const move of open) if (!shown.has(move.move)) shown.set(move.move, move);
    const ordered = [...shown.values()].sort((a, b) => worth(a) - worth(b));
    fill(this._legal, ordered.flatMap(line));
    // Beside the targets of a piece they would be second numbers.
    fill(this._best, open === this.moves && this.#best(ordered.toReversed()));
    this._legal.setAttribute("class", `layer-legal${this.values ? " valued" : ""}`);
  }

  // The values of the best moves, the best first, each beside the head of its arrow where nothing else stands.
  #best(moves) {
    const standing = this.#placesOf(this.pieces.map(({ point }) => point)),
      [heads, labels] = [new Set(), []],
      best = moves.filter(({ move }) => this.values?.has(move) && this.best.includes(move));
    return best.map(({ move, from, path }) => {
      const [end, start] = this.#placesOf([from, ...path]).reverse(),
        isClear = ({ x, y }, others, right, down) =>
          others.every(at => at === end || Math.abs(at.x - x) > right || Math.abs(at.y - y) > down),
        far = ({ x, y }) => Math.hypot(x - start?.x, y - start?.y),
        beside = end ? BESIDE.map(([x, y]) => ({ x: end.x + x, y: end.y + y })) : [],
        // Of several that end there each is on its own side.
        places = heads.has(end) ? beside.sort((a, b) => far(a) - far(b)) : beside,
        place = places.find(place => isClear(place, standing, 25, 19) && isClear(place, labels, 26, 13)),
        value = this.values.get(move);
      heads.add(end);
      if (!place) return null;
      labels.push(place);
      const text = value.label ?? (value.exact ? distanceText(value) || valueSign(value) : worthText(value.share)),
        width = 5.4 * text.length + 5;
      return [
        s("rect", { class: "percent-plate", x: place.x - width / 2, y: place.y - 6, width, height: 12, rx: 3 }),
        s("text", { class: "percent", x: place.x, y: place.y + 3.2, "data-best": move }, text),
      ];
    });
  }

  // Moves that are recommended, were played with a mark or are shown in a style, `[change, mark, style]`; they go with the
  // position that is shown.
  setArrows(...arrows) {
    this.arrows = arrows.filter(([change]) => change);
    const drawn = ([{ move, from, path, placed }, mark, kind = mark ? "marked" : "arrow"]) => {
      const stops = this.#placesOf(from ? [from, ...path] : placed.map(({ point }) => point)),
        style = `arrow ${kind} ${classOfMark(mark)}`,
        sign = ({ x, y }) => s("text", { class: `sign ${style}`, x: x + 13, y: y - 8 }, mark);
      return [arrow(stops, style, { [`data-${kind}`]: move }), mark && stops.slice(-1).map(sign)];
    };
    fill(this._arrows, this.arrows.map(drawn));
  }

  // Where points stand; those that are none on the board are left out.
  #placesOf = points => points.map(point => this.layout.places.get(point)).filter(Boolean);

  #animate(change, route) {
    const piece = this.#pieceOn(change.to ?? change.placed[0]?.point);
    if (!piece || calm() || document.hidden) return;
    if (change.from === null)
      return piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: HOP_MS, easing: "ease-out" });
    const stops = wayOf(this.layout, change, route);
    const end = piece.getAttribute("transform"),
      at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
    const [, x, y] = /translate\(([\d.-]+) ([\d.-]+)\)/.exec(end);
    piece.animate([...stops.slice(0, -1).map(at), at({ x, y })], {
      duration: HOP_MS * Math.min(stops.length - 1, 4),
      easing: "ease-in-out",
    });
  }

  // Entering moves.

  pickHand = () => this.#set({ ...entry.nothing, origin: entry.HAND });

  #set(state) {
    const isChain = this.state.stops.length + state.stops.length > 0;
    this.state = state;
    if (isChain) this.draw();
    else this.#hints();
    const reached = [...entry.targets(this.moves, state).keys()],
      from = state.origin === entry.HAND ? t("hand") : entry.standing(state);
    if (reached.length > 0) this.say(t("say targets", { from, targets: reached.join(", ") }));
    this.onState?.(state);
  }

  // Ends the move where the piece stands now; null where it may not stop there.
  get stop() {
    const move = entry.stopHere(this.moves, this.state);
    return move ? () => this.#finish(move) : null;
  }
  clear = () => this.#set(entry.begin(this.moves));

  #enter(name) {
    if (this.isFree) return this.onPoint?.(name);
    const { move, state } = entry.point(this.moves, this.state, name);
    if (move) return this.#finish(move);
    this.#set(state);
    const isBlocked = state.origin === null && !entry.origins(this.moves).has(name);
    if (isBlocked) this.onBlocked?.(this.pieces.find(({ point }) => point === name));
  }

  #finish(move) {
    this.hold();
    this.onMove(move);
  }

  // Until the next position is shown nothing more is entered.
  hold() {
    this.moves = [];
    this.#set(entry.nothing);
  }

  #at({ clientX, clientY }) {
    const { left, top, width } = this.svg.getBoundingClientRect(),
      scale = this.layout.width / width;
    return { x: (clientX - left) * scale, y: (clientY - top) * scale };
  }

  #nearest({ x, y }) {
    const far = ([, place]) => Math.hypot(place.x - x, place.y - y),
      [nearest] = [...this.layout.places].sort((a, b) => far(a) - far(b));
    return far(nearest) < 24 ? nearest[0] : null;
  }

  #down(event) {
    if (event.button !== 0) return;
    const name = this.#nearest(this.#at(event));
    this.press = { name, event, isFresh: false, piece: null };
    if (name === null || this.isFree) return;
    const isOrigin = this.moves.some(move => move.from === name),
      isTarget = entry.targets(this.moves, this.state).has(name);
    if (isOrigin && !isTarget && (this.state.origin !== name || this.state.stops.length > 0)) {
      this.#set({ ...entry.nothing, origin: name });
      this.press.isFresh = true;
    }
    if (entry.standing(this.state) === name) this.press.piece = this.#pieceOn(this.state.origin);
  }

  #drag(event) {
    const { press } = this;
    if (!press?.piece) return this.#haunt(event.pointerType === "mouse" ? this.#nearest(this.#at(event)) : null);
    if (!press.isDragged) {
      if (Math.hypot(event.clientX - press.event.clientX, event.clientY - press.event.clientY) < 5) return;
      press.isDragged = true;
      this.svg.setPointerCapture(event.pointerId);
      press.piece.classList.add("dragged");
      // Above the targets, too, until the pieces are drawn anew.
      this._pieces.append(press.piece);
      this._hints.after(this._pieces);
    }
    const { x, y } = this.#at(event);
    press.piece.setAttribute("transform", `translate(${x} ${y}) scale(1.12)`);
  }

  #up(event) {
    const { press } = this,
      name = this.#nearest(this.#at(event));
    this.press = null;
    if (!press) return;
    if (press.isDragged) {
      if (name !== null && name !== press.name && entry.targets(this.moves, this.state).has(name))
        return this.#enter(name);
      return this.draw();
    }
    if (name === null || press.name !== name)
      return press.name === null && this.state.stops.length === 0 ? this.clear() : undefined;
    if (!press.isFresh) this.#enter(name);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) this.cursor = entry.neighbour(this.layout, this.cursor, way);
    else if (event.key === "Escape") this.clear();
    else if (event.key === "Enter" || event.key === " ") this.#enter(this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
    const { x, y } = this.layout.places.get(this.cursor);
    const box = { x: x - 20, y: y - 20, width: 40, height: 40, rx: 8 };
    fill(this._cursor, s("rect", { class: "cursor", ...box, "data-cursor": this.cursor }));
    if (way) this.say(`${this.cursor}: ${this.#saidOn(this.cursor)}`);
  }

  #saidOn(point) {
    const sideOf = owner => owner && this.seats[seatOf(owner)],
      named = ({ kind, owner, count }) => pieceName(kind, sideOf(owner)) + (count > 1 ? ` × ${count}` : ""),
      names = this.pieces.filter(piece => piece.point === point).map(named);
    const reached = entry.targets(this.moves, this.state).has(point) ? `, ${t("legal target")}` : "";
    return (names.join(", ") || t("empty")) + reached;
  }
}
