// Tables sort by the column whose head is clicked: the greatest first, at the second click the least.

import { button } from "./dom.js";

const numberIn = text => {
  // A bound, "> +147.0", counts as its number.
  const found = /^(?:[<>] )?([+-]?[\d.,]+)/.exec(text.replace("−", "-").replace("±", ""));
  return found && +found[1].replace(",", ".");
};

// Numbers by size, before words in the order of the alphabet; what does not exist stands at the end.
export function compareCells(a, b) {
  const [x, y] = [a, b].map(numberIn);
  if (x !== null && y !== null && x !== y) return y - x;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortBy(head, column) {
  const { tHead, tBodies } = head.closest("table"),
    [body] = tBodies;
  const direction = head.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  for (const other of tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
  const rows = [...body.rows].sort((a, b) => compareCells(a.cells[column].textContent, b.cells[column].textContent));
  body.append(...(direction === "ascending" ? rows.reverse() : rows));
}

export function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) =>
    head.replaceChildren(button(head.textContent, () => sortBy(head, column))),
  );
}
