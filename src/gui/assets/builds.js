// Tables of perfect play that the server makes for a page.

import { nameOf } from "./games.js";
import { follow, post } from "./server.js";
import { language, t } from "./texts.js";

// A build that one waits for.
const SOON_S = 10;

// Of the builds that a machine can do the largest of the usual kind that is done soon.
export const soonest = builds => builds.findLast(({ metric, seconds }) => metric === "conversion" && seconds <= SOON_S);

export const begin = (ruleset, { metric, geese }) =>
  post("/api/tables/build", JSON.stringify({ ruleset, geese, metric }));

// Waits for the end of the build that is under way; fails where that does, or the signal ends the waiting.
export const ended = (signal, onProgress) =>
  new Promise((done, fail) => {
    signal.throwIfAborted();
    const wait = new AbortController();
    signal.addEventListener("abort", () => fail(signal.reason));
    follow("/ws/tables", AbortSignal.any([signal, wait.signal]), ({ build }) => {
      if (build?.is_running) return onProgress(build);
      wait.abort();
      if (build?.error) fail(new Error(build.error));
      else done();
    });
  });

export const shareDone = ({ done, of }) => (of ? done / of : 0);
export const progressText = build =>
  t("building", { ...build, ruleset: nameOf(build.ruleset), percent: Math.floor(100 * shareDone(build)) });

export const duration = seconds => {
  const [unit, n] =
    seconds < 90 ? ["second", seconds] : seconds < 5400 ? ["minute", seconds / 60] : ["hour", seconds / 3600];
  return Math.max(1, Math.round(n)).toLocaleString(language, { style: "unit", unit, unitDisplay: "long" });
};
