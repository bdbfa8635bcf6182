// Questions to the server of the page.

import { sentence } from "./texts.js";

const RETRY_MS = 500,
  WATCH_MS = 4000;

// "change" is its event when the server has gone away, and when it is there again.
export const connection = Object.assign(new EventTarget(), { isAway: false });

function setAway(isAway) {
  if (connection.isAway === isAway) return;
  connection.isAway = isAway;
  connection.dispatchEvent(new Event("change"));
}

let probe = null;

// After something has failed: waits until the server answers; whether it had been away.
export const reachable = () => (probe ??= ask().finally(() => (probe = null)));
async function ask() {
  let wasAway = false;
  while (!(await fetch("/api/about").catch(() => null))) {
    setAway((wasAway = true));
    await new Promise(done => setTimeout(done, RETRY_MS));
  }
  setAway(false);
  return wasAway;
}

// Goes on asking whether the server is there; one question may be lost on its way.
export const watchServer = () =>
  setInterval(() => document.hidden || fetch("/api/about").catch(() => setTimeout(reachable, RETRY_MS)), WATCH_MS);

// The reply, asked for again when the server has been away. Fails when it fails twice though the server is there.
const served = (address, options, isAgain = false) =>
  fetch(address, options).catch(async failure => {
    const wasAway = await reachable();
    if (isAgain && !wasAway) throw failure;
    return served(address, options, isAgain || !wasAway);
  });

// What `load()` imports. Browsers do not ask again for a module that they could not have, so the page is loaded anew when
// the server is there again; fails where it was there all the time.
export const imported = load =>
  load().catch(async failure => {
    if (!(await reachable())) throw failure;
    location.reload();
    return new Promise(() => {});
  });

// The answer as data. Fails with the words of a refusal, too.
export async function fetchJson(address, options) {
  const reply = await served(address, options),
    body = await reply.json().catch(() => null);
  if (!reply.ok) throw new Error(sentence(body?.error ?? `${reply.status} ${reply.statusText}`));
  return body;
}

export const post = (address, body) =>
  fetchJson(address, { method: "POST", body, headers: { "content-type": "application/json" } });

// All that a page shows of a position: {error, fen, turn, result, reason, moves, pieces, table, route}. `more` may ask for
// "played", the changes of all its moves, and for "chances".
export const look = ({ name, ruleset }, { start, moves }, more = []) =>
  post("/api/look", JSON.stringify({ ruleset: ruleset ? { posted: ruleset } : { catalog: name }, start, moves, more }));

// Calls `onData` for each answer of a WebSocket. When the server is there again, the page is opened anew.
export function follow(address, signal, onData) {
  const socket = new WebSocket(location.origin.replace(/^http/, "ws") + address);
  socket.onmessage = ({ data }) => onData(JSON.parse(data));
  socket.onclose = reachable;
  signal.addEventListener("abort", () => {
    socket.onmessage = socket.onclose = null;
    socket.close();
  });
}

// A run of the watched folder; without a name the last one.
export const followRun = (name, ...more) =>
  follow(name ? `/ws/watch/${encodeURIComponent(name)}` : "/ws/watch", ...more);

// What the server has of a run.
export const runFile = (run, file) => `/api/runs/${encodeURIComponent(run)}/${file}`;

// Of what comes while `take` is at work only the last is taken next.
export function latest(take) {
  let newest,
    isBusy = false;
  return async given => {
    newest = given;
    if (isBusy) return;
    isBusy = true;
    for (let now; now !== newest;) await take((now = newest)).catch(() => {});
    isBusy = false;
  };
}
