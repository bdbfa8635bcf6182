// What the parts of the page share: the games, the server's answer about itself, addresses, a voice and a tick.

import { button, fill, h, iconButton } from "./dom.js";
import { kept } from "./store.js";
import { t } from "./texts.js";

export const app = { games: [], about: { engines: [{ name: "reynard" }] }, sounds: kept("sounds", false) };

// What may be chosen of the look; the first is usual. The styles know the rest.
export const LOOKS = {
  theme: ["auto", "light", "dark"],
  board: ["wood", "slate", "linen"],
  pieces: ["tokens", "figures", "stones"],
};

// Until another page is shown.
export function every(ms, act, signal) {
  const timer = setInterval(act, ms);
  signal.addEventListener("abort", () => clearInterval(timer));
}

export const wait = ms => new Promise(done => setTimeout(done, ms));

// To screen readers.
export const say = text => (document.getElementById("said").textContent = text);

let audio = null;
export function tick(pitch = 320) {
  if (!app.sounds) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator(),
    loud = audio.createGain();
  tone.frequency.value = pitch;
  tone.connect(loud).connect(audio.destination);
  loud.gain.setValueAtTime(0.12, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}

// "#/play/masters-15?id=x": {view, rest, query}. What is no escape stands for itself.
export function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?"),
    [view, ...rest] = path.split("/");
  return { view, rest: rest.map(decoded), query: new URLSearchParams(query) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The page as a sheet under its title.
export function sheet(main, title, ...content) {
  document.title = `${title} · reynard`;
  main.className = "sheet";
  fill(main, h("h1", title), content);
}

// That of a run of the watched folder.
export const runAddress = run => `#/watch/${encodeURIComponent(run)}`;

// Goes to an address, also to the one that is shown already.
export function go(hash) {
  if (location.hash === hash) window.dispatchEvent(new Event("hashchange"));
  else location.hash = hash;
}

// A sheet above the page, until it is closed.
export function dialog(title, ...children) {
  const sheet = h("dialog", { "aria-label": title, onclose: () => sheet.remove() }, [
    h("header", [h("h2", title), iconButton("x", t("close"), () => sheet.close(), { "data-action": "close" })]),
    children,
  ]);
  document.body.append(sheet);
  sheet.showModal();
}

// A button below which further ones appear, the first of them with the keyboard.
export function menu(buttons, name = "menu", sign = "ellipsis", label = t("more")) {
  const list = h(".menu", { popover: true, onclick: () => list.hidePopover() }, buttons),
    opener = iconButton(sign, label, () => open(), { "data-action": name });
  function open() {
    list.showPopover();
    const { left, bottom } = opener.getBoundingClientRect(),
      { width, height } = list.getBoundingClientRect();
    list.style.left = `${Math.max(0, Math.min(left, document.body.clientWidth - width - 8))}px`;
    list.style.top = `${Math.min(bottom, innerHeight - height - 8)}px`;
    list.querySelector("button:not(:disabled)").focus();
  }
  return [opener, list];
}

// Copies the text of a field, or selects it where the browser does not let the page copy; what to say of it.
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return t("copied");
  } catch {
    field.select();
    return t("not copied");
  }
}

// A bar that takes back what was lost last: a tree that was replaced, moves that were deleted.
const bar = () => document.getElementById("undo");

// Says what was lost and offers to take it back, if it can be, until something else is lost or another page is shown.
export function offerUndo(text, undo) {
  const act = () => (dropUndo(), undo());
  fill(bar(), h("span", text), undo && button(t("undo"), act, { icon: "undo-2", "data-action": "undo" }));
}

// Offers it on the page that is gone to next.
export const offerUndoThere = (text, undo) =>
  window.addEventListener("hashchange", () => offerUndo(text, undo), { once: true });

export const dropUndo = () => bar().replaceChildren();
