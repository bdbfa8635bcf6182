// A list of games: found by words and by choices, sorted by a column, a hundred at a time. Other tables are sorted as it is.

import { button, fill, h, select } from "./dom.js";
import { decimalMark, t } from "./texts.js";

const MOST_LISTED = 100;

// The number that a cell has or begins with, as the language writes it; a bound, "> +147.0", counts as its number.
function numberIn(cell) {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
  const text = String(cell ?? "").replaceAll(decimalMark === "." ? "," : ".", ""),
    found = /^(?:[<>] )?([+-]?\d+(?:\.\d+)?)/.exec(text.replace(",", ".").replace("−", "-").replace("±", ""));
  return found && +found[1];
}

// Numbers by size, before words in the order of the alphabet; what does not exist stands at the end.
export function compareCells(a, b) {
  const [x, y] = [a, b].map(numberIn);
  if (x !== null && y !== null && x !== y) return y - x;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return `${a}` < `${b}` ? -1 : `${a}` > `${b}` ? 1 : 0;
}

// Makes the heads of columns buttons that sort by them: the greatest first, at the second click the least. `cell(row, column)`
// is sorted by, `show(compare)` called with the order of the rows, which `chosen` {column, sense} remembers.
function sortable(heads, cell, show, chosen) {
  const sort = (column, sense) => {
    Object.assign(chosen, { column, sense });
    heads.forEach(other => other.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", sense > 0 ? "descending" : "ascending");
    show((a, b) => sense * compareCells(cell(a, column), cell(b, column)));
  };
  heads.forEach((head, column) => {
    const choose = () => sort(column, chosen.column === column ? -chosen.sense : 1);
    if (head.textContent) fill(head, button(head.textContent, choose));
  });
  if ("column" in chosen) sort(chosen.column, chosen.sense);
}

export function makeSortable({ tHead, tBodies: [body] }, chosen = {}) {
  const text = (row, column) => row.cells[column].textContent;
  sortable([...tHead.rows[0].cells], text, compare => body.append(...[...body.rows].sort(compare)), chosen);
}

export class GameList {
  games = [];
  found = [];
  #wish = {};

  // `columns` are [name, value(game), cell(game)]: what is sorted by, and what is shown where that is more. `choices(game)`
  // are the texts by which a game is chosen, by the names of the choices; `isChosen(game, wish)` where not any of them
  // will do. `textOf(game)` is searched for words, `attributes(game)` are those of its row; `most` are shown at first.
  constructor({ columns, choices, isChosen, textOf, attributes = () => ({}), actions = [], most = MOST_LISTED }) {
    Object.assign(this, { columns, choices, isChosen, textOf, attributes, most, shown: most });
    this.selects = h("span.filters");
    this.status = h("p.quiet", { "aria-live": "polite", "data-found": "" });
    this.rows = h("tbody");
    this.more = button(t("more games"), () => ((this.shown += MOST_LISTED), this.#show()));
    const heads = columns.map(([name]) => h("th", { scope: "col" }, name)),
      find = ({ target }) => this.#choose("words", target.value.toLowerCase()),
      search = { type: "search", name: "search", "aria-label": t("search"), placeholder: t("search"), oninput: find },
      value = (game, column) => columns[column][1](game);
    sortable(heads, value, order => this.#show(order), {});
    this.element = h("section.games", [
      h(".actions", [textOf && h("input", search), this.selects, actions]),
      this.status,
      h(".wide", h("table.grid", h("thead", h("tr", heads)), this.rows)),
      this.more,
    ]);
  }

  update(games) {
    this.games = games;
    this.#offer();
    this.#show();
  }

  // The choices that the games give, as often as these change.
  #offer() {
    if (!this.choices) return;
    const all = new Map();
    for (const game of this.games)
      for (const [name, texts] of Object.entries(this.choices(game)))
        all.set(name, new Map([...(all.get(name) ?? []), ...texts]));
    const key = JSON.stringify([...all].map(([name, texts]) => [name, [...texts]]));
    if (key === this.offered) return;
    this.offered = key;
    const choice = ([name, texts]) =>
      select(t(`by ${name}`), [["", t("any")], ...texts], this.#wish[name], value => this.#choose(name, value), {
        name: `by-${name}`,
      });
    fill(this.selects, [...all].map(choice));
  }

  #choose(name, value) {
    this.#wish[name] = value;
    this.shown = this.most;
    this.#show();
  }

  // Every word that is looked for has to be found somewhere in a game.
  #show(order = this.order) {
    const words = (this.#wish.words ?? "").split(/\s+/).filter(Boolean),
      isFound = game =>
        (this.isChosen?.(game, this.#wish) ?? true) && words.every(word => this.textOf(game).includes(word));
    this.order = order;
    this.found = this.games.filter(isFound);
    if (order) this.found.sort(order);
    this.status.textContent = t("games of", { n: this.found.length, of: this.games.length });
    this.more.hidden = this.found.length <= this.shown;
    fill(this.rows, [this.found.slice(0, this.shown).map(game => this.#row(game))]);
  }

  #row(game) {
    const cell = ([, value, shown]) =>
      shown ? h("td", shown(game)) : h("td", { class: Number.isFinite(value(game)) && "n" }, value(game));
    return h("tr", this.attributes(game), this.columns.map(cell));
  }
}
