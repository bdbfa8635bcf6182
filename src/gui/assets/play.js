// The panel of a game that is being played.

import { action, fill, h, iconButton } from "./dom.js";
import { failureText } from "./engine.js";
import { hintPoint } from "./entry.js";
import { saveGames } from "./files.js";
import { isLot } from "./games.js";
import { expectation } from "./judge.js";
import { menu } from "./page.js";
import { tableMenu } from "./share.js";
import { again } from "./situation.js";
import { offerPlayers, prepare, seatFields, usualLimit } from "./strengths.js";
import { t, word } from "./texts.js";

export function panel(table) {
  const { game } = table,
    solo = game.game.seats === 1,
    bar = h("span.bar"),
    [opener, list] = menu([]),
    apart = h("span.apart"),
    reallyResign = action("flag", "really resign", resign, { class: "wrong" }),
    flag = menu([action("x", "go on"), reallyResign], "resign", "flag", t("resign")),
    strengths = h(".strengths"),
    element = h(".panel.play", h(".actions", bar, opener, list, apart), table.moves.element, strengths);
  let hinted = null;

  // Beside what stands below the board, until another position is shown.
  const tell = text => (table.parts.status.querySelector(".told").textContent = text);

  // Who plays each side, and how strong an engine is: also a game under way may be handed over.
  function drawPlayers(players) {
    if (solo) return;
    const sit = (index, value) => {
      table.dismiss(index);
      table.seats[index] = value === "" ? null : { engine: +value, limit: usualLimit(game) };
      table.remember();
      drawPlayers(players);
      table.refresh();
    };
    const fields = (side, index) =>
      seatFields(game, table.seats[index], word(side), {
        players: [["", t("a person")], ...players],
        clock: table.clock,
        name: `player-${index}`,
        onPlayer: value => sit(index, value),
        onLimit: limit => ((table.seats[index].limit = limit), table.remember()),
      });
    fill(strengths, game.seats.map(fields));
  }

  function update(facts) {
    const isOver = !facts || facts.result !== null || table.end !== null,
      persons = table.seats.filter(seat => seat === null).length,
      // A game is given up or drawn as it stands, not as it once stood.
      isPast = isOver || !table.isAtEnd,
      over = { disabled: isOver };
    const act = (sign, name, does, attributes) =>
      iconButton(sign, t(name), does, { "data-action": name.replaceAll(" ", "-"), ...attributes });
    fill(bar, [
      act("rotate-ccw", "take back", takeBack, { disabled: !table.hasMoved }),
      !isLot(game) && act("lightbulb", "hint", hint, { disabled: isOver || facts?.turn === "chance" }),
      solo && act("search", "solvable", solvable, over),
      act("arrow-up-down", "flip", () => table.flip()),
      persons < table.seats.length &&
        act("skip-forward", "move now", () => table.thinker?.stop(), { disabled: !table.thinker }),
      persons === 0 && act(...(table.isPaused ? ["play", "resume"] : ["pause", "pause"]), () => table.pause(), over),
    ]);
    flag[0].disabled = isPast;
    fill(apart, !solo && persons > 0 && flag);
    // One that is open stays as it is.
    if (list.matches(":popover-open")) return;
    const canDraw = !solo && persons > 0 && !game.game.has_dice,
      cannotNow = { disabled: isPast || persons === table.seats.length };
    fill(list, [
      action("plus", "new game", () => again(table)),
      canDraw && action("handshake", "offer draw", offerDraw, cannotNow),
      action("download", "save", () => saveGames(game.name, [table.saved()])),
      tableMenu(table),
    ]);
  }

  // Back to where the person had the move.
  async function takeBack() {
    const { tree, seats } = table;
    if (!table.isAtEnd || table.end) table.losing(t("undo delete"));
    table.end = null;
    do {
      const node = tree.node;
      tree.back();
      tree.remove(node);
    } while (tree.node.parent && seats.includes(null) && table.seatToMove(await table.facts()) !== null);
    table.clock?.back(tree.ply());
    table.refresh();
  }

  // This program's own opinion; null where there is none, or another position is shown by then.
  async function ask(limit) {
    const { node } = table.tree,
      engine = table.adviser();
    tell(t("thinking"));
    const found = await prepare(engine, limit)
      .then(words => engine.search(table.tree.position(), words))
      .catch(failure => ({ failure }));
    if (table.tree.node !== node) return null;
    tell(found.failure ? failureText(found.failure) : "");
    return found.failure ? null : found;
  }

  // At first where it begins, or where the only piece goes, then the whole move.
  async function hint() {
    const known = hinted,
      found = known?.node === table.tree.node ? known : await ask("movetime 800");
    if (!found || found.best === "(none)") return;
    const { best, lines, notes } = (hinted = { ...found, node: table.tree.node }),
      { kind, value } = lines[0]?.score ?? {},
      move = table.now.moves.find(({ move }) => move === best),
      point = found !== known && move?.from && hintPoint(table.now, move);
    if (move) table.view.setArrows([point ? { ...move, from: null, placed: [{ point }] } : move]);
    const rest = solo && kind === "mate" ? ` ${t("solved in", { n: value })}` : "",
      said = point ? t("hint from", { point }) : t("hint is", { move: best }) + rest;
    tell(notes.some(text => text.includes("can no longer be reached")) ? t("hopeless") : said);
  }

  async function solvable() {
    const found = await ask("movetime 5000");
    if (!found) return;
    const { kind, value } = found.lines[0]?.score ?? {};
    tell(kind !== "mate" ? t("not known") : value > 0 ? t("still solvable", { n: value }) : t("hopeless"));
  }

  function resign() {
    const { seats } = table,
      who = seats.every(seat => seat === null) ? table.actor(table.now) : seats.indexOf(null);
    table.finish({ result: seats.length > 2 ? "draw" : `p${who === 0 ? 2 : 1}win`, reason: "resignation" });
  }

  // An engine that is not better agrees.
  async function offerDraw() {
    const mover = table.actor(table.now),
      { lines = [] } = (await ask("nodes 20000")) ?? {};
    if (!lines[0] || !table.isAtEnd || table.isOver) return;
    const mine = table.seats[mover] === null ? expectation(lines[0]) : 1 - expectation(lines[0]);
    if (mine >= 0.5) table.finish({ result: "draw", reason: "agreement" });
    else tell(t("draw refused"));
  }

  update();
  offerPlayers(game, index => table.seats.some(seat => seat?.engine === index), drawPlayers);
  return { element, update };
}
