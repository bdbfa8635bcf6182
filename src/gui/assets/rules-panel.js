// The rules beside the board.

import { rulesText } from "./rules-text.js";
import { h } from "./dom.js";

export class Panel {
  constructor(table) {
    this.element = h("div", { class: "panel rules" }, rulesText(table.game));
  }
}
