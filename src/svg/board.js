// Boards of any game as SVG markup, drawn by the data of `query board`, `pieces` and `moves` alone. Touches no document.

import PIECES from "./pieces.json" with { type: "json" };

const STEP = 40,
  MARGIN = 40,
  STACKED = 7,
  HIGHEST = 28,
  FIELD = 34;

const escaped = text => String(text).replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`);
const tag = (name, attributes, inner = "") =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join("")}>${inner}</${name}>`;

// What the data say of the way a board is drawn.
function boardStyle(board, at) {
  const ways = new Set(board.lines.map(([a, b]) => Math.sign((at(b).x - at(a).x) * (at(b).y - at(a).y))));
  if (board.points.some(point => point.kind)) return "track";
  if (board.regions?.basis_1) return "squares";
  if (board.jumps) return "holes";
  if (board.lines.length > 0 && !ways.has(0)) return "chequers";
  return ways.has(1) && !ways.has(-1) ? "hexagon" : "points";
}

// The points of a board with their places, from the top left; `isTurned` puts the far side near.
export function boardLayout(board, isTurned) {
  const byName = new Map(board.points.map(point => [point.name, point]));
  const style = boardStyle(board, name => byName.get(name));
  const span = axis => Math.max(...board.points.map(point => point[axis])) || 1;
  const isHexagon = style === "hexagon",
    sense = isTurned ? -1 : 1,
    // Stretch boards more than three times as wide as high; a greater factor would tear the ranks apart.
    tall = span("x") > 3 * span("y") ? 1.25 : 1;
  const raw = board.points.map(({ name, x, y }) => ({
    name,
    x: sense * (isHexagon ? x - y / 2 : x) * STEP,
    y: -sense * (isHexagon ? (y * Math.sqrt(3)) / 2 : y * tall) * STEP,
  }));
  const least = axis => Math.min(...raw.map(point => point[axis])),
    most = axis => Math.max(...raw.map(point => point[axis]));
  const [left, top] = [least("x"), least("y")];
  const round = value => Math.round(value * 10) / 10;
  const places = new Map(
    raw.map(({ name, x, y }) => [name, { x: round(x - left + MARGIN), y: round(y - top + MARGIN) }]),
  );
  const [width, height] = [round(most("x") - left + 2 * MARGIN), round(most("y") - top + 2 * MARGIN)];
  return { board, style, isTurned, tall, places, width, height, view: `0 0 ${width} ${height}` };
}

// Of the words by which rulesets call a piece the first names its drawing.
const FIGURES = new Map(PIECES.flatMap(([words, d]) => words.split(" ").map((word, _, all) => [word, [all[0], d]])));

// Shapes of the fields of a track that do something.
const ICONS = {
  goose_field: FIGURES.get("goose")[1],
  bridge: "M-9 5Q0 -9 9 5M-9 0H9M-4 -2V3M4 -2V3",
  inn: "M-6 -6H4V6H-6ZM4 -3H8V3H4",
  well: "M-7 -1H7V7H-7ZM-7 -1L0 -8L7 -1M0 -4V3",
  maze: "M-7 7V-7H7V7H-3V-3H3V3",
  prison: "M-7 -7H7V7H-7ZM-3 -7V7M1 -7V7M5 -7V7",
  death: "M-6 3A7 7 0 1 1 6 3V6H-6ZM-3 -2V-1M3 -2V-1M-2 6V3M2 6V3",
  finish: "M-6 8V-8L7 -4L-6 0",
  start: "M-7 0H6M1 -5L6 0L1 5",
};

