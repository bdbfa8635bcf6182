// What is known of a game: of the catalog, of a ruleset of one's own, or of an engine of somebody else.

import { app } from "./app.js";
import { kept } from "./dom.js";
import { Engine } from "./engine.js";
import { language, t, word } from "./texts.js";

// An engine that is silent so long knows no queries.
const MOST_WAIT_MS = 3000;

export const textOf = game => game.text?.[language] ?? game.text?.en;
// Titles of the catalog in the person's language, where the language file has them.
const told = (key, game) => {
  const found = word(`${key} ${game.name}`);
  return found === `${key} ${game.name}` ? game[key] : found;
};
export const titleOf = game => told("title", game);
export const aboutOf = game => told("about", game);

export const engineName = index => app.about.engines[index]?.name ?? "?";

// A game of the catalog; an own ruleset that the browser keeps and the server has to be told; or one that only the engine
// number `home` knows, which then has to answer queries.
export async function gameOf(name, { own, home } = {}) {
  if (home) return describe({ name, home });
  const known = app.games.find(game => game.name === name);
  if (known && !own) return known;
  const text = kept(`own ${own ?? name}`);
  if (text === null) throw new Error(t("no such game", { name }));
  const { id } = await app.fetchJson("/api/ruleset", {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json" },
  });
  return describe({ ruleset: id, own: own ?? name });
}

// What the catalog says of its games, asked of an engine that knows this one.
export async function describe({ name, home, ruleset, own }) {
  const engine = new Engine({ engine: home, ruleset });
  if (home) engine.set("UCI_Variant", name);
  const ask = async question => (await engine.ask(question)).text;
  const silence = new Promise((_, fail) => setTimeout(fail, MOST_WAIT_MS, new Error("no answer")));
  try {
    const [rules, board, pieces, game] = (
      await Promise.race([silence, Promise.all(["rules", "board", "pieces", "game"].map(ask))])
    ).map(JSON.parse);
    const seats = await Promise.all(Array.from({ length: game.seats }, (_, seat) => ask(`p${seat + 1}name`)));
    return {
      name: rules.name,
      title: rules.title || rules.name,
      family: rules.family,
      about: rules.about ?? "",
      source: rules.source ?? "",
      seats,
      rules,
      board,
      pieces,
      game,
      text: {},
      ruleset,
      own,
      home,
    };
  } finally {
    engine.close();
  }
}
