// Reading the games out of the page and following them on a board. Nothing here touches the document.
"use strict";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT = new Map([...ALPHABET].map((letter, value) => [letter, value]));

// A column holds one item a ply: numbers in base 32, lowest digit first, the last digit of a number from the lower half
// of the alphabet; "." repeats what stood two plies before, "!" announces a mate score.
function unpackColumn(text, read) {
  const items = [];
  let value = 0, place = 1, isMate = false;
  for (const letter of text) {
    if (letter === ".") { items.push(items.length > 1 ? items[items.length - 2] : null); continue; }
    if (letter === "!") { isMate = true; continue; }
    const digit = DIGIT.get(letter);
    value += (digit % 32) * place;
    place *= 32;
    if (digit < 32) { items.push(read(value, isMate)); value = 0; place = 1; isMate = false; }
  }
  return items;
}

const unsigned = value => value === 0 ? null : value - 1;
const signed = value => value % 2 ? -(value + 1) / 2 : value / 2;
const score = (value, isMate) => value === 0 ? null : { mate: isMate, value: signed(value - 1) };

// The head of a game's line: enough to list and to filter it.
function unpackHead(line) {
  const field = line.split(",", 12);
  return {
    game: +field[0], pair: +field[1], round: +field[2], ruleset: +field[3], opening: +field[4],
    seats: field[5].split(".").map(Number), winner: field[6] === "" ? null : +field[6],
    cause: +field[7], reason: +field[8], start: field[9] === "" ? null : +field[9],
    openingPlies: +field[10], plies: +field[11],
  };
}

function unpackGame(line, moveNames) {
  const field = line.split(",");
  return Object.assign(unpackHead(line), {
    notes: field[12] === "" ? [] : field[12].split(".").map(Number),
    corrections: field[13] === "" ? [] : field[13].split(".").map(unpackCorrection),
    moves: unpackColumn(field[14], index => moveNames[index]),
    scores: unpackColumn(field[15], score),
    depths: unpackColumn(field[16], unsigned),
    nodes: unpackColumn(field[17], unsigned),
    tenths: unpackColumn(field[18], unsigned),
    // A digit a ply, "-" for the dice; empty where the board shows who moved.
    movers: [...(field[19] || "")].map(letter => letter === "-" ? null : +letter),
  });
}

// "12Fc5": after 12 plies an F stands on c5; a "-" in place of the letter means that nothing does.
function unpackCorrection(text) {
  const parts = /^(\d+)([-A-Z])([a-z]\d+)$/.exec(text);
  return { ply: +parts[1], piece: parts[2] === "-" ? null : parts[2], point: parts[3] };
}

// The points in the order of position texts: ranks from the top, each from the lowest file up.
function textOrder(board) {
  return [...board.points].sort((a, b) => b.y - a.y || a.x - b.x);
}

function readPosition(text, board, foxes) {
  const pieces = new Map(), points = textOrder(board);
  let next = 0;
  for (const run of text.split(" ")[0].match(/\d+|[A-Za-z]/g)) {
    if (/\d/.test(run)) next += +run;
    else pieces.set(points[next++].name, run.toUpperCase());
  }
  return { pieces, isPlacing: text.includes("phase=place"), foxes };
}

function countFoxes(state) {
  return [...state.pieces.values()].filter(piece => piece === "F").length;
}

// What a move names: origin, landings and what the jumps lead over.
function readPath(text, board) {
  const names = text.match(/[a-z]\d+/g) || [];
  if (names.length < 2 || !/^[a-z]\d+(x?[a-z]\d+)+$/.test(text)) return null;
  const jumps = /\dx[a-z]/.test(text);
  const place = new Map(board.points.map(point => [point.name, point]));
  const over = [];
  for (let i = 1; jumps && i < names.length; i++) {
    const a = place.get(names[i - 1]), b = place.get(names[i]);
    const middle = board.points.find(point => 2 * point.x === a.x + b.x && 2 * point.y === a.y + b.y);
    if (middle) over.push(middle.name);
  }
  return { names, over };
}

// Plays a move on the pieces; tells which points changed and whose move it was ("F", "G" or null).
function playMove(state, text, board) {
  const pieces = state.pieces;
  if (text === "pass") return { from: [], to: [], gone: [], mover: "G" };
  if (text[0] === "@") {
    const mover = state.isPlacing ? "F" : "G";
    pieces.set(text.slice(1), mover);
    if (countFoxes(state) >= state.foxes) state.isPlacing = false;
    return { from: [], to: [text.slice(1)], gone: [], mover };
  }
  if (text[0] === "~") {
    pieces.delete(text.slice(1));
    return { from: [], to: [], gone: [text.slice(1)], mover: "G" };
  }
  const path = readPath(text, board);
  if (!path) return { from: [], to: [], gone: [], mover: null };
  const from = path.names[0], to = path.names[path.names.length - 1], piece = pieces.get(from);
  for (const point of path.over) pieces.delete(point);
  pieces.delete(from);
  if (piece) pieces.set(to, piece);
  return { from: [from], to: path.names.slice(1), gone: path.over, mover: piece || null };
}

// The pieces after every ply, the start first, each with what the move changed.
function followGame(game, ruleset, start) {
  const state = readPosition(start, ruleset.board, ruleset.foxes);
  const frames = [{ pieces: new Map(state.pieces), change: null }];
  game.moves.forEach((text, index) => {
    const change = playMove(state, text, ruleset.board);
    for (const correction of game.corrections.filter(each => each.ply === index + 1)) {
      if (correction.piece) state.pieces.set(correction.point, correction.piece);
      else { state.pieces.delete(correction.point); change.gone.push(correction.point); }
    }
    frames.push({ pieces: new Map(state.pieces), change });
  });
  return frames;
}

// The seat that made each move, null for the dice: as told, else of the side whose piece moved, else in turn.
function moversOf(game, frames, ruleset) {
  if (game.movers.length > 0) return game.movers;
  const seatOf = letter => ruleset.seats.findIndex(seat => seat.role === (letter === "F" ? "fox" : "geese"));
  const movers = [];
  for (let i = 0; i < game.moves.length; i++) {
    const letter = frames && frames[i + 1].change.mover;
    const seat = letter ? seatOf(letter) : -1;
    movers.push(seat >= 0 ? seat : i === 0 ? 0 : (movers[i - 1] + 1) % game.seats.length);
  }
  return movers;
}

// The placement part of a position text, for whoever copies it or cannot see the board.
function placementText(pieces, board) {
  const rows = [];
  let y = null, row = "", empty = 0;
  const flush = () => { if (empty) row += empty; empty = 0; };
  for (const point of textOrder(board)) {
    if (y !== null && point.y !== y) { flush(); rows.push(row); row = ""; }
    y = point.y;
    const piece = pieces.get(point.name);
    if (piece) { flush(); row += piece; } else empty++;
  }
  flush();
  rows.push(row);
  return rows.join("/");
}
