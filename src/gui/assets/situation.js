// What stands below the board: who is to do what or how the game has ended, the dice, and buttons for what has no point.

import { diceView } from "./dice.js";
import { button } from "./dom.js";
import { engineName } from "./games.js";
import { parse } from "./setup.js";
import { t, word } from "./texts.js";

function resultText(table, facts) {
  const result = facts.result ?? table.end.result,
    winner = /^(p\d)win$/.exec(result ?? "")?.[1];
  const reason = facts.result ? word(facts.reason) : t(table.end.reason);
  if (table.game.game.seats === 1) return `${t(winner ? "solved" : "not solved")}: ${reason}`;
  return `${winner ? t("wins", { side: table.name(winner) }) : t("draw")}: ${reason}`;
}

export function situation(table, facts) {
  if (facts.result || table.isEnded()) return resultText(table, facts);
  const { game, mode } = table,
    actor = table.actor(facts),
    seat = table.seats[actor],
    side = word(game.seats[actor]);
  if (facts.turn === "chance") return t(mode === "play" && seat ? "engine rolls" : "to roll", { side });
  if (mode === "play" && !table.isAtEnd) return t("looking back");
  if (mode === "play" && seat) return t("thinks", { side, engine: engineName(seat.engine) });
  if (facts.moves.length > 0 && facts.moves.every(({ move }) => move.startsWith("~"))) return t("to huff", { side });
  if (facts.moves.length > 0 && facts.moves.every(({ placed, from }) => from === null && placed.length > 0))
    return t("to place", { side });
  return t(game.game.seats === 1 ? "your jump" : "to move", { side });
}

// Whether a piece was huffed by the last move, or just before it.
const wasHuffed = ({ tree: { node } }) => [node, node.parent].some(each => each?.move?.startsWith("~"));

export function drawStatus(table) {
  const said = situation(table, table.now);
  table.parts.status.textContent = wasHuffed(table) && !table.isOver ? `${t("huffed")} ${said}` : said;
  table.parts.status.classList.toggle("over", table.isOver);
}

export function drawButtons(table) {
  const { view } = table,
    isMine = table.isMine(),
    pass = isMine && table.now.moves.find(({ move }) => move === "pass");
  table.parts.buttons.replaceChildren(
    ...[
      isMine &&
        table.isRoll(table.now) &&
        button(t("roll"), () => table.roll(), { class: "primary", "data-action": "roll" }),
      pass && button(t("pass"), () => table.play(pass), { class: "primary", "data-action": "pass" }),
      view.mayStop && button(t("stop here"), () => view.stop(), { class: "primary", "data-action": "stop-here" }),
    ].filter(Boolean),
  );
}

// The dice that are due, else those that fell last.
function drawDice({ now, tree, parts }) {
  const due = parse(now.fen).keys.dice,
    last = tree
      .path()
      .map(({ move }) => move)
      .filter(move => /^\d\+\d$/.test(move))
      .at(-1);
  diceView(parts.dice, (due ?? last)?.split("+").map(Number) ?? []);
}

export function drawBelow(table) {
  drawStatus(table);
  drawButtons(table);
  if (!table.isRolling && table.game.game.has_dice) drawDice(table);
}
