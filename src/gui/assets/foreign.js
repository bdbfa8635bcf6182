// Games that only an engine of somebody else knows, without a board: moves are typed in, and the engine says what is legal.

import { action, fill, h } from "./dom.js";
import { Engine, failureText, variantsOf } from "./engine.js";
import { catalogued, engineName } from "./games.js";
import { scoreText } from "./judge.js";
import { keep, kept } from "./store.js";
import { prepare, strengthSelect } from "./strengths.js";
import { app, dropUndo, offerUndo, sheet } from "./page.js";
import { t } from "./texts.js";

// Of all engines of the server, the variants that this program does not have: [{index, variant}].
export async function foreignGames() {
  const others = app.about.engines.map((_, index) => index).slice(1),
    games = async index => (await variantsOf(index)).map(variant => ({ index, variant })),
    found = await Promise.all(others.map(games));
  return found.flat().filter(({ variant }) => !catalogued(variant));
}

export function foreign(main, [number, variant], query, signal) {
  const index = +number;
  const key = `typed ${engineName(index)} ${variant}`,
    seat = { engine: index, limit: "movetime 1000" },
    moves = kept(key, []);
  // While the engine thinks nothing can be entered or taken back.
  let isBusy = false;
  const onState = (state, reason) => reason && say(t("engine failed", { reason })),
    engine = new Engine({ engine: index, onState });
  engine.set("UCI_Variant", variant);
  signal.addEventListener("abort", () => engine.close());
  const status = h("p.status", { role: "status" }),
    list = h("ol.typed", { "aria-label": t("moves") });
  const bare = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" },
    field = h("input", { name: "move", required: true, "aria-label": t("your move"), ...bare });
  const say = text => (status.textContent = text);

  function show() {
    keep(key, moves);
    fill(list, [moves.map((move, ply) => h("li", { "data-ply": ply + 1 }, move))]);
    status.classList.remove("over");
    field.focus();
  }

  // `entered` moves at the end are new: they are taken back where the engine refuses them.
  async function answer(entered = 0) {
    if (isBusy) return;
    isBusy = true;
    dropUndo();
    say(t("thinking"));
    const found = await prepare(engine, seat.limit)
      .then(limits => engine.search({ start: null, moves }, limits))
      .catch(failure => ({ failure }));
    isBusy = false;
    if (found.failure) return say(failureText(found.failure));
    const { best, lines, notes, errors } = found;
    if (entered > 0 && errors.some(reason => reason.startsWith("position"))) {
      moves.splice(-entered);
      show();
      return say(errors[0]);
    }
    const isOver = best === "(none)";
    if (!isOver) moves.push(best);
    show();
    const said = [isOver ? t("engine has no move") : scoreText(lines[0] ?? {}), ...notes, ...errors];
    say(said.filter(Boolean).join(" · "));
    status.classList.toggle("over", isOver);
  }

  function enter(event) {
    event.preventDefault();
    if (isBusy) return;
    const entered = field.value.trim().split(/\s+/).filter(Boolean);
    moves.push(...entered);
    field.value = "";
    show();
    answer(entered.length);
  }

  const put = known => (moves.splice(0, Infinity, ...known), show(), say(""));
  const back = count => () => {
    if (isBusy) return;
    const old = [...moves];
    put(moves.slice(0, Math.max(0, moves.length - count)));
    if (old.length - moves.length > 1) offerUndo(t("undo new game"), () => put(old));
  };
  sheet(main, variant, [
    h("p", t("typed help", { engine: engineName(index) })),
    list,
    h("form.actions", { onsubmit: enter }, [
      field,
      h("button.primary", { "data-action": "enter-move" }, t("play")),
      action("bot", "engine moves", () => answer()),
      action("rotate-ccw", "take back", back(1)),
      action("plus", "new game", back(Infinity)),
    ]),
    status,
    strengthSelect({ family: variant }, seat, t("strength"), null, limit => (seat.limit = limit)),
  ]);
  show();
}
