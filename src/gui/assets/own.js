// Rulesets of one's own: written or dropped here, checked by the server while they are written.

import { action, fill, h } from "./dom.js";
import EXAMPLE from "./example.json" with { type: "json" };
import { fileButton } from "./files.js";
import { newGame, ownGame } from "./games.js";
import { thumbnail } from "./board-parts.js";
import { sheet } from "./page.js";
import { latest } from "./server.js";
import { keep, kept } from "./store.js";
import { t } from "./texts.js";

export async function own(main, rest, query, signal) {
  const value = kept("own draft", JSON.stringify(EXAMPLE, null, 2)),
    facts = { rows: 18, spellcheck: "false", "aria-label": t("own name"), id: "ruleset-text" },
    area = h("textarea", { ...facts, value });
  const verdict = h("p", { role: "status", "data-verdict": "" }),
    preview = h(".preview");
  const play = action("play", "play", () => start("play"), { class: "primary", disabled: true }),
    analyse = action("microscope", "analyse freely", () => start("analyse"), { disabled: true });
  let game = null;

  const check = latest(async text => {
    keep("own draft", text);
    const reply = await ownGame(text).catch(failure => ({ error: failure.message }));
    if (signal.aborted) return;
    game = reply.game ?? null;
    play.disabled = analyse.disabled = !game;
    verdict.className = reply.ok ? "fine" : "wrong";
    verdict.textContent = reply.ok ? t("own fine", reply) : reply.line ? t("own line", reply) : reply.error;
    fill(preview, game && thumbnail(game));
  });

  function start(view) {
    const seatOf = (_, seat) => (seat === 0 ? null : { engine: 0, limit: "nodes 2000" });
    newGame(view, game, { seats: game.seats.map(seatOf) });
  }

  let waiting;
  area.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => check(area.value), 250);
  });
  sheet(main, t("own title"), [
    h("p", t("own help")),
    h(".atlas", [h(".panel", area, verdict, h(".actions", play, analyse, fileButton())), preview]),
  ]);
  await check(value);
}