// The board without pieces.
export function groundMarkup(layout) {
  const { board, style, places } = layout;
  const at = name => places.get(name);
  const all = [...places];
  const isSquare = style === "squares" || style === "chequers",
    cut = isSquare ? " cut" : "";
  // Points and the lines between them: drawn thickly, the ground of what lies on them, cut to its outline.
  const way = names => {
    const isIn = new Set(names.filter(at));
    const spots = [...isIn].map(name => `M${at(name).x} ${at(name).y}h.01`);
    const segments = board.lines.filter(([a, b]) => isIn.has(a) && isIn.has(b));
    return [...spots, ...segments.map(([a, b]) => `M${at(a).x} ${at(a).y}L${at(b).x} ${at(b).y}`)].join("");
  };
  const ground = way([...places.keys()]);
  const corner = ({ x, y }, size = STEP) => ({ x: x - size / 2, y: y - size / 2, width: size, height: size });
  const parts = [];
  if (style === "holes") {
    const [x, y] = [layout.width / 2, layout.height / 2],
      r = Math.max(...all.map(([, place]) => Math.hypot(place.x - x, place.y - y))) + 26;
    parts.push(
      tag("circle", { class: "round edge", cx: x, cy: y + 2, r: r + 2 }),
      tag("circle", { class: "round", cx: x, cy: y, r }),
    );
  } else {
    const [right, bottom] = [layout.width - MARGIN, layout.height - MARGIN];
    // A star has ground in its middle, too, where no line leads.
    const middle = style === "points" ? `M${layout.width / 2} ${layout.height / 2}h.01` : "",
      d = style === "chequers" ? `M${MARGIN} ${MARGIN}H${right}V${bottom}H${MARGIN}Z` : ground + middle;
    parts.push(
      tag("path", { class: `plate${cut} edge`, d, transform: "translate(0 2)" }),
      tag("path", { class: `plate${cut}`, d }),
    );
  }
  if (isSquare || style === "track") {
    const size = style === "track" ? 37 : STEP;
    if (style === "chequers") {
      for (let x = 0; x < board.width; x++)
        for (let y = 0; y < board.height; y++)
          parts.push(tag("rect", { class: "square", ...corner({ x: MARGIN + STEP * x, y: MARGIN + STEP * y }) }));
    }
    const kinds = new Map(board.points.map(({ name, kind }) => [name, kind]));
    parts.push(
      ...all.map(([name, place]) =>
        tag("rect", {
          class: style === "chequers" ? "square dark" : `square ${kinds.get(name) ?? ""}`,
          ...corner(place, size),
          rx: style === "track" ? 6 : 0,
        }),
      ),
    );
  }
  for (const [region, names] of Object.entries(style === "track" ? {} : (board.regions ?? {}))) {
    if (region.startsWith("basis"))
      for (const r of [17, 11, 5])
        parts.push(...names.map(at).map(({ x, y }) => tag("circle", { class: `basis ${region}`, cx: x, cy: y, r })));
    else if (names.length > 0 && region !== "start")
      parts.push(tag("path", { class: `region ${region}${cut}`, d: way(names) }));
  }
  if (style === "points" || style === "hexagon")
    parts.push(
      tag("path", { class: "lines", d: ground, fill: "none" }),
      tag("g", { class: "dots" }, all.map(([, { x, y }]) => tag("circle", { cx: x, cy: y, r: 3.2 })).join("")),
    );
  if (style === "holes") parts.push(...all.map(([, { x, y }]) => tag("circle", { class: "hole", cx: x, cy: y, r: 8 })));
  if (style === "track") {
    for (const { name, kind } of board.points.filter(({ kind }) => kind in ICONS))
      parts.push(
        tag("path", {
          class: `icon ${kind}`,
          d: ICONS[kind],
          transform: `translate(${at(name).x} ${at(name).y + 4})${kind === "goose_field" ? " scale(.75)" : ""}`,
        }),
      );
  }
  return (
    parts.join("") +
    tag(
      "g",
      { class: "names", "aria-hidden": "true" },
      nameMarks(layout)
        .map(({ text, x, y, on }) => tag("text", { x, y, ...(on && { class: "on" }) }, escaped(text)))
        .join(""),
    )
  );
}

// Letters below the files and numbers beside the ranks where points have such names, else a name at every point.
function nameMarks({ board, style, places, width, height, isTurned }) {
  const all = [...places].map(([text, place]) => ({ text, ...place }));
  if (!all.every(({ text }) => /^[a-z]\d+$/.test(text)))
    return all.map(({ text, x, y }) => ({
      text,
      x: x - (style === "track" ? 10 : 12),
      y: y - (style === "track" ? 9 : 10),
      on: true,
    }));
  // Of the points with one letter or number the outermost.
  const away = isTurned ? -1 : 1,
    last = (key, by) => [...new Map(all.toSorted(by).map(point => [key(point.text), point]))],
    files = last(
      name => name[0],
      (a, b) => (a.y - b.y) * away,
    ),
    ranks = last(
      name => name.slice(1),
      (a, b) => b.x - a.x,
    );
  if (style === "hexagon")
    return [
      ...files.map(([text, { x, y }]) => ({ text, x: x + away * 17, y: y + away * 29 + 4 })),
      ...ranks.map(([text, { x, y }]) => ({ text, x: x - 31, y: y + 4 })),
    ];
  return [
    ...files.map(([text, { x }]) => ({ text, x, y: height - 4 })),
    ...ranks.map(([text, { y }]) => ({ text, x: 6, y: y + 3 })),
  ];
}

