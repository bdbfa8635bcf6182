// Two dice, rolled before the eyes.

import { calm, fill, h, s } from "./dom.js";
import { say, tick } from "./page.js";
import { t } from "./texts.js";

// The pips of each face, by their places in a square of three rows: 0 1 2 / 3 4 5 / 6 7 8.
const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"];

// Fair: bytes from 252 on are thrown again.
export function throwDice() {
  const dice = [];
  while (dice.length < 2) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < 252) dice.push(1 + (byte % 6));
  }
  return dice;
}

const pip = place => s("circle", { cx: ((place % 3) - 1) * 5.6, cy: (Math.floor(place / 3) - 1) * 5.6, r: 2 });
const die = value =>
  s("svg", { class: "die", viewBox: "-12 -12 24 24", "data-die": value }, [
    s("rect", { x: -11, y: -11, width: 22, height: 22, rx: 5 }),
    [...PIPS[value]].map(pip),
  ]);

// Shows dice in a place; rolled ones fall there before the eyes.
export async function diceView(place, dice, isRolled = false) {
  const label = values => t("dice are", { dice: values.join(", ") }),
    drawn = values => h(".dice", { role: "img", "aria-label": label(values) }, values.map(die)),
    show = values => fill(place, values.length > 0 && drawn(values));
  if (isRolled && !calm()) {
    for (let turn = 0; turn < 5; turn++) {
      show(throwDice());
      tick(500);
      await new Promise(done => setTimeout(done, 70));
    }
  }
  show(dice);
  if (isRolled) say(label(dice));
}
