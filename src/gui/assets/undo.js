// A bar that takes back what was lost last: a tree that was replaced, moves that were deleted.

import { button, h } from "./dom.js";
import { t } from "./texts.js";

const bar = () => document.getElementById("undo");

// Offers to take something back, until something else is lost or another page is shown.
export function offerUndo(text, undo) {
  const act = () => {
    dropUndo();
    undo();
  };
  bar().replaceChildren(h("span", {}, text), button(t("undo"), act, { "data-action": "undo" }));
  bar().hidden = false;
}

export function dropUndo() {
  bar().hidden = true;
  bar().replaceChildren();
}
