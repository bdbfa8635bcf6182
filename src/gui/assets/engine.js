// One engine process behind a WebSocket, spoken to in lines of the UGI text protocol.

import { reachable } from "./server.js";
import { t } from "./texts.js";

const RETRY_MS = [250, 500, 1000, 2000, 4000];

// "info ..." as an object: numbers by name, `score` {kind, value}, `wdl` a list, `pv` a list.
export function parseInfo(line) {
  const words = line.split(/\s+/).slice(1),
    info = {};
  while (words.length > 0) {
    const name = words.shift();
    if (name === "string") return { text: words.join(" ") };
    if (name === "pv") return { ...info, pv: words };
    if (name === "score") info.score = { kind: words.shift(), value: +words.shift() };
    else if (name === "wdl") info.wdl = words.splice(0, 3).map(Number);
    else if (name === "currmove") info.currmove = words.shift();
    else info[name] = +words.shift();
  }
  return info;
}

// "option name N type T default V min A max B var V ...": {name, type, min, max, vars}, or null.
export function parseOption(line) {
  const [, name, type, rest = ""] = /^option name (.+?) type (\w+)(.*)$/.exec(line) ?? [],
    number = key => +(new RegExp(` ${key} (-?\\d+)`).exec(rest)?.[1] ?? 0),
    [, ...vars] = rest.split(" var ").map(text => text.trim());
  return name === undefined ? null : { name, type, min: number("min"), max: number("max"), vars };
}

const positionLine = ({ start, moves }) =>
  `position ${start ? `fen ${start}` : "startpos"}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;

// What is said of a search that has no answer.
export const failureText = ({ message }) =>
  t("engine failed", { reason: message === "lost" ? t("no answer") : message });

// What passed last between this page and its engines: {name, way: "<" or ">", line}.
export const traffic = [];
const MOST_TRAFFIC = 5000;

export class Engine {
  #socket = null;
  #address;
  #settings = [];
  #searches = [];
  #tries = 0;
  #isClosed = false;
  #isReady = false;
  // Lines for a process that is not there yet.
  #waiting = [];
  // What the engine announces: `options` by their names in small letters, and `known`, a promise of them.
  options = new Map();
  // Why the server gives no process.
  refusal = null;
  #tell;
  #fail;

  // `onLost()` is called when another process had to be started, which will not answer what the last one was asked.
  constructor({ engine = 0, ruleset, name = String(engine), onLost, onState, Socket = globalThis.WebSocket, base }) {
    Object.assign(this, { name, onLost, onState, Socket });
    const query = new URLSearchParams({ engine, ...(ruleset && { ruleset }) });
    this.#address = `${base ?? location.origin.replace(/^http/, "ws")}/ws/engine?${query}`;
    this.#listen();
    this.#connect();
  }

  #listen() {
    this.known = new Promise((resolve, reject) => {
      this.#tell = resolve;
      this.#fail = reject;
    });
    this.known.catch(() => {});
  }

  #connect(isLost = false) {
    const socket = (this.#socket = new this.Socket(this.#address));
    let isOpen = false;
    socket.onopen = () => (isOpen = true);
    socket.onmessage = ({ data }) => this.#read(String(data), isLost);
    socket.onclose = () => {
      if (this.#isClosed || socket !== this.#socket) return;
      this.#isReady = false;
      this.#forget();
      if (!isOpen) reachable();
      const wait = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)];
      setTimeout(() => this.#isClosed || this.#connect(true), wait);
    };
  }

  #read(line, isLost) {
    if (line.startsWith("{")) return this.#served(JSON.parse(line), isLost);
    this.#tries = 0;
    this.#log("<", line);
    if (line.startsWith("info string error ")) {
      this.#searches[0]?.refuse(line.slice(18));
    } else if (line.startsWith("option ")) {
      const option = parseOption(line);
      if (option) this.options.set(option.name.toLowerCase(), option);
    } else if (line === "ugiok") this.#tell(this.options);
    else if (line.startsWith("info ")) this.#searches[0]?.onInfo?.(parseInfo(line));
    else if (line.startsWith("bestmove ")) this.#searches.shift()?.resolve(line.split(" ")[1]);
  }

  #served({ server, reason }, isLost) {
    this.#log("<", [server, reason].filter(Boolean).join(": "));
    if (server === "refused") this.#refuse(reason);
    if (server === "started") {
      this.#isReady = true;
      ["ugi", ...this.#settings, ...this.#waiting.splice(0)].forEach(text => this.send(text));
    }
    this.onState?.(server, reason);
    if (server === "ended") this.#socket.close();
    if (server === "started" && isLost) this.onLost?.();
  }

  // What was asked of a process that is gone will not be answered.
  #forget(reason = "lost") {
    this.#waiting = [];
    for (const { reject } of this.#searches.splice(0)) reject(new Error(reason));
    this.#fail(new Error(reason));
    this.#listen();
  }
  // Nor will anything that is asked from now on.
  #refuse(reason) {
    this.#isClosed = true;
    this.refusal = new Error(reason);
    this.#forget(reason);
    this.#fail(this.refusal);
  }

  #log(way, line) {
    traffic.push({ name: this.name, way, line });
    if (traffic.length > MOST_TRAFFIC) traffic.shift();
  }

  send(line) {
    if (!this.#isReady || this.#socket.readyState !== 1) return void this.#waiting.push(line);
    this.#log(">", line);
    this.#socket.send(line);
  }

  // Kept and told again to a process that is started anew.
  set(name, value) {
    const line = `setoption name ${name} value ${value}`;
    if (this.#settings.includes(line)) return;
    this.#settings = [...this.#settings.filter(known => !known.startsWith(`setoption name ${name} value `)), line];
    if (this.#isReady) this.send(line);
  }

  // {best, lines by multipv, notes, errors: what was refused of the position}; a search that runs is stopped.
  search(position, limits, onInfo) {
    if (this.refusal) return Promise.reject(this.refusal);
    this.stop();
    return new Promise((resolve, reject) => {
      const found = { lines: [], notes: [], errors: [] };
      const search = {
        reject,
        onInfo: info => {
          if (info.text !== undefined) found.notes.push(info.text);
          else if (info.pv || info.depth === 0) found.lines[(info.multipv ?? 1) - 1] = info;
          onInfo?.(info, found.lines);
        },
        refuse: reason => {
          if (!reason.startsWith("go")) return void found.errors.push(reason);
          this.#searches.splice(this.#searches.indexOf(search), 1);
          reject(new Error(reason));
        },
        resolve: best => resolve({ best, ...found }),
      };
      this.#searches.push(search);
      this.send(positionLine(position));
      this.send(`go ${limits}`);
    });
  }

  get isSearching() {
    return this.#searches.length > 0;
  }
  stop = () => this.isSearching && this.send("stop");

  close() {
    this.#isClosed = true;
    this.#forget();
    this.#socket.close();
  }
}

const announced = {};

// The options that an engine of the server announces, by their names in small letters; asked until it has told them.
export const optionsOf = index => (announced[index] ??= ask(index));
// The games that it says it plays.
export const variantsOf = async index => (await optionsOf(index)).get("uci_variant")?.vars ?? [];
async function ask(index) {
  const engine = new Engine({ engine: index, name: `${index} options` });
  await engine.known.catch(() => delete announced[index]);
  engine.close();
  return engine.options;
}
