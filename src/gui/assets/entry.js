// How points become a move: clicks, drags and keys all end here. A move is one of `query moves`; nothing is known of rules.

export const HAND = "hand";

// Where a move begins: a point, or the hand where a piece comes onto the board; a piece that is taken off is its own origin.
export const originOf = move => move.from ?? (move.placed.length > 0 ? HAND : (move.captured[0]?.point ?? null));
// The points to name behind the origin.
const stopsOf = move => (move.from !== null ? move.path : move.placed.length > 0 ? [move.placed[0].point] : []);

// What tells of a move no more than where to look: its begin, its end where the mover has one piece only, or where it puts
// one; `facts` are those of its position.
export function hintPoint({ pieces, turn }, { from, to, placed = [] }) {
  if (!from) return placed[0]?.point;
  return pieces.filter(({ owner }) => owner === turn).length === 1 ? to : from;
}

export const nothing = { origin: null, stops: [], to: null };

// Moves that a click on the board can make, as passes and rolls cannot; one that comes back to where it began also the
// other way round, which takes the same pieces.
const placed = moves => moves.filter(move => originOf(move) !== null).flatMap(move => [move, ...reversed(move)]);
function reversed(move) {
  const { from, path, captured } = move,
    back = from === null ? -1 : path.indexOf(from, 2);
  if (back < 0) return [];
  const turn = (list, count) => [...list.slice(0, count).reverse(), ...list.slice(count)];
  return [{ ...move, path: turn(path, back), captured: turn(captured, back + 1) }];
}
// Whether they are one and the same.
const agree = moves => moves.length > 0 && moves.every(({ move }) => move === moves[0].move);

// Where only the hand can act, its piece is picked already.
export function begin(moves) {
  const origins = new Set(placed(moves).map(originOf));
  return origins.size === 1 && origins.has(HAND) ? { ...nothing, origin: HAND } : nothing;
}

export const origins = moves => new Set(placed(moves).map(originOf));

// Moves that the points so far may still become.
export const candidates = (moves, { origin, stops, to }) =>
  placed(moves).filter(
    move =>
      originOf(move) === origin &&
      stops.every((stop, index) => stopsOf(move)[index] === stop) &&
      (to === null || stopsOf(move).at(-1) === to),
  );

const isDone = (move, { stops }) => stopsOf(move).length === stops.length;

// The move that ends where the piece stands now in the middle of a chain.
export const stopHere = (moves, state) =>
  state.stops.length === 0 ? undefined : candidates(moves, state).find(move => isDone(move, state));

// Points that may be named next: {point: "next" | "end"}, those where a piece stops or ends, for the eye.
export function targets(moves, state) {
  const found = new Map();
  if (state.origin === null) return found;
  for (const move of candidates(moves, state)) {
    const stops = stopsOf(move);
    if (stops.length === state.stops.length) continue;
    if (state.to === null) found.set(stops.at(-1), found.get(stops.at(-1)) ?? "end");
    found.set(stops[state.stops.length], "next");
  }
  return found;
}

// One more point: {move} when it is clear which is meant, else {state}.
export function point(moves, state, name) {
  const own = placed(moves);
  const restart = () => {
    const removal = own.find(move => move.from === null && move.placed.length === 0 && originOf(move) === name);
    if (removal) return { move: removal };
    const isFresh = state.origin !== name || state.stops.length > 0,
      isPicked = isFresh && own.some(move => originOf(move) === name);
    return { state: isPicked ? { ...nothing, origin: name } : begin(moves) };
  };
  if (state.origin === null) return restart();
  const left = candidates(moves, state),
    index = state.stops.length;
  const next = left.filter(move => stopsOf(move)[index] === name);
  if (next.length > 0) return settle(moves, { ...state, stops: [...state.stops, name] });
  if (index > 0 && state.stops.at(-1) === name && stopHere(moves, state)) return { move: stopHere(moves, state) };
  const ends = left.filter(move => stopsOf(move).length > index && stopsOf(move).at(-1) === name);
  if (agree(ends)) return { move: ends[0] };
  if (ends.length > 0) return settle(moves, common({ ...state, to: name }, ends));
  return restart();
}

// A single candidate is the move; else the chain is entered further.
function settle(moves, state) {
  const left = candidates(moves, state);
  return agree(left) ? { move: left[0] } : { state };
}

// Goes on along what all of the moves share.
function common(state, moves) {
  const first = stopsOf(moves[0]),
    stops = [...state.stops];
  while (stops.length < first.length - 1 && moves.every(move => stopsOf(move)[stops.length] === first[stops.length]))
    stops.push(first[stops.length]);
  return { ...state, stops };
}

// The piece's place while a chain is entered.
export const standing = state => state.stops.at(-1) ?? state.origin;

// The nearest point in a direction of the screen: along a line where there is one, else anywhere that way.
export function neighbour({ places, board }, from, [right, down]) {
  const here = places.get(from),
    lined = new Set(board.lines.flatMap(([a, b]) => (a === from ? [b] : b === from ? [a] : [])));
  let best = null;
  for (const [name, place] of places) {
    if (name === from) continue;
    const [x, y] = [place.x - here.x, place.y - here.y],
      along = x * right + y * down,
      aside = Math.abs(x * down - y * right);
    if (along <= 0 || aside > along * 1.01) continue;
    // Of two diagonals the one clockwise, so that the four arrows lead along all four.
    const cost = along + 2.2 * aside + (lined.has(name) ? 0 : 60) - 0.1 * Math.sign(right * y - down * x);
    if (!best || cost < best.cost) best = { name, cost };
  }
  return best?.name ?? from;
}
