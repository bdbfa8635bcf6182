// Set-up of positions, and positions and games as text.

import { token } from "./board-parts.js";
import { action, button, field, fill, h, select } from "./dom.js";
import { fileButton, openGame, saveGames } from "./files.js";
import { ofText } from "./game-files.js";
import { look } from "./server.js";
import { join, lettersOn, parse, placement } from "./setup.js";
import { copy } from "./page.js";
import { faultText, seatOf } from "./telling.js";
import { sentence, t, word } from "./texts.js";
import { Tree } from "./tree.js";

const FACES = [1, 2, 3, 4, 5, 6];

// What a game in which somebody plays would say of an illegal move.
const withoutForfeit = reason => reason.replace(/; the game is lost by its mover.*$/, "");

const area = (name, rows) =>
  h("textarea", { rows, spellcheck: "false", "aria-label": t(`text of ${name}`), id: `${name}-text` });

// The text of a game to be read: its field, what is wrong with it, and buttons that read it or a file; `onRead(isWhole)` is
// called where it has changed the table.
export function gameText(table, onRead) {
  const game = area("game", 4),
    verdict = h("p.wrong", { role: "alert" }),
    say = text => (verdict.textContent = text);

  // Reads a game; the moves up to the first that the engine refuses stand. Tags say of which game they are, and where it
  // began; bare moves begin where the game on the table does.
  async function load() {
    const [read] = await ofText(game.value).catch(failure => [{ failure }]);
    if (!read || read.failure) return say(read?.failure.message ?? t("file no games"));
    if (read.variant && read.variant !== table.game.name) return openGame(read);
    const { tree } = table,
      error = await table.load(read.hasTags ? read.read() : read.read(tree.start), read),
      reason = error && sentence(withoutForfeit(error)).split(";")[0];
    if (table.tree !== tree) onRead(!error);
    say(error ? t(table.tree === tree ? "is wrong" : "read in part", { reason }) : "");
  }

  const put = () => (say(""), (game.value = table.tree.text(table.game)));
  return { area: game, verdict, put, buttons: [action("upload", "load game", load), fileButton()] };
}

