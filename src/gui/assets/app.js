// The page: its frame, and which part is shown at which address.

import { action, check, fill, h, iconButton, select } from "./dom.js";
import { LOOKS, address, app, dropUndo, say, tick, wait } from "./page.js";
import { connection, fetchJson, imported, watchServer } from "./server.js";
import { keep, kept } from "./store.js";
import { LANGUAGES, language, speak, t, wanted } from "./texts.js";

const main = document.getElementById("main");
// The parts that addresses begin with, each a function of its name; the modules of those that have none of their own.
const MODULES = { game: "choose", play: "table", analyse: "table", record: "watch", file: "files", archive: "files" },
  VIEWS = ["choose", "truth", "watch", "own", "foreign", ...Object.keys(MODULES)];

let shown = null,
  // Aborted when another page is shown.
  page = null;
async function route() {
  dropUndo();
  document.querySelectorAll("dialog").forEach(sheet => sheet.close());
  if (!connection.isAway) tell();
  say("");
  page?.abort();
  const { signal } = (page = new AbortController()),
    { view, rest, query } = address(),
    [views, home] = app.data ? [["record"], "watch"] : [VIEWS, "choose"],
    name = views.includes(view) ? view : home;
  try {
    const { [name]: open } = await imported(() => import(`./${MODULES[name] ?? name}.js`));
    if (signal.aborted) return;
    document.documentElement.dataset.view = name;
    frame();
    // Another page begins at its top; other moves of the same one stay where they are.
    const place = [view, ...rest].join("/");
    if (place !== shown) window.scrollTo(0, 0);
    shown = place;
    await open(main, rest, query, signal);
  } catch (failure) {
    if (signal.aborted) return;
    page.abort();
    main.className = "sheet";
    fill(main, [
      h("p.wrong", { role: "status" }, failure.message),
      h(".actions", tryAgain(), h("a.button", { href: "#/" }, t("games"))),
    ]);
  }
}

const tryAgain = () => action("rotate-ccw", "try again", () => location.reload());

// What keeps the page from going on.
const tell = (...trouble) => document.getElementById("away").replaceChildren(...trouble);

function frame() {
  const { view } = address(),
    here = names => (names.includes(view) ? "page" : null);
  const link = (href, text, names) => h("a", { href, "aria-current": here(names) }, text);
  fill(document.getElementById("nav"), app.data ? [link("#/", t("report"), ["", "record"])] : parts(link));
  const look = ([name, values]) => {
    const choices = values.map(value => [value, t(`look ${name} ${value}`)]);
    const change = value => (keep(name, value), applyLooks());
    return select(t(`look ${name}`), choices, kept(name, values[0]), change, { name });
  };
  const changeLanguage = name => (keep("language", name), speak(name), route());
  fill(document.getElementById("tools"), [
    iconButton("palette", t("look"), null, { popovertarget: "looks", "data-action": "look" }),
    h(".menu", { id: "looks", popover: "auto" }, [
      Object.entries(LOOKS).map(look),
      check(t("sounds"), app.sounds, isOn => (keep("sounds", (app.sounds = isOn)), tick())),
      select(t("language"), Object.entries(LANGUAGES), language, changeLanguage, { name: "language" }),
    ]),
  ]);
}

// The parts of the page that a server's page has.
const parts = link => [
  link("#/", t("games"), ["", "game", "play", "own", "foreign", "file"]),
  link("#/archive", t("my games"), ["archive"]),
  link("#/analyse/masters-15", t("analyse"), ["analyse"]),
  link("#/truth/masters-15", t("truth"), ["truth"]),
  link("#/watch", t("watch"), ["watch"]),
];

function applyLooks() {
  for (const [name, [usual]] of Object.entries(LOOKS)) document.documentElement.dataset[name] = kept(name, usual);
}

// The frame is seen before the boards are drawn; a page in the background paints nothing and does not wait for it.
const painted = () => Promise.race([new Promise(done => requestAnimationFrame(() => setTimeout(done))), wait(200)]);

// While there is no server nothing on the page can be done; then it is opened anew, since the server has forgotten it.
function showAway() {
  const { isAway } = connection;
  tell(isAway ? t("server away") : "");
  main.inert = isAway;
  if (!isAway && page) route();
}

// Files may be dropped anywhere.
function acceptDrops(take) {
  const { classList } = document.documentElement;
  const act = event => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    classList.toggle("dropping", event.type === "dragover");
    if (event.type === "drop") take(event.dataTransfer.files[0]);
  };
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, act);
}

// On every page "?" says which keys there are.
const tellKeys = ({ key, target }) =>
  key === "?" &&
  !target.closest("input, select, textarea, dialog") &&
  imported(() => import("./share.js")).then(({ showKeys }) => showKeys());

// A report has its data in the page, and no server.
async function packed() {
  const { unpack } = await import("./packed.js"),
    part = id => document.getElementById(id),
    [head, figures] = ["head", "figures"].map(id => [...part(id).childNodes]);
  app.data = { ...unpack(part("facts").textContent, part("lines").textContent), head, figures };
  app.games = app.data.facts.rulesets.map(({ game }) => game).filter(Boolean);
}

async function begin() {
  applyLooks();
  speak(wanted());
  window.addEventListener("hashchange", route);
  document.addEventListener("keydown", tellKeys);
  if (document.getElementById("facts")) return packed().then(route);
  connection.addEventListener("change", showAway);
  watchServer();
  window.addEventListener("unhandledrejection", ({ reason }) =>
    tell(t("engine failed", { reason: reason.message ?? reason }), tryAgain()),
  );
  const asked = Promise.all([fetchJson("/api/about"), fetchJson("/api/games")]);
  frame();
  const [[about, games]] = await Promise.all([asked, painted()]);
  Object.assign(app, { about, games });
  acceptDrops(file => imported(() => import("./files.js")).then(({ take }) => take(file)));
  await route();
}

begin();
