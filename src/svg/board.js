// Boards of any game as SVG markup, drawn by the data of `query board`, `pieces` and `moves` alone. Touches no document.

import PIECES from "./pieces.json" with { type: "json" };

const STEP = 40,
  MARGIN = 40,
  STACKED = 7,
  HIGHEST = 28,
  MOST_DICE = 12;

const escaped = text => String(text).replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
// Texts one after the other, without those that are missing.
const joined = (...texts) => texts.flat(Infinity).filter(Boolean).join("");
function tag(name, attributes, ...inner) {
  const facts = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return `<${name}${joined(facts)}>${joined(inner)}</${name}>`;
}
const circle = (kind, { x, y }, r) => tag("circle", { class: kind, cx: x, cy: y, r });

// The points of a star with five tips, these first, clockwise from the top: no grid has their places.
const STAR = ["c5", "e4", "d1", "b1", "a4", "d4", "d3", "c2", "b3", "b4"];
const onStar = ({ name }) => {
  const at = STAR.indexOf(name),
    [turn, far] = at < 5 ? [at, 2.75] : [at + 0.5, 1.05];
  return { name, x: far * Math.sin(0.4 * Math.PI * turn), y: far * Math.cos(0.4 * Math.PI * turn) };
};

// What the data say of the way a board is drawn.
function boardStyle(board, at) {
  const ways = new Set(board.lines.map(([a, b]) => Math.sign((at(b).x - at(a).x) * (at(b).y - at(a).y))));
  if (board.points.some(point => point.kind)) return "track";
  if (board.points.length === STAR.length && board.points.every(({ name }) => STAR.includes(name))) return "star";
  if (board.regions?.basis_1) return "squares";
  if (board.jumps) return "holes";
  if (board.lines.length > 0 && !ways.has(0)) return "chequers";
  return ways.has(1) && !ways.has(-1) ? "hexagon" : "points";
}

// The points of a board with their places, from the top left; `isTurned` puts the far side near, `isPortrait` the top of a wide
// board to the right.
export function boardLayout(board, isTurned, isPortrait = false) {
  const byName = new Map(board.points.map(point => [point.name, point]));
  const style = boardStyle(board, name => byName.get(name));
  const span = axis => Math.max(...board.points.map(point => point[axis])) || 1;
  const isHexagon = style === "hexagon",
    sense = isTurned ? -1 : 1,
    // Stretch boards more than three times as wide as high.
    tall = span("x") > 3 * span("y") ? 2 : 1,
    isUpright = isPortrait && tall > 1;
  const points = style === "star" ? board.points.map(onStar) : board.points;
  const raw = points.map(({ name, x, y }) => {
    const right = sense * (isHexagon ? x - y / 2 : x) * STEP,
      up = sense * (isHexagon ? (y * Math.sqrt(3)) / 2 : y * tall) * STEP;
    return isUpright ? { name, x: up, y: right } : { name, x: right, y: -up };
  });
  const least = axis => Math.min(...raw.map(point => point[axis])),
    most = axis => Math.max(...raw.map(point => point[axis]));
  const [left, top] = [least("x") - MARGIN, least("y") - MARGIN];
  const round = value => Math.round(value * 10) / 10;
  const places = new Map(raw.map(({ name, x, y }) => [name, { x: round(x - left), y: round(y - top) }]));
  const [width, height] = [round(most("x") - left + MARGIN), round(most("y") - top + MARGIN)];
  return { board, style, isTurned, isUpright, tall, places, width, height, view: `0 0 ${width} ${height}` };
}

// Of the words by which rulesets call a piece the first names its drawing.
const FIGURES = new Map(PIECES.flatMap(([words, d]) => words.split(" ").map((word, _, all) => [word, [all[0], d]])));