// `onOpen()` is called when it is opened.
export function editor(table, onOpen) {
  const place = h(".panel");
  const position = area("position", 2),
    game = gameText(table, isWhole => (isWhole ? open(false) : refill())),
    verdict = h("p.quiet", { role: "status", "data-verdict": "" }),
    letters = table.game.game.pieces.filter(({ letter }) => letter);
  let chosen = letters[0]?.letter ?? "",
    stacks = new Map(),
    previews = 0,
    isOpen = false;

  const said = (text, style = "quiet") => Object.assign(verdict, { textContent: text, className: style });
  const rest = wanted => {
    isOpen = wanted;
    if (isOpen) onOpen();
    document.querySelector("main").toggleAttribute("data-setup", isOpen);
    table.view.isFree = false;
  };
  // At once on a click: the event "toggle" comes later, when something may be typed already. It tells of what else opens
  // the set-up, such as a search in the page.
  const open = wanted => {
    details.open = wanted;
    if (wanted === isOpen) return;
    rest(wanted);
    if (isOpen) return refill();
    table.refresh();
  };
  const toggle = event => (event.preventDefault(), open(!details.open)),
    known = { "data-part": "setup", ontoggle: () => details.isConnected && open(details.open) },
    details = h("details", known, h("summary", { onclick: toggle }, t("set up")), place);

  function refill() {
    position.value = table.now.fen;
    game.put();
    stacks = lettersOn(table.now.pieces, letters);
    table.view.isFree = letters.length > 0;
    table.view.onPoint = put;
    table.view.show({ pieces: table.now.pieces, fen: table.now.fen });
    draw();
    said("");
  }

  function put(point) {
    const old = stacks.get(point) ?? "";
    const next =
      chosen === "" ? old.slice(0, -1) : table.game.game.has_stacks ? old + chosen : old === chosen ? "" : chosen;
    if (next) stacks.set(point, next);
    else stacks.delete(point);
    rewrite();
  }

  function rewrite(changes = {}) {
    const { placement: old, turn, keys } = parse(position.value);
    position.value = join({
      placement: letters.length > 0 ? placement(table.game.board, name => stacks.get(name)) : old,
      turn: changes.turn ?? turn,
      keys: { ...keys, ...changes.keys },
    });
    preview();
  }

  // What the engine says of the text; the board shows it where it is a position. Of several the last counts.
  async function preview() {
    const mine = ++previews;
    const start = position.value.trim();
    if (start === "") return void said(t("is wrong", { reason: t("empty text") }), "wrong");
    const found = await look(table.game, { start, moves: [] });
    if (!isOpen || mine !== previews) return;
    const pieces = [...stacks].flatMap(([point, stack]) =>
      [...stack].map(letter => ({ ...letters.find(each => each.letter === letter), point, count: 1 })),
    );
    table.view.show({ pieces: found.error ? pieces : found.pieces, fen: position.value });
    if (!found.error) stacks = lettersOn(found.pieces, letters);
    said(found.error ? faultText(table.game, found.error) : t("position is fine"), found.error ? "wrong" : "fine");
    return !found.error;
  }

  async function use() {
    if (!(await preview())) return;
    table.losing(t("undo tree"), true);
    table.tree = new Tree(position.value.trim());
    table.end = table.players = null;
    open(false);
  }

  // What stands behind the placement, dice apart.
  function fields() {
    const { has_drops, has_dice } = table.game.game,
      { dice, ...keys } = parse(position.value).keys;
    return { ...keys, ...(has_drops && { hand: keys.hand ?? "0" }), ...(has_dice && { turn: keys.turn ?? "p1" }) };
  }

  // The side alone where it has one kind of piece.
  function nameOf({ kind, owner }) {
    const side = word(table.game.seats[seatOf(owner)]);
    return letters.filter(each => each.owner === owner).length > 1 ? `${side} (${word(kind)})` : side;
  }

  function draw() {
    const now = parse(position.value),
      letterOf = turn => letters.find(({ letter }) => letter.toLowerCase() === turn),
      sideOf = turn => word(table.game.seats[seatOf(letterOf(turn)?.owner ?? "p1")]),
      turns = new Set([parse(table.now.fen).turn, ...letters.map(({ letter }) => letter.toLowerCase())]),
      // A roll that has fallen, or none yet; the larger die stands first in the text.
      rolls = FACES.flatMap(a => FACES.slice(0, a).map(b => `${a}+${b}`)),
      roll = dice => rewrite({ keys: { dice } }),
      sides = [...turns].filter(turn => /^[a-z]$/.test(turn)).map(turn => [turn, sideOf(turn)]);
    const choice = (letter, shown, name) => {
      const facts = {
        "aria-pressed": String(chosen === letter),
        "data-letter": letter,
        "aria-label": name,
        title: name,
      };
      return button(shown, () => draw((chosen = letter)), facts);
    };
    const clear = () => (stacks.clear(), rewrite());
    const key = ([name, value]) => {
      const onchange = ({ target }) => rewrite({ keys: { [name]: target.value.trim() } });
      return field(name, h("input", { value, name: `key-${name}`, onchange }));
    };
    fill(place, [
      letters.length > 0 && [
        h("p.quiet", t("setup help")),
        h(".palette", [
          letters.map(piece => choice(piece.letter, token(piece, table.game.seats), nameOf(piece))),
          choice("", t("remove")),
        ]),
      ],
      sides.length > 1 && select(t("side to move"), sides, now.turn, turn => rewrite({ turn }), { name: "turn" }),
      table.game.game.has_dice &&
        select(t("dice"), [["", t("dice to roll")], ...rolls], now.keys.dice, roll, { name: "dice" }),
      h(".pair", Object.entries(fields()).map(key)),
      letters.length > 0 && h(".actions", button(t("clear board"), clear, { icon: "trash-2", "data-action": "clear" })),
      field(t("text of position"), position),
      verdict,
      h(".actions", [
        action("check", "use", use, { class: "primary" }),
        action("x", "cancel", () => open(false)),
        action("copy", "copy", async () => said(await copy(position))),
      ]),
      field(t("text of game"), game.area),
      game.verdict,
      h(".actions", [
        game.buttons,
        action("copy", "copy", async () => said(await copy(game.area))),
        action("download", "save", () => saveGames(table.game.name, [table.saved()])),
      ]),
    ]);
  }
  position.addEventListener("input", preview);
  return { element: details, isOpen: () => isOpen, close: () => rest(false) };
}
