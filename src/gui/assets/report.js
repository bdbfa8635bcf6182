// What a run says: the verdict, the results of each side, its games, and folded what the program writes of it.

import { fill, h } from "./dom.js";
import { gameList, makeSortable } from "./game-list.js";
import { catalogued, nameOf } from "./games.js";
import { runAddress } from "./page.js";
import { reasonText, sideText } from "./telling.js";
import { dayText, number, sentence, t, translate, word } from "./texts.js";

// "12½".
const half = points => `${Math.floor(points) || (points % 1 ? "" : 0)}${points % 1 ? "½" : ""}`;
// Certainty has no number.
const percent = share => (share > 0.999 ? `> ${number(99.9)} %` : `${number(100 * share, 1)} %`);

export function reportOf() {
  const verdict = h(".verdict"),
    header = h("header"),
    sides = h("section.sides", { "aria-label": t("per side") }),
    list = listOfGames(),
    folded = h("section", { "aria-label": t("figures") }),
    // How each table is sorted, by its caption.
    sorted = {};
  return { elements: [header, sides, list.element, folded], update, listGames };

  // `head` and `figures` are what the program has written, as HTML or as nodes of the page.
  function update(state) {
    const { standings, expected, head, figures } = state;
    if (rewrite(header, head)) {
      translate(header, named);
      for (const time of header.querySelectorAll("time")) time.textContent = dayText(time.dateTime);
      // What weakens the verdict stands below it.
      header.children[1]?.after(verdict);
    }
    const wasOpen = new Map([...folded.querySelectorAll("details")].map(part => [titleOf(part), part.open])),
      known = standings?.games > 0;
    if (rewrite(folded, figures)) {
      for (const cell of folded.querySelectorAll("td.ruleset")) {
        const ruleset = (cell.written ??= cell.textContent),
          reason = titleOf(cell.closest("details")) === "Endings" && cell.nextElementSibling;
        if (reason) reason.textContent = endingText({ ruleset, reason: reason.textContent, cause: "by the rules" });
        cell.textContent = nameOf(sentence(ruleset));
      }
      if (folded.textContent.includes("n/a")) folded.append(h("p.quiet", t("about n/a")));
      translate(folded);
      // Of a tuning the figures are all that there is: they stand before its games.
      list.element[known ? "after" : "before"](folded);
      const ranking = folded.querySelector("h2 + details");
      for (const part of folded.querySelectorAll("details"))
        part.open = wasOpen.get(titleOf(part)) ?? (part.open || !known || part === ranking);
      for (const table of folded.querySelectorAll("table.sorted"))
        makeSortable(table, (sorted[titleOf(table.closest("details"))] ??= {}));
    }
    const text = verdictText(state);
    fill(verdict, [
      text && isOpen(state) && h("p.so-far", soFar(standings, expected ?? "?")),
      text && h("p", { "data-verdict": "" }, text),
      text.includes("LOS") && h("p.quiet", t("about los")),
    ]);
    fill(sides, known && [h("h2", t("per side")), bars(standings), ratings(standings)]);
  }

  // `games` as the server lists them, of a run with `rulesets`, which name the sides; of a report it has no name. One of a
  // tuning, with its `trace`, has the games of the final match alone.
  function listGames(games, { rulesets = [], name, trace } = {}) {
    list.element.firstChild.textContent = t(trace ? "final games" : "finished games");
    const seats = new Map(rulesets.map(({ label, seats }) => [label, seats.map(({ name }) => name)])),
      sided = game => ({ ...game, sides: seats.get(game.ruleset) ?? [], href: gameAddress(name, game.game) });
    list.element.hidden = games.length === 0;
    list.update(games.map(sided));
  }
}

// That of a game of a run or of a report; people count from 1.
export const gameAddress = (run, number, kind = "game") =>
  run ? `${runAddress(run)}/${kind}-${+number + 1}` : `#/record/${+number + 1}`;

// A ruleset in front of what is said of it.
const named = text => text.replace(/^[\w-]+(?=: )/, nameOf);
const titleOf = part => part.querySelector("summary").textContent;
// Fills a place anew, if it has other contents; they come from this program, with all texts of others escaped.
function rewrite(place, content = "") {
  if (content === place.written) return false;
  place.written = content;
  if (typeof content === "string") place.innerHTML = content;
  else fill(place, content);
  return true;
}

// How far it is; of two engines the score is that of whole pairs.
function soFar({ games: n, engines, ranking }, of) {
  const { pairs } = engines[ranking[0]].overall.results,
    whole = 2 * pairs.reduce((sum, n) => sum + n, 0);
  return t(engines.length === 2 && whole < n ? "so far pairs" : "so far", { n, of, whole });
}

// Whether games are missing. A test ends when it has decided.
const isOpen = ({ running, standings, expected }) =>
  running || !standings?.games || (standings.games < expected && !standings.sprt_verdict?.decision);

// "" before the first game, and of a tuning.
export function verdictText(state) {
  const { standings } = state;
  if (!standings?.games) return "";
  const { engines, ranking } = standings,
    [first, ...others] = ranking.map(index => engines[index]),
    // Who has not played yet is behind nobody.
    second = others.find(({ overall }) => overall.results.games > 0),
    { games, estimate } = first.overall.results,
    isLead = isOpen(state),
    // Half a pair tells the sides apart, not the engines: while more games come only whole ones count.
    isByPairs = isLead && engines.length === 2,
    ofPairs = pairs => pairs.reduce((sum, n, halves) => sum + (n * halves) / 2, 0),
    pointsOf = ({ overall: { results } }) => (isByPairs ? ofPairs(results.pairs) : results.points),
    [points, behind] = [first, second].map(pointsOf);
  const score = `${half(points)}\u00a0:\u00a0${half(behind)}`,
    values = { a: first.name, b: second.name, points: half(points), games, score },
    los = estimate.los === null ? "" : `, LOS ${percent(estimate.los)}`;
  if (engines.length > 2) return t(isLead ? "verdict leads of" : "verdict first of", values);
  if (points + behind === 0) return "";
  if (points === behind) return t("verdict drawn", values);
  if (isLead) return t("verdict leads", values) + los;
  // Where every game was won there is no likelihood, but a bound.
  return t((estimate.los ?? +(estimate.wilson_elo_low > 0)) < 0.95 ? "verdict chance" : "verdict beat", values) + los;
}

