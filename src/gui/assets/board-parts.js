// Parts of drawn boards: arrows, small boards, single tokens.

import { boardLayout, groundMarkup, marksMarkup, piecesMarkup, tokenMarkup } from "./board.js";
import { s } from "./dom.js";

export const circle = (style, { x, y }, r, facts) => s("circle", { class: style, cx: x, cy: y, r, ...facts });

// A line through some places with its head.
export const arrow = (stops, style, facts) => [
  s("path", { class: style, ...facts, d: shorten(stops, 6) }),
  head(stops.at(-2), stops.at(-1), style),
];

// From behind the origin to shortly before the end, so that lines show where they lead.
export function shorten(stops, rest = 13) {
  const middle = stops.slice(1, -1).map(({ x, y }) => `L${x} ${y}`);
  return `M${between(stops[0], stops[1], 15)}${middle.join("")}L${between(stops.at(-1), stops.at(-2), rest)}`;
}

// The place that is so far from one towards another.
function between(a, b, far) {
  const share = far / (Math.hypot(b.x - a.x, b.y - a.y) || 1);
  return `${(a.x + (b.x - a.x) * share).toFixed(1)} ${(a.y + (b.y - a.y) * share).toFixed(1)}`;
}

export function head(a, b, style) {
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI,
    transform = `translate(${b.x} ${b.y}) rotate(${angle.toFixed(1)})`;
  return s("path", { class: `${style} head`, d: "M4 0L-8 -6.5L-5 0L-8 6.5Z", transform });
}

// A picture with a name for screen readers, or only to be looked at.
export function picture(view, markup, label, style = "small") {
  const known = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" },
    svg = s("svg", { class: `board ${style}`, viewBox: view, ...known });
  svg.innerHTML = markup;
  return svg;
}

// A small board that only shows, with the points of `marked` in colour and the `change` that led there.
export function thumbnail(game, { pieces = game.pieces, marked = [], change, label, style } = {}) {
  const layout = boardLayout(game.board, false),
    spots = marked.map(point => layout.places.get(point)).filter(Boolean),
    ring = ({ x, y }) => `<circle class="spot-won" cx="${x}" cy="${y}" r="19"/>`,
    marks = change ? marksMarkup(layout, change) : "",
    stones = piecesMarkup(layout, pieces, game.seats);
  return picture(layout.view, groundMarkup(layout) + spots.map(ring).join("") + marks + stones, label, style);
}

// One that is drawn when it comes near: those of all games would be ten thousand elements.
export function laterThumbnail(game) {
  const place = Object.assign(picture("0 0 1 1", ""), { draw: () => place.replaceWith(thumbnail(game)) });
  const draw = entries => entries.filter(entry => entry.isIntersecting).forEach(({ target }) => target.draw());
  nearby ??= new IntersectionObserver(draw, { rootMargin: "100%" });
  nearby.observe(place);
  return place;
}
let nearby = null;

// The first piece of a side, where it has any.
export function sideToken({ seats, game }, seat) {
  const piece = game.pieces.find(({ owner }) => owner === `p${seat + 1}`);
  return piece && token(piece, seats);
}

// A token by itself, for hands and names of sides.
export const token = (piece, seats) => picture("-18 -18 36 36", tokenMarkup(piece, seats), null, "token");