// The board without pieces.
export function groundMarkup(layout) {
  const { board, style, tall, places, width, height } = layout,
    at = name => places.get(name),
    spots = [...places.values()],
    isSquare = style === "squares" || style === "chequers",
    isTrack = style === "track",
    cut = isSquare ? " cut" : isTrack ? " walls" : "",
    middle = { x: width / 2, y: height / 2 },
    fars = spots.map(({ x, y }) => Math.hypot(x - middle.x, y - middle.y));
  // Points and the lines between them: drawn thickly, the ground of what lies on them, cut to its outline.
  const way = names => {
    const isIn = new Set(names.filter(at)),
      lines = board.lines.filter(([a, b]) => isIn.has(a) && isIn.has(b)),
      point = name => `M${at(name).x} ${at(name).y}h.01`,
      line = ([a, b]) => `M${at(a).x} ${at(a).y}L${at(b).x} ${at(b).y}`;
    return joined([...isIn].map(point), lines.map(line));
  };
  const ground = way([...places.keys()]);
  const square = (kind, { x, y }, size = STEP) =>
    tag("rect", { class: kind, x: x - size / 2, y: y - size / 2, width: size, height: size });

  function plate() {
    // Small enough that the names stand beside it.
    const r = Math.max(...fars) + 17;
    if (style === "holes")
      return [circle("round edge", { x: middle.x, y: middle.y + 2 }, r + 2), circle("round", middle, r)];
    // A star has ground in its middle, too, where no point is.
    const star = style === "star" ? `M${middle.x} ${middle.y}h.01` : "",
      whole = `M${MARGIN} ${MARGIN}H${width - MARGIN}V${height - MARGIN}H${MARGIN}Z`,
      d = style === "chequers" ? whole : tall > 1 ? `M${[...rim(1), ...rim(-1)].join("L")}Z` : ground + star;
    return [
      tag("path", { class: `plate${cut} edge`, d, transform: "translate(0 2)" }),
      tag("path", { class: `plate${cut}${tall > 1 ? " filled" : ""}`, d }),
    ];
  }
  // The last points of the ranks: on the right downwards, with -1 on the left upwards.
  function rim(way) {
    const last = new Map(board.points.toSorted((a, b) => way * (a.x - b.x)).map(point => [point.y, point]));
    return [...last.values()].sort((a, b) => way * (b.y - a.y)).map(({ name }) => `${at(name).x} ${at(name).y}`);
  }
  function squares() {
    if (style === "squares") return spots.map(place => square("square", place));
    const light = Array.from({ length: board.width * board.height }, (_, index) => {
      const [x, y] = [index % board.width, Math.floor(index / board.width)];
      return square("square", { x: MARGIN + STEP * x, y: MARGIN + STEP * y });
    });
    return [light, spots.map(place => square("square dark", place))];
  }
  // What a field of a track does stands on it.
  function field({ name, kind }) {
    const place = { x: at(name).x + 2, y: at(name).y + 4 },
      transform = `translate(${place.x} ${place.y}) scale(${kind === "goose_field" ? 0.78 : 0.95})`,
      [, d] = FIGURES.get(kind) ?? [];
    return d && [circle(`field ${kind}`, place, 12.5), tag("path", { class: `icon ${kind}`, d, transform })];
  }
  function region([name, points]) {
    if (name.startsWith("basis"))
      return [34, 22, 10].map(size => points.map(point => square(`basis ${name}`, at(point), size)));
    return points.length > 0 && name !== "start" && tag("path", { class: `region ${name}${cut}`, d: way(points) });
  }
  const dot = place => circle("", place, 3.2),
    name = ({ text, x, y, on }) => tag("text", { x, y, ...(on && { class: "on" }) }, escaped(text));
  return joined(
    plate(),
    isSquare && squares(),
    isTrack && ["track", "bars"].map(kind => tag("path", { class: kind, d: ground })),
    isTrack ? board.points.map(field) : Object.entries(board.regions ?? {}).map(region),
    ["points", "hexagon", "star"].includes(style) && [
      tag("path", { class: "lines", d: ground, fill: "none" }),
      tag("g", { class: "dots" }, spots.map(dot)),
    ],
    style === "holes" && spots.map(place => circle("hole", place, 8)),
    tag("g", { class: "names", "aria-hidden": "true" }, nameMarks(layout).map(name)),
  );
}

// Letters below the files and numbers beside the ranks where points have such names, else a name at every point.
function nameMarks({ board, style, places, height, isTurned, isUpright }) {
  const all = [...places].map(([text, place]) => ({ text, ...place }));
  // Outward from the middle of a star there is no line; behind its tips lies the edge.
  const mean = axis => all.reduce((sum, place) => sum + place[axis] / all.length, 0);
  const outward = ({ text, x, y }) => {
    const [right, down] = [x - mean("x"), y - mean("y")],
      share = (STAR.indexOf(text) < 5 ? 34 : 22) / Math.hypot(right, down);
    return { text, x: x + right * share, y: y + down * share + 3, on: true };
  };
  if (style === "star") return all.map(outward);
  if (!all.every(({ text }) => /^[a-z]\d+$/.test(text)))
    return all.map(({ text, x, y }) => ({ text, x: x - (style === "track" ? 9 : 12), y: y - 10, on: true }));
  // Of the points with one letter or number the outermost.
  const away = isTurned ? -1 : 1,
    last = (from, to, by) => [...new Map(all.toSorted(by).map(point => [point.text.slice(from, to), point]))],
    files = last(0, 1, (a, b) => (a.y - b.y) * away),
    ranks = last(1, undefined, (a, b) => b.x - a.x);
  if (style === "hexagon")
    return [
      ...files.map(([text, { x, y }]) => ({ text, x: x + away * 17, y: y + away * 29 + 4 })),
      ...ranks.map(([text, { x, y }]) => ({ text, x: x - 31, y: y + 4 })),
    ];
  const [below, beside] = isUpright ? [ranks, files] : [files, ranks];
  return [
    ...below.map(([text, { x }]) => ({ text, x, y: height - 4 })),
    ...beside.map(([text, { y }]) => ({ text, x: 6, y: y + 3 })),
  ];
}