// In short, with what the signs mean: of two engines that against each other.
function ratings({ engines, ranking }) {
  const isTwo = engines.length === 2,
    { elo, elo_error: error } = engines[ranking[0]].overall.results.estimate,
    eloOf = ({ name, rating }) => ({ name, ...(isTwo ? { elo, error } : rating) }),
    rated = ranking.map(index => eloOf(engines[index])).slice(0, isTwo ? 1 : undefined),
    known = rated.filter(({ elo, error }) => Number.isFinite(elo) && Number.isFinite(error)),
    signed = value => (value < 0 ? "−" : "+") + number(Math.abs(value), 0),
    text = ({ name, elo, error }) => h("span", h("b", name), ` ${signed(elo)} ± ${number(error, 0)}`);
  return known.length > 0 && [h("p.ratings", known.map(text)), h("p.quiet", t(isTwo ? "about elo" : "about ratings"))];
}

// What each side of a ruleset won, whatever engine it was.
function sidesText({ seats, favoured_seat: best, sides }) {
  const [a, b] = [seats[best], seats[1 - best]].map(([, side]) => sideText(side));
  return sides.wins + sides.losses === 0 ? t("verdict all drawn") : t("verdict side", { a, b, ...sides });
}

// Of each ruleset by itself: sides of different games have nothing in common.
function bars({ engines, ranking, rulesets }) {
  const bar = (name, seats, { role, wins, draws, losses, points, games }) => {
    const said = t("won drawn lost", { wins, draws, losses }),
      counts = { won: wins, drawn: draws, lost: losses };
    const part = ([kind, n]) => {
      const made = h("i", { class: kind }, n > 0 && n);
      made.style.flexGrow = n;
      return made;
    };
    return h("li", [
      h("span", `${name}, ${word(seats.find(([of]) => of === role)[1])}`),
      h("span.bar", { role: "img", "aria-label": said, title: said }, Object.entries(counts).map(part)),
      h("b", `${half(points)} / ${games}`),
    ]);
  };
  const rows = ({ name, by_ruleset: all }, index, seats) =>
    all.find(({ ruleset }) => ruleset === index)?.slice.roles.map(role => bar(name, seats, role)) ?? [];
  const key = ["won", "drawn", "lost"].map(kind => h(`span.${kind}`, t(`by ${kind}`)));
  const group = (ruleset, index) =>
    ruleset.games > 0 && [
      rulesets.length > 1 && h("h3", nameOf(sentence(ruleset.label))),
      h("p", sidesText(ruleset)),
      h("ol.bars", ...ranking.map(each => rows(engines[each], index, ruleset.seats))),
    ];
  return [rulesets.map(group), h("p.key.quiet", key)];
}

// Words that several games share, and how they are said on the board.
const ending = ({ cause, reason }) => (cause === "by the rules" ? reason : cause);
const endingText = game => reasonText(catalogued(game.ruleset), ending(game));

export const resultOf = ({ winner }) => ["1 : 0", "0 : 1", "½ : ½"][winner ?? 2];

// The games of a run, which `update` names with their sides; each leads to its board.
function listOfGames() {
  const player = (game, seat) => [
    h(game.winner === seat ? "b" : "span", game.engines[seat]),
    game.sides[seat] && h("small", ` ${word(game.sides[seat])}`),
  ];
  const link = game => h("a", { href: game.href, "data-archive": game.game }, player(game, 0), " – ", player(game, 1));
  const list = gameList({
    columns: [
      [sentence("Game"), ({ game }) => game + 1],
      [t("players"), ({ engines }) => engines.join(" – "), link],
      [t("by result"), resultOf],
      [t("length"), ({ plies }) => plies, ({ plies }) => t("n plies", { n: plies })],
      [t("by ending"), endingText],
      [t("by ruleset"), ({ ruleset }) => nameOf(ruleset)],
    ],
    choices: game => ({
      engine: game.engines.map(name => [name, name]),
      side: game.sides.map(name => [name, word(name)]),
      result: ["won", "drawn", "lost"].map(name => [name, t(`by ${name}`)]),
      ending: [[ending(game), endingText(game)]],
      ruleset: [[game.ruleset, nameOf(game.ruleset)]],
    }),
    isChosen,
    // So many do not hide what is below them.
    most: 12,
    textOf: game =>
      [...game.engines, ...game.sides.map(name => word(name)), endingText(game), nameOf(game.ruleset)]
        .join(" ")
        .toLowerCase(),
  });
  list.element.prepend(h("h2"));
  list.element.hidden = true;
  return list;
}

// What is wished of an engine, a side and a result is wished of one of the two.
function isChosen(game, { engine, side, result, ruleset, ending: end }) {
  const resultFor = seat => (game.winner === null ? "drawn" : game.winner === seat ? "won" : "lost"),
    facts = seat => [game.engines[seat], game.sides[seat], resultFor(seat), game.ruleset, ending(game)],
    wishes = [engine, side, result, ruleset, end];
  return [0, 1].some(seat => facts(seat).every((fact, index) => !wishes[index] || fact === wishes[index]));
}
