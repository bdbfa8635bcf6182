// Parts of drawn boards: arrows, small boards, single tokens.

import { boardLayout, groundMarkup, piecesMarkup, tokenMarkup } from "./board.js";
import { s } from "./dom.js";

// Pieces of `query pieces` with owners by number.
export const numbered = pieces =>
  pieces.map(piece => ({ ...piece, owner: piece.owner === null ? null : +piece.owner.slice(1) - 1 }));

// From the origin to shortly before the end, so that lines show where they lead.
export function shorten(stops, rest = 13) {
  const [a, b] = stops.slice(-2),
    far = Math.hypot(b.x - a.x, b.y - a.y) || 1,
    share = (far - rest) / far;
  const start = stops[0],
    second = stops[1],
    away = Math.hypot(second.x - start.x, second.y - start.y) || 1;
  const from = { x: start.x + ((second.x - start.x) * 15) / away, y: start.y + ((second.y - start.y) * 15) / away };
  const middle = stops
    .slice(1, -1)
    .map(({ x, y }) => `L${x} ${y}`)
    .join("");
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}${middle}L${(a.x + (b.x - a.x) * share).toFixed(1)} ${(a.y + (b.y - a.y) * share).toFixed(1)}`;
}

export function head(a, b, style) {
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return s("path", {
    class: `${style} head`,
    d: "M4 0L-8 -6.5L-5 0L-8 6.5Z",
    transform: `translate(${b.x} ${b.y}) rotate(${angle.toFixed(1)})`,
  });
}

// A small board that only shows.
export function thumbnail(game, attributes = {}) {
  const layout = boardLayout(game.board, false),
    names = game.seats;
  const svg = s("svg", { class: "board small", viewBox: layout.view, "aria-hidden": "true", ...attributes });
  svg.innerHTML = groundMarkup(layout) + piecesMarkup(layout, numbered(game.pieces), owner => names[owner] ?? "");
  return svg;
}

// A token by itself, for hands and names of sides.
export function token({ kind, owner }, side, attributes = {}) {
  const svg = s("svg", { class: "board token", viewBox: "-18 -18 36 36", "aria-hidden": "true", ...attributes });
  svg.innerHTML = tokenMarkup(kind, typeof owner === "string" ? +owner.slice(1) - 1 : owner, side);
  return svg;
}