// The drawing of a piece, [name, outline], by what the ruleset calls its owner; undefined of animals that nobody has drawn.
function figureOf(kind, side) {
  const isAnimal = kind === "fox" || kind === "goose";
  const words = isAnimal && side ? side.toLowerCase().split(/[^\p{L}]+/u) : [kind];
  return words.map(word => FIGURES.get(word)).find(Boolean);
}

// The number of a player, from 0; null of nobody.
const number = owner => (owner === null ? null : +owner.slice(1) - 1);

// One token, whose owner the ruleset calls as `seats` say. A letter stands where there is no drawing.
export function tokenMarkup({ kind, owner }, seats, attributes = {}) {
  const side = seats[number(owner)] ?? "",
    [figure = "", d] = figureOf(kind, side) ?? [],
    style = `piece ${kind}${owner === null ? "" : ` owner${number(owner)}`}`,
    letter = () => tag("text", { class: "letter", y: 6 }, (/\p{L}/u.exec(side)?.[0] ?? "?").toUpperCase()),
    sign = d ? tag("path", { class: "figure", d }) : letter();
  return tag("g", { class: style, "data-figure": figure, ...attributes }, DISC, sign);
}
const DISC = '<circle class="shade" cy="1.6" r="15.4"/><circle class="disc" r="15"/><circle class="rim" r="13.2"/>';

// Pieces on their points, stacks upwards, high ones with how many they are, and counters beside each other.
export function piecesMarkup({ places, style }, pieces, seats) {
  const standing = new Map();
  for (const piece of pieces)
    for (let n = 0; n < piece.count; n++) standing.set(piece.point, [...(standing.get(piece.point) ?? []), piece]);
  const drawn = (piece, height, { length }) => {
    const { kind, owner, point } = piece,
      { x, y } = places.get(point),
      up = -Math.min(STACKED, HIGHEST / length) * height,
      away = style === "track" ? spread(height, length) : { x: 0, y: up, scale: 1 },
      scale = away.scale < 1 ? ` scale(${away.scale.toFixed(2)})` : "",
      transform = `translate(${x + away.x} ${y + away.y})${scale}`;
    const facts = { transform, "data-piece": kind, "data-on": point, "data-owner": number(owner) };
    const top = style !== "track" && length > 2 && height === length - 1,
      count = top && tag("text", { class: "height", x: x + 15, y: y + up - 10 }, length);
    return [tokenMarkup(piece, seats, facts), count];
  };
  return joined([...standing].filter(([point]) => places.has(point)).map(([, stack]) => stack.map(drawn)));
}

// In rows within the field, below its number.
function spread(index, count) {
  const across = Math.ceil(Math.sqrt(count)),
    [size, right, down] = count > 1 ? [30, 2, 2] : [26, 3, 4],
    cell = size / across,
    at = (place, of) => (place - (of - 1) / 2) * cell;
  return {
    x: at(index % across, across) + right,
    y: at(Math.floor(index / across), Math.ceil(count / across)) + down,
    scale: cell / 32,
  };
}

// The places that a move goes by: on a track field by field, as far as dice reach.
export function wayOf({ places, style }, { from, path }, route) {
  const names = [...places.keys()],
    stops = route ?? [from, ...path];
  const walk = (to, n) => {
    const [a, b] = [stops[n - 1], to].map(name => names.indexOf(name)),
      far = Math.abs(a - b);
    if (n === 0 || far > MOST_DICE) return [to];
    return Array.from({ length: far }, (_, step) => names[a + Math.sign(b - a) * (step + 1)]);
  };
  const points = style === "track" ? stops.flatMap(walk) : stops;
  return points.flatMap(point => places.get(point) ?? []);
}

// Where a move began, went and ended, and what it took.
export function marksMarkup(layout, change, route) {
  const { places } = layout,
    { mover, from, to, placed, captured } = change;
  const at = points => points.map(point => places.get(point)).filter(Boolean),
    rings = (kind, points) => at(points).map(place => circle(kind, place, 18)),
    cross = ({ x, y }) => tag("path", { class: "gone", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` }),
    stops = wayOf(layout, change, route).map(({ x, y }) => `${x} ${y}`),
    gone = captured.filter(({ point, owner }) => point !== to || owner === mover).map(({ point }) => point);
  return joined(
    stops.length > 2 && tag("path", { class: "way", d: `M${stops.join("L")}` }),
    rings("from", [from]),
    rings("to", [to, ...placed.map(({ point }) => point)]),
    at(gone).map(cross),
  );
}
