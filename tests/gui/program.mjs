// The program under test: REYNARD, else the release build, else the debug build.

import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const target = new URL("../../target/", import.meta.url).pathname;
export const program = process.env.REYNARD ?? [`${target}release/reynard`, `${target}debug/reynard`].find(existsSync);
export const assets = new URL("../../src/gui/assets/", import.meta.url).pathname;
// {key: [English, Dutch]}
export const { texts, words } = JSON.parse(readFileSync(`${assets}texts.json`));

// Answers of the engine to lines of UGI, without `response`.
export async function answers(lines) {
  const child = spawn(program),
    found = [];
  createInterface({ input: child.stdout }).on(
    "line",
    line => line.startsWith("response ") && found.push(line.slice(9)),
  );
  child.stdin.end([...lines, "quit", ""].join("\n"));
  await new Promise(done => child.on("close", done));
  return found;
}

export async function json(ruleset, moves, ...questions) {
  const found = await answers([
    `setoption name UCI_Variant value ${ruleset}`,
    `position startpos moves ${moves.join(" ")}`,
    ...questions.map(question => `query ${question}`),
  ]);
  return found.map(text => JSON.parse(text));
}

export async function rulesets(...options) {
  const child = spawn(program, ["rules", "list", ...options]),
    lines = [];
  createInterface({ input: child.stdout }).on("line", line => lines.push(line.split(" ")[0]));
  await new Promise(done => child.on("close", done));
  return lines.filter(Boolean);
}

// Lets modules of the page ask a server of their own, as they would in a browser; the end of the server.
export async function served() {
  const home = mkdtempSync(join(tmpdir(), "reynard-gui-")),
    child = spawn(program, ["gui", "--no-open", "--port", "0"], { env: { ...process.env, XDG_STATE_HOME: home } }),
    line = await new Promise(done => createInterface({ input: child.stdout }).once("line", done)),
    { origin, port, searchParams } = new URL(/http:\/\/\S+/.exec(line)[0]),
    ask = globalThis.fetch;
  const fields = { cookie: `reynard-${port}=${searchParams.get("token")}`, origin };
  globalThis.fetch = (address, options = {}) =>
    ask(origin + address, { ...options, headers: { ...options.headers, ...fields } });
  return () => child.kill("SIGINT");
}
