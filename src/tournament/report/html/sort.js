// Tables sort by the column whose head is clicked: the greatest first, at the second click the least.
"use strict";

const numberIn = text => {
  // A bound, "> +147.0", counts as its number.
  const found = /^(?:[<>] )?([+-]?[\d.]+)/.exec(text.replace("−", "-").replace("±", ""));
  return found && +found[1];
};

// Numbers by size, before words in the order of the alphabet; what does not exist stands at the end.
function compareCells(a, b) {
  const [x, y] = [a, b].map(numberIn);
  if (x !== null && y !== null && x !== y) return y - x;
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortBy(head, column) {
  const table = head.closest("table"),
    body = table.tBodies[0];
  const direction = head.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", direction);
  const rows = [...body.rows].sort((a, b) => compareCells(a.cells[column].textContent, b.cells[column].textContent));
  body.append(...(direction === "ascending" ? rows.reverse() : rows));
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(head, column));
    head.append(button);
  });
}

for (const table of document.querySelectorAll(".results")) makeSortable(table);
