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
// is sorted by, `show(compare)` called with the order of the rows, which `chosen` {column, sense, head} remembers.
function sortable(heads, cell, show, chosen) {
  const sort = (column, sense) => {
    Object.assign(chosen, { column, sense, head: heads[column].textContent });
    heads.forEach(other => other.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", sense > 0 ? "descending" : "ascending");
    show((a, b) => sense * compareCells(cell(a, column), cell(b, column)));
  };
  heads.forEach((head, column) => {
    const choose = () => sort(column, chosen.column === column ? -chosen.sense : 1);
    if (head.textContent) fill(head, button(head.textContent, choose));
  });
  // A column may have gone, or another one come before it.
  const known = heads.findIndex(({ textContent }) => textContent === chosen.head);
  if (known >= 0) sort(known, chosen.sense);
}

// Each of its cells has the head of its column, too, which stands before it where there is no room for columns.
export function makeSortable({ tHead, tBodies: [body] }, chosen = {}) {
  const text = (row, column) => row.cells[column].textContent;
  for (const row of body.rows)
    for (const cell of row.cells) cell.dataset.head = tHead.rows[0].cells[cell.cellIndex].textContent;
  sortable([...tHead.rows[0].cells], text, compare => body.append(...[...body.rows].sort(compare)), chosen);
}

// `columns` are [name, value(game), cell(game)]: what is sorted by, and what is shown where that is more. `choices(game)`
// are the texts by which a game is chosen, by the names of the choices; `isChosen(game, wish)` where not any of them
// will do. `textOf(game)` is searched for words, `attributes(game)` are those of its row; `most` are shown at first.
export function gameList({ columns, choices, isChosen, textOf, attributes, actions = [], most = MOST_LISTED }) {
  const list = { games: [], found: [], update },
    wish = {},
    selects = h("span.filters"),
    status = h("p.quiet", { "aria-live": "polite", "data-found": "" }),
    rows = h("tbody"),
    more = button(t("more games"), () => ((shown += MOST_LISTED), show()), { icon: "plus" }),
    heads = columns.map(([name]) => h("th", { scope: "col" }, name)),
    find = ({ target }) => choose("words", target.value.toLowerCase()),
    search = { type: "search", name: "search", "aria-label": t("search"), placeholder: t("search"), oninput: find };
  let shown = most,
    order,
    offered;
  sortable(heads, (game, column) => columns[column][1](game), show, {});
  list.element = h("section.games", [
    h(".actions", [h("input", search), selects, actions]),
    status,
    h(".wide", h("table.grid", h("thead", h("tr", heads)), rows)),
    more,
  ]);
  return list;

  function update(games) {
    list.games = games;
    offer();
    show();
  }

  // The choices that the games give, as often as these change.
  function offer() {
    if (!choices) return;
    const all = new Map();
    for (const game of list.games)
      for (const [name, texts] of Object.entries(choices(game)))
        all.set(name, new Map([...(all.get(name) ?? []), ...texts]));
    const key = JSON.stringify([...all].map(([name, texts]) => [name, [...texts]]));
    if (key === offered) return;
    offered = key;
    const choice = ([name, texts]) =>
      select(t(`by ${name}`), [["", t("any")], ...texts], wish[name], value => choose(name, value), {
        name: `by-${name}`,
      });
    fill(selects, [...all].map(choice));
  }

  function choose(name, value) {
    wish[name] = value;
    shown = most;
    show();
  }

  // Every word that is looked for has to be found somewhere in a game.
  function show(wanted = order) {
    order = wanted;
    const words = (wish.words ?? "").split(/\s+/).filter(Boolean),
      isFound = game => (isChosen?.(game, wish) ?? true) && words.every(word => textOf(game).includes(word));
    list.found = list.games.filter(isFound);
    if (order) list.found.sort(order);
    status.textContent = t("games of", { n: list.found.length, of: list.games.length });
    more.hidden = list.found.length <= shown;
    fill(rows, [list.found.slice(0, shown).map(rowOf)]);
  }

  function rowOf(game) {
    const cell = ([, value, shown]) =>
      shown ? h("td", shown(game)) : h("td", { class: Number.isFinite(value(game)) && "n" }, value(game));
    return h("tr", attributes?.(game), columns.map(cell));
  }
}
