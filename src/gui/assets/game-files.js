// What files hold: a ruleset, or games of a PGN-like file or of a tournament's journal.

import { namesOf } from "./games.js";
import { post } from "./server.js";
import { t } from "./texts.js";
import { Tree } from "./tree.js";

const RESULTS = { p1win: "1-0", p2win: "0-1", draw: "1/2-1/2" };

// {ruleset: text} or {games: [{title, variant, rules, result, players, end, read()}]}: `variant` null where the file does not
// say, `rules` where it has them whole, `read()` the moves as a tree. Fails where no game is found.
export async function readFile(file) {
  const text = await file.text();
  if (text.includes("\0")) throw new Error(t("file no text"));
  const [line] = text.trimStart().split("\n", 1),
    first = json(line),
    whole = first?.version ? null : json(text);
  if (whole && !whole.moves && !Array.isArray(whole)) return { ruleset: text };
  const games = first?.version ? ofJournal(text) : whole ? [] : await ofText(await file.arrayBuffer());
  if (games.length === 0) throw new Error(t("file no games"));
  return { games };
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// One line of moves as a tree.
export function lineTree(start, moves) {
  const tree = new Tree(start ?? null);
  for (const move of moves) tree.play(move);
  tree.node = tree.root;
  return tree;
}

// How a game has ended, as tables keep it.
export const endOf = ({ winner, reason }) => ({ result: winner === null ? "draw" : `p${winner + 1}win`, reason });

function ofJournal(text) {
  const [{ rulesets, engines }, ...games] = text.split("\n").map(json).filter(Boolean);
  return games
    .filter(({ fixture, moves }) => fixture && moves)
    .map(({ fixture, opening, moves, ending }) => {
      const names = fixture.seats.map(engine => engines[engine]),
        ruleset = rulesets[fixture.ruleset];
      return {
        title: `${fixture.game}: ${names.join(" – ")}`,
        variant: ruleset.label,
        rules: ruleset.rules,
        result: [names[ending.winner] ?? "½", ending.reason].filter(Boolean).join(": "),
        players: names,
        end: endOf(ending),
        read: () => lineTree(opening.start, [...opening.moves, ...moves.map(([move]) => move)]),
      };
    });
}

// The games of a PGN-like text, which the server reads as the engine's tournaments do.
export async function ofText(body) {
  const { games } = await post("/api/pgn", body);
  return games.map(({ tags, movetext }) => {
    const tag = new Map(tags),
      players = [tag.get("White"), tag.get("Black")],
      [result] = Object.entries(RESULTS).find(([, text]) => text === tag.get("Result")) ?? [];
    return {
      title: [tag.get("Game") ?? tag.get("Round"), players.filter(Boolean).join(" – ")].filter(Boolean).join(": "),
      variant: tag.get("Variant") ?? null,
      result: [tag.get("Result"), tag.get("Reason")].filter(Boolean).join(": "),
      start: tag.get("FEN") ?? null,
      hasTags: tags.length > 0,
      players: players.some(Boolean) ? players : null,
      end: result ? { result, reason: tag.get("Reason") ?? "" } : null,
      read: (start = tag.get("FEN")) => Tree.of(movetext, start),
    };
  });
}

// A game that the browser keeps as PGN, with the position that it began with where that is not the start, and all variations.
export function pgnOf({ variant, tree: kept, outcome, date = Date.now(), ...game }) {
  const tree = Tree.load(kept),
    [first, second] = namesOf(game);
  const tags = {
    Event: "reynard",
    Date: new Date(date).toISOString().slice(0, 10).replaceAll("-", "."),
    White: first,
    Black: second,
    Variant: variant,
    FEN: tree.start,
    Result: RESULTS[outcome?.result] ?? "*",
    Reason: outcome?.reason,
  };
  const lines = Object.entries(tags)
    .filter(([, value]) => value)
    .map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`);
  return `${lines.join("\n")}\n\n${tree.text()} ${tags.Result}\n`;
}
