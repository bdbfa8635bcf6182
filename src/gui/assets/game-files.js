// What files hold: a ruleset, or games of a PGN-like file or of a tournament's journal.

import { Tree } from "./tree.js";

// {ruleset: text} or {games: [{title, variant, rules, result, read()}]}: `variant` null where the file does not say,
// `rules` where it has them whole, `read()` the moves as a tree. Fails where no game is found.
export function readFile(text) {
  if (text.includes("\0")) throw new Error("no text");
  const [line] = text.trimStart().split("\n", 1),
    first = json(line),
    whole = first?.version ? null : json(text);
  if (whole?.moves) throw new Error("no games");
  if (whole && !Array.isArray(whole)) return { ruleset: text };
  const games = first?.version ? ofJournal(text) : ofPgn(text);
  if (games.length === 0) throw new Error("no games");
  return { games };
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const records = text => text.split("\n").map(json).filter(Boolean);

// One line of moves as a tree.
export function lineTree(start, moves) {
  const tree = new Tree(start ?? null);
  for (const move of moves) tree.play(move);
  tree.node = tree.root;
  return tree;
}

const result = (winner, names, reason) => [winner === null ? "½" : names[winner], reason].filter(Boolean).join(": ");

function ofJournal(text) {
  const [{ rulesets, engines }, ...games] = records(text);
  return games
    .filter(({ fixture, moves }) => fixture && moves)
    .map(({ fixture, opening, moves, ending }) => {
      const names = fixture.seats.map(engine => engines[engine]),
        ruleset = rulesets[fixture.ruleset];
      return {
        title: `${fixture.game}: ${names.join(" – ")}`,
        variant: ruleset.label,
        rules: ruleset.rules,
        result: result(ending.winner, names, ending.reason),
        read: () => lineTree(opening.start, [...opening.moves, ...moves.map(([move]) => move)]),
      };
    });
}

// The tags of the first game of a PGN-like text, by name.
export const tagsOf = text =>
  new Map(
    [.../^\s*((?:\[[^\]]*\]\s*)*)/.exec(text)[1].matchAll(/^\[(\w+) "([^"]*)"\]/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

// The first game of a PGN-like text.
export const ofText = text => ofPgn(text)[0];

// Tags behind moves begin a new game.
function ofPgn(text) {
  const games = [];
  let hasMoves = true;
  for (const line of text.split("\n")) {
    const isTag = /^\[\w+ "/.test(line);
    if (games.length === 0 || (isTag && hasMoves)) games.push("");
    hasMoves = !isTag && (hasMoves || line.trim() !== "");
    games[games.length - 1] += `${line}\n`;
  }
  return games
    .filter(game => Tree.parse(game).root.children.length > 0)
    .map(game => {
      const tags = tagsOf(game),
        tag = name => tags.get(name),
        players = [tag("White"), tag("Black")].filter(Boolean).join(" – ");
      return {
        title: [tag("Game") ?? tag("Round"), players].filter(Boolean).join(": "),
        variant: tag("Variant") ?? null,
        result: [tag("Result"), tag("Reason")].filter(Boolean).join(": "),
        read: () => Tree.parse(game),
      };
    });
}

const RESULTS = { p1win: "1-0", p2win: "0-1", draw: "1/2-1/2" };

// A game as PGN, with the position that it began with where that is not the start, and all variations.
export function writePgn(variant, tree, { players, result, reason, date = new Date() }) {
  const tags = {
    Event: "reynard",
    Date: date.toISOString().slice(0, 10).replaceAll("-", "."),
    White: players[0],
    Black: players[1],
    Variant: variant,
    FEN: tree.start,
    Result: RESULTS[result] ?? "*",
    Reason: reason,
  };
  const lines = Object.entries(tags)
    .filter(([, value]) => value)
    .map(([name, value]) => `[${name} "${value.replaceAll('"', "'")}"]`);
  return `${lines.join("\n")}\n\n${tree.text()} ${tags.Result}\n`;
}
