// Parts of drawn boards: arrows, small boards, single tokens, and what a person draws.

import { boardLayout, groundMarkup, marksMarkup, piecesMarkup, tokenMarkup } from "./board.js";
import { fill, s } from "./dom.js";

export const circle = (style, { x, y }, r, facts) => s("circle", { class: style, cx: x, cy: y, r, ...facts });

// A line through some places with its head, so far before the last one; around one place a circle.
export const arrow = (stops, style, facts, far = 6) =>
  stops.length > 1
    ? [s("path", { class: style, ...facts, d: shorten(stops, far) }), head(...stops.slice(-2), style)]
    : stops.map(place => circle(style, place, 18, facts));

// From behind the origin to shortly before the end, so that lines show where they lead.
function shorten(stops, far) {
  const middle = stops.slice(1, -1).map(({ x, y }) => `L${x} ${y}`);
  return `M${between(stops[0], stops[1], 15)}${middle.join("")}L${between(stops.at(-1), stops.at(-2), far)}`;
}

// The place that is so far from one towards another.
function between(a, b, far) {
  const share = far / (Math.hypot(b.x - a.x, b.y - a.y) || 1);
  return `${(a.x + (b.x - a.x) * share).toFixed(1)} ${(a.y + (b.y - a.y) * share).toFixed(1)}`;
}

function head(a, b, style) {
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

const colourOf = ({ shiftKey, ctrlKey, metaKey, altKey }) =>
  shiftKey || ctrlKey || metaKey ? (altKey ? "yellow" : "red") : altKey ? "blue" : "green";

// Arrows and circles that a person draws with the right button, or with any press where the `view` has a pen, since fingers
// have no buttons; in colours by the keys held, as lichess has them. `pointAt(event)` is the name of the point there, or null.
export function drawing(view, layer, pointAt) {
  // {from, to, colour} in the position that is shown; a circle ends where it begins.
  let shapes = [],
    begun = null;
  const shape = event => ({ ...begun, to: pointAt(event) ?? begun.from }),
    on = (name, does) => view.svg.addEventListener(name, does, { capture: true });
  on("contextmenu", event => event.preventDefault());
  on("pointerdown", event => {
    if (event.button !== 2 && !view.hasPen) return void (shapes.length > 0 && change([]));
    event.stopImmediatePropagation();
    const from = pointAt(event);
    begun = from && { from, colour: colourOf(event) };
    view.svg.setPointerCapture(event.pointerId);
  });
  on("pointermove", event => begun && draw([...shapes, shape(event)]));
  on("pointerup", event => {
    if (!begun) return;
    event.stopImmediatePropagation();
    const { from, to, colour } = shape(event),
      old = shapes.find(each => each.from === from && each.to === to),
      rest = shapes.filter(each => each !== old);
    begun = null;
    change(old?.colour === colour ? rest : [...rest, { from, to, colour }]);
  });

  function change(drawn) {
    shapes.splice(0, Infinity, ...drawn);
    draw();
  }

  function show(known) {
    shapes = known;
    draw();
  }

  function draw(all = shapes) {
    const drawn = ({ from, to, colour }) => {
      const points = [...new Set([from, to])],
        stops = points.map(point => view.layout.places.get(point));
      return arrow(stops, `drawn ${colour}`, { "data-drawn": [colour, ...points].join(" ") });
    };
    fill(layer, all.map(drawn));
  }
  return { show, draw };
}