// The drawing of a piece, [name, outline], by what the ruleset calls its owner; undefined of animals that nobody has drawn.
function figureOf(kind, side) {
  const isAnimal = kind === "fox" || kind === "goose";
  const words = isAnimal && side ? side.toLowerCase().split(/[^\p{L}]+/u) : [kind];
  return words.map(word => FIGURES.get(word)).find(Boolean);
}

// One token; `owner` counts from 0. A letter stands where there is no drawing.
export function tokenMarkup(kind, owner, side, attributes = {}) {
  const [figure, d] = figureOf(kind, side) ?? [];
  return tag(
    "g",
    { class: `piece ${kind}${owner === null ? "" : ` owner${owner}`}`, "data-figure": figure ?? "", ...attributes },
    DISC +
      (d
        ? tag("path", { class: "figure", d })
        : tag("text", { class: "letter", y: 6 }, (/\p{L}/u.exec(side)?.[0] ?? "?").toUpperCase())),
  );
}
const DISC = '<circle class="shade" cy="1.6" r="15.4"/><circle class="disc" r="15"/><circle class="rim" r="13.2"/>';

// Pieces on their points, stacks upwards and counters beside each other; `sideOf(owner)` is what the ruleset calls it.
export function piecesMarkup({ places, style }, pieces, sideOf) {
  const standing = new Map();
  for (const piece of pieces)
    for (let n = 0; n < piece.count; n++) standing.set(piece.point, [...(standing.get(piece.point) ?? []), piece]);
  return [...standing]
    .filter(([point]) => places.has(point))
    .flatMap(([point, stack]) =>
      stack.map((piece, height) => {
        const { x, y } = places.get(point),
          away =
            style === "track"
              ? spread(height, stack.length)
              : { x: 0, y: -Math.min(STACKED, HIGHEST / stack.length) * height };
        const place = `translate(${x + away.x} ${y + away.y})${away.scale < 1 ? ` scale(${away.scale.toFixed(2)})` : ""}`;
        return tokenMarkup(piece.kind, piece.owner, sideOf(piece.owner), {
          transform: place,
          "data-piece": piece.kind,
          "data-on": point,
          "data-owner": piece.owner,
        });
      }),
    )
    .join("");
}

// In rows within the field.
function spread(index, count) {
  const across = Math.ceil(Math.sqrt(count)),
    cell = FIELD / across,
    at = (place, of) => (place - (of - 1) / 2) * cell;
  return {
    x: at(index % across, across),
    y: at(Math.floor(index / across), Math.ceil(count / across)) + (count < 2 ? 2 : 0),
    scale: cell / (FIELD - 3),
  };
}

// Where a move began, went and ended, and what it took.
export function marksMarkup({ places }, change, route) {
  const ring = (kind, point) =>
    places.has(point) ? tag("circle", { class: kind, cx: places.get(point).x, cy: places.get(point).y, r: 18 }) : "";
  const cross = ({ point }) => {
    const place = places.get(point);
    return place && point !== change.to
      ? tag("path", { class: "gone", d: `M${place.x - 7} ${place.y - 7}l14 14m0 -14l-14 14` })
      : "";
  };
  const stops = (route ?? [change.from, ...change.path])
    .filter(point => places.has(point))
    .map(point => places.get(point));
  const way =
    stops.length > 2 ? tag("path", { class: "way", d: `M${stops.map(({ x, y }) => `${x} ${y}`).join("L")}` }) : "";
  const ends = [change.to, ...change.placed.map(piece => piece.point)];
  return (
    way +
    (change.from === null ? "" : ring("from", change.from)) +
    ends.map(point => ring("to", point)).join("") +
    change.captured.map(cross).join("")
  );
}
