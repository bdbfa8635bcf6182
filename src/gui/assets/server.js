// Questions to the server of the page.

const RETRY_MS = 500;

// `onAway(isAway)` is called when the server has gone away, and when it is there again.
export const connection = { isAway: false, onAway: null };

function setAway(isAway) {
  if (connection.isAway === isAway) return;
  connection.isAway = isAway;
  connection.onAway?.(isAway);
}

let probe = null;

// After something has failed: waits until the server answers; whether it had been away.
export function reachable() {
  return (probe ??= ask().finally(() => (probe = null)));
}
async function ask() {
  let wasAway = false;
  while (!(await fetch("/api/about").catch(() => null))) {
    setAway((wasAway = true));
    await new Promise(done => setTimeout(done, RETRY_MS));
  }
  setAway(false);
  return wasAway;
}

// The answer as data; asked again until there is a server. Fails with the words of a refusal, and when it fails twice
// though the server is there.
export async function fetchJson(address, options) {
  for (let failures = 0; ;) {
    const reply = await fetch(address, options).catch(failure => failure);
    if (reply instanceof Error) {
      if (!(await reachable()) && ++failures > 1) throw reply;
      continue;
    }
    const body = await reply.json().catch(() => null);
    if (!reply.ok) throw new Error(body?.error ?? `${reply.status} ${reply.statusText}`);
    return body;
  }
}

export const post = (address, body) =>
  fetchJson(address, { method: "POST", body, headers: { "content-type": "application/json" } });

// All that a page shows of a position: {error, fen, turn, result, reason, moves, pieces, table, route}. `more` may ask for
// "played", the changes of all its moves, and for "chances".
export const look = ({ name, ruleset }, { start, moves }, more = []) =>
  post("/api/look", JSON.stringify({ ruleset: ruleset ? { posted: ruleset } : { catalog: name }, start, moves, more }));
