// Arrows and circles that a person draws on a board with the right button, in colours by the keys held, as lichess has them.

import { arrow, circle } from "./board-parts.js";
import { fill } from "./dom.js";

const colourOf = ({ shiftKey, ctrlKey, metaKey, altKey }) =>
  shiftKey || ctrlKey || metaKey ? (altKey ? "yellow" : "red") : altKey ? "blue" : "green";

export class Drawing {
  // {from, to, colour}; a circle goes nowhere. They belong to the position that is shown.
  shapes = [];
  // Whether every press draws: fingers have no right button.
  isOn = false;

  // `pointAt(event)` is the name of the point there, or null.
  constructor(view, layer, pointAt) {
    Object.assign(this, { view, layer });
    let begun = null;
    const shape = event => ({ from: begun.from, to: pointAt(event) ?? begun.from, colour: begun.colour });
    const on = (name, does) => view.svg.addEventListener(name, does, { capture: true });
    on("contextmenu", event => event.preventDefault());
    on("pointerdown", event => {
      if (event.button !== 2 && !this.isOn) return void (this.shapes.length > 0 && this.#change(() => []));
      event.stopImmediatePropagation();
      const from = pointAt(event);
      begun = from && { from, colour: colourOf(event) };
      view.svg.setPointerCapture(event.pointerId);
    });
    on("pointermove", event => begun && this.draw([...this.shapes, shape(event)]));
    on("pointerup", event => {
      if (!begun) return;
      event.stopImmediatePropagation();
      const { from, to, colour } = shape(event),
        isSame = each => each.from === from && each.to === to;
      begun = null;
      this.#change(shapes => {
        const rest = shapes.filter(each => !isSame(each));
        return shapes.find(isSame)?.colour === colour ? rest : [...rest, { from, to, colour }];
      });
    });
  }

  #change(change) {
    this.shapes.splice(0, Infinity, ...change([...this.shapes]));
    this.draw();
  }

  show(shapes) {
    this.shapes = shapes;
    this.draw();
  }

  draw(shapes = this.shapes) {
    const { places } = this.view.layout;
    const drawn = ({ from, to, colour }) => {
      const [a, b] = [places.get(from), places.get(to)],
        style = `drawn ${colour}`,
        facts = { "data-drawn": `${colour} ${from === to ? from : `${from} ${to}`}` };
      return from === to ? circle(style, a, 19, facts) : arrow([a, b], style, facts);
    };
    fill(this.layer, shapes.map(drawn));
  }
}
