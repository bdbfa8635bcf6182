// The list of games with its filters, and the board on which one of them is played through.
"use strict";

const byId = id => document.getElementById(id);
const PAGE = 100;
const PLAY_MS = 700;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Shapes live in the namespace of the drawing that the page already has.
function shape(name, attributes, ...children) {
  const made = document.createElementNS(byId("board").namespaceURI, name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const facts = JSON.parse(byId("facts").textContent);
const lines = byId("lines")
  .textContent.split("\n")
  .filter(line => line !== "");
const heads = lines.map(unpackHead);
const view = {
  list: heads.map((_, i) => i),
  page: 0,
  index: -1,
  ply: 0,
  isFlipped: false,
  isAsked: false,
  timer: null,
};

const seatLabel = (head, seat) => {
  const ruleset = facts.rulesets[head.ruleset];
  return `${facts.engines[head.seats[seat]]} (${ruleset.seats[seat].name})`;
};
const namesText = head => head.seats.map((_, seat) => seatLabel(head, seat)).join(" – ");
const resultText = head => (head.winner === null ? "½–½" : head.winner === 0 ? "1–0" : "0–1");

// Filters.

function fillSelect(id, texts) {
  byId(id).append(...texts.map((text, value) => element("option", { value }, text)));
}

function matches(head) {
  const chosen = id => byId(id).value;
  const engine = chosen("by-engine"),
    seat = chosen("by-seat"),
    result = chosen("by-result");
  if (chosen("by-ruleset") !== "" && head.ruleset !== +chosen("by-ruleset")) return false;
  if (chosen("by-reason") !== "" && head.reason !== +chosen("by-reason")) return false;
  if (byId("by-number").value !== "" && head.game !== +byId("by-number").value) return false;
  const roleOf = index => facts.rulesets[head.ruleset].seats[index].role;
  const seats = head.seats
    .map((_, index) => index)
    .filter(
      index =>
        (engine === "" || head.seats[index] === +engine) && (seat === "" || roleOf(index) === facts.roles[+seat]),
    );
  if (seats.length === 0) return false;
  if (result === "") return true;
  if (result === "draw") return head.winner === null;
  if (head.winner === null) return false;
  return seats.includes(result === "win" ? head.winner : 1 - head.winner);
}

function filter() {
  view.list = [];
  heads.forEach((head, index) => {
    if (matches(head)) view.list.push(index);
  });
  view.page = 0;
  showList();
}

function showList() {
  const pages = Math.max(1, Math.ceil(view.list.length / PAGE));
  const shown = view.list.slice(view.page * PAGE, (view.page + 1) * PAGE);
  byId("list").replaceChildren(
    ...shown.map(index => {
      const head = heads[index];
      const button = element(
        "button",
        { type: "button", "data-index": index },
        element("span", { class: "number" }, `Game ${head.game}`),
        element("span", { class: "names" }, namesText(head)),
        element("span", { class: "result" }, resultText(head)),
        element("span", { class: "reason" }, `${facts.reasons[head.reason]}, ${head.plies} plies`),
      );
      if (index === view.index) button.setAttribute("aria-current", "true");
      return element("li", {}, button);
    }),
  );
  byId("list").scrollTop = 0;
  byId("count").textContent = `${view.list.length} of ${heads.length} games, page ${view.page + 1} of ${pages}`;
  byId("page-back").disabled = view.page === 0;
  byId("page-on").disabled = view.page + 1 >= pages;
}

// One game.

function open(index, ply) {
  stop();
  const head = heads[index];
  const ruleset = facts.rulesets[head.ruleset];
  const game = unpackGame(lines[index], ruleset);
  const frames = ruleset.board && follow(game.start === null ? ruleset.pieces : facts.starts[game.start], game.plies);
  Object.assign(view, { index, game, ruleset, frames });
  byId("game-title").textContent = `Game ${game.game}: ${namesText(game)}  ${resultText(game)}`;
  byId("game-about").textContent = [
    ruleset.label,
    `pair ${game.pair}`,
    `opening ${game.opening}`,
    `${facts.causes[game.cause]}: ${facts.reasons[game.reason]}`,
  ].join(" · ");
  byId("slider").max = game.plies.length;
  for (const button of byId("list").querySelectorAll("button")) {
    if (+button.dataset.index === index) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  byId("drawing").hidden = !frames;
  byId("no-board").hidden = !!frames;
  if (frames) drawBoard();
  fillMoves();
  drawGraph();
  byId("next-mistake").disabled = game.mistakes.length === 0;
  go(Math.min(ply, game.plies.length));
}

function fillMoves() {
  const game = view.game;
  byId("moves").replaceChildren(
    ...game.plies.map(({ text, seat }, index) => {
      const opinion = game.scores[index - game.openingPlies];
      const at = index - game.openingPlies,
        isBook = at < 0;
      const cell = value => element("td", {}, value);
      const isMistake = game.mistakes.includes(index + 1);
      const button = element("button", { type: "button", "data-ply": index + 1 }, isMistake ? `${text} ??` : text);
      if (isMistake) {
        button.setAttribute("class", "mistake");
        button.setAttribute("title", "gave away game value");
      }
      return element(
        "tr",
        {},
        cell(String(index + 1)),
        cell(sideName(seat)),
        element("td", {}, button),
        cell(isBook ? "opening" : scoreText(opinion)),
        cell(isBook ? "" : plain(game.depths[at])),
        cell(isBook ? "" : timeText(game.tenths[at])),
        cell(isBook ? "" : plain(game.nodes[at])),
      );
    }),
  );
}

const GRAPH = { width: 400, height: 80 };

function drawGraph() {
  const { game } = view,
    points = evaluation(game);
  const x = ply => (GRAPH.width * ply) / game.plies.length,
    y = value => (GRAPH.height * (1 - 0.94 * value)) / 2;
  const line = (kind, from, to) => shape("line", { class: kind, x1: from, x2: to, y1: 0, y2: GRAPH.height });
  byId("graph").replaceChildren(
    shape("line", { class: "zero", x1: 0, x2: GRAPH.width, y1: y(0), y2: y(0) }),
    ...game.mistakes.map(ply => line("mistake", x(ply), x(ply))),
    shape("polyline", {
      class: "curve",
      points: points.map(({ ply, value }) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
    }),
    line("bound", 0, 0),
  );
  byId("graph").style.display = points.length === 0 ? "none" : "";
}

function showInGraph() {
  const place = (GRAPH.width * view.ply) / view.game.plies.length;
  for (const end of ["x1", "x2"]) byId("graph").lastChild.setAttribute(end, place);
}

const sideName = seat => (seat === null ? "dice" : view.ruleset.seats[seat].name);
const plain = value => (value === null || value === undefined ? "" : value.toLocaleString("en"));

// From tenths of a millisecond.
function timeText(tenths) {
  if (tenths === null || tenths === undefined) return "";
  return tenths < 10000 ? `${(tenths / 10).toFixed(1)} ms` : `${(tenths / 10000).toFixed(2)} s`;
}

function scoreText(opinion) {
  if (!opinion) return "";
  if (opinion.mate) return `#${opinion.value}`;
  return `${opinion.value < 0 ? "−" : "+"}${(Math.abs(opinion.value) / 100).toFixed(2)}`;
}

function go(ply) {
  if (view.index < 0) return;
  view.ply = Math.max(0, Math.min(ply, view.game.plies.length));
  byId("slider").value = view.ply;
  byId("ply").textContent = `${view.ply} / ${view.game.plies.length}`;
  const rows = byId("moves").children;
  for (const row of byId("moves").querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  if (view.ply > 0) {
    const row = rows[view.ply - 1],
      box = byId("moves-box");
    row.setAttribute("aria-current", "step");
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  } else byId("moves-box").scrollTop = 0;
  for (const [id, isEnd] of [
    ["first", view.ply === 0],
    ["back", view.ply === 0],
    ["on", view.ply === view.game.plies.length],
    ["last", view.ply === view.game.plies.length],
  ])
    byId(id).disabled = isEnd;
  if (view.frames) drawPieces();
  showInGraph();
  remember();
}

// The address names the ply that is shown, so that it can be kept; browsers may refuse that to a local file. The game
// that is open before anybody has asked for one is not named: the address may lead to another part of the page.
function remember() {
  if (!view.isAsked) return;
  try {
    history.replaceState(null, "", `#game=${view.game.game}&ply=${view.ply}`);
  } catch (refused) {
    /* as it was */
  }
}

function stop() {
  clearInterval(view.timer);
  view.timer = null;
  byId("play").textContent = "Play";
}

function playOrStop() {
  if (view.timer) return stop();
  if (view.ply === view.game.plies.length) go(0);
  byId("play").textContent = "Stop";
  view.timer = setInterval(() => {
    go(view.ply + 1);
    if (view.ply === view.game.plies.length) stop();
  }, PLAY_MS);
}

// The board.

function drawBoard() {
  view.layout = boardLayout(view.ruleset.board, view.isFlipped);
  byId("board").setAttribute("viewBox", view.layout.view);
  byId("ground").innerHTML = groundMarkup(view.layout);
}

const pieceName = piece => (piece.owner === null ? piece.kind : `${piece.kind} of ${sideName(piece.owner)}`);

function drawPieces() {
  const pieces = [...view.frames[view.ply]],
    last = view.game.plies[view.ply - 1];
  byId("marks").innerHTML = last && last.change ? marksMarkup(view.layout, last.change) : "";
  const each = pieces.flatMap(([point, stack]) => stack.map(piece => ({ ...piece, point, count: 1 })));
  byId("pieces").innerHTML = piecesMarkup(view.layout, each, sideName);
  const said = pieces.map(([point, stack]) => `${point} ${stack.map(pieceName).join(", ")}`);
  byId("board").setAttribute("aria-label", `Board after ply ${view.ply}: ${said.join("; ")}`);
  byId("said").textContent = last ? `Ply ${view.ply}: ${sideName(last.seat)} ${last.text}` : "Start position";
}

// Listening.

function keys(event) {
  if (view.index < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const ways = { ArrowLeft: view.ply - 1, ArrowRight: view.ply + 1, Home: 0, End: view.game.plies.length };
  if (!(event.key in ways)) return;
  event.preventDefault();
  stop();
  go(ways[event.key]);
}

function listen() {
  for (const id of ["by-engine", "by-seat", "by-result", "by-reason", "by-ruleset", "by-number"])
    byId(id).addEventListener("input", filter);
  byId("filters").addEventListener("submit", event => event.preventDefault());
  byId("filters").addEventListener("reset", () => setTimeout(filter));
  byId("page-back").addEventListener("click", () => {
    view.page--;
    showList();
  });
  byId("page-on").addEventListener("click", () => {
    view.page++;
    showList();
  });
  byId("list").addEventListener("click", event => {
    const button = event.target.closest("button");
    if (button) open(+button.dataset.index, 0);
  });
  byId("moves").addEventListener("click", event => {
    const row = event.target.closest("tr");
    if (row) {
      stop();
      go(+row.querySelector("button").dataset.ply);
    }
  });
  byId("first").addEventListener("click", () => {
    stop();
    go(0);
  });
  byId("back").addEventListener("click", () => {
    stop();
    go(view.ply - 1);
  });
  byId("on").addEventListener("click", () => {
    stop();
    go(view.ply + 1);
  });
  byId("last").addEventListener("click", () => {
    stop();
    go(view.game.plies.length);
  });
  byId("play").addEventListener("click", playOrStop);
  byId("slider").addEventListener("input", () => {
    stop();
    go(+byId("slider").value);
  });
  byId("flip").addEventListener("click", () => {
    view.isFlipped = !view.isFlipped;
    byId("flip").setAttribute("aria-pressed", view.isFlipped);
    if (view.frames) {
      drawBoard();
      drawPieces();
    }
  });
  byId("next-mistake").hidden = !facts.isJudged;
  byId("next-mistake").addEventListener("click", () => {
    stop();
    go(nextMistake(view.game, view.ply));
  });
  byId("graph").addEventListener("click", event => {
    const { left, width } = byId("graph").getBoundingClientRect();
    stop();
    go(Math.round(((event.clientX - left) / width) * view.game.plies.length));
  });
  byId("games").addEventListener("keydown", keys);
}

function begin() {
  fillSelect("by-engine", facts.engines);
  fillSelect("by-seat", facts.roles);
  fillSelect("by-reason", facts.reasons);
  fillSelect(
    "by-ruleset",
    facts.rulesets.map(ruleset => ruleset.label),
  );
  listen();
  showList();
  const wanted = /^#game=(\d+)&ply=(\d+)$/.exec(location.hash);
  const found = wanted ? heads.findIndex(head => head.game === +wanted[1]) : -1;
  byId("viewer").hidden = heads.length === 0;
  if (heads.length > 0) open(found < 0 ? 0 : found, found < 0 ? 0 : +wanted[2]);
  view.isAsked = true;
  if (found >= 0) byId("viewer").scrollIntoView();
}

begin();
