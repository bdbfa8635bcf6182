// Keys of a table that are not the board's own: a walk through the moves, and what the panel knows.

export function takeKey(table, event) {
  const isText = event.target.closest("input, select, textarea");
  if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isText)
    return document.querySelector("#undo button")?.click();
  if (
    isText ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.target.closest("[role=application], [role=tab]")
  )
    return;
  const { tree } = table,
    { node, root } = tree;
  if (event.key === "f") table.flip();
  else if (event.key === "ArrowLeft") table.go(node.parent);
  else if (event.key === "ArrowRight") table.go(node.children[0], true);
  else if (event.key === "Home") table.go(root);
  else if (event.key === "End") table.go(tree.through().at(-1));
  else if (event.target.closest("button, a") || !table.panel.key?.(event.key)) return;
  event.preventDefault();
}
