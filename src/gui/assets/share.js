// What a table gives away: its game as a link, a picture or text; what was said to engines; the keys.

import { action, button, field, h } from "./dom.js";
import { traffic } from "./engine.js";
import { download } from "./files.js";
import { pgnOf } from "./game-files.js";
import { app, copy, dialog } from "./page.js";
import { t } from "./texts.js";

const PICTURE_WIDTH = 1200;

// What the menu of every table offers; a report has no engines.
export const tableMenu = table => [
  action("link", "share", () => share(table)),
  !app.data && action("scroll-text", "engine log", showLog),
  action("keyboard", "show keys", showKeys),
];

// A text to read and to copy.
function copied(label, value, rows, name) {
  const area = h("textarea", { readonly: true, rows, value, "aria-label": label, "data-share": name }),
    note = h("span.quiet", { role: "status" });
  const act = async () => (note.textContent = await copy(area));
  return [field(label, area), h(".actions", action("copy", "copy", act, { "data-action": `copy-${name}` }), note)];
}

function share(table) {
  const { game, tree, now, view } = table,
    { start, moves } = tree.position(),
    query = new URLSearchParams({ ...(start && { fen: start }), ...(moves.length > 0 && { moves: moves.join("_") }) }),
    name = `${game.name}-${moves.length}`;
  const handOut = async (kind, make) => download(`${name}.${kind}`, await make()),
    facts = kind => ({ icon: "image", "data-action": `save-${kind}` }),
    save = (kind, make) => button(kind.toUpperCase(), () => handOut(kind, make), facts(kind));
  dialog(
    t("share"),
    // A report has no server that a link could lead to.
    !game.own &&
      !app.data &&
      copied(t("link"), `${location.origin}/#/analyse/${encodeURIComponent(game.name)}?${query}`, 2, "link"),
    copied(t("text of position"), now.fen, 2, "position"),
    copied(t("text of game"), pgnOf(table.saved()), 6, "game"),
    h("h3", t("picture")),
    h(".actions", [
      save("svg", () => new Blob([picture(view.svg)], { type: "image/svg+xml" })),
      save("png", () => png(view.svg)),
    ]),
  );
}

// The board as a file that stands by itself.
function picture(svg) {
  const copy = svg.cloneNode(true),
    { width, height } = svg.viewBox.baseVal;
  copy.querySelectorAll(".layer-hits, .layer-legal, .layer-cursor, .movable").forEach(layer => layer.remove());
  const rules = [...document.styleSheets]
    .flatMap(sheet => [...sheet.cssRules].filter(rule => !(rule instanceof CSSFontFaceRule)))
    .map(({ cssText }) => cssText);
  copy.prepend(Object.assign(document.createElementNS(svg.namespaceURI, "style"), { textContent: rules.join("\n") }));
  for (const [name, value] of Object.entries({ width, height, ...document.documentElement.dataset }))
    copy.setAttribute(typeof value === "number" ? name : `data-${name}`, value);
  return new XMLSerializer().serializeToString(copy);
}

async function png(svg) {
  const image = new Image(),
    { width, height } = svg.viewBox.baseVal,
    canvas = h("canvas", { width: PICTURE_WIDTH, height: Math.round((PICTURE_WIDTH * height) / width) });
  image.src = `data:image/svg+xml,${encodeURIComponent(picture(svg))}`;
  await image.decode();
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done));
}

function showLog() {
  const log = traffic.map(({ name, way, line }) => `${name} ${way} ${line}`).join("\n");
  dialog(t("engine log"), log ? copied(t("engine log"), log, 20, "log") : h("p", t("nothing yet")));
  const area = document.querySelector("[data-share=log]");
  if (area) area.scrollTop = area.scrollHeight;
}

export function showKeys() {
  const lines = t("keys").split("\n"),
    row = line => line.split(": ").map((text, index) => h(index === 0 ? "dt" : "dd", text));
  dialog(t("show keys"), h("dl.keys", [lines.map(row)]));
}
