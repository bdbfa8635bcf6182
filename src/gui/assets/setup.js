// Position texts and their boards, for the set-up editor and the hands beside the board.

// {placement, turn, keys}: the words of a position text; games on a track have keys alone.
export function parse(text) {
  const words = text.trim().split(/\s+/),
    [placement = "", turn = ""] = words.filter(word => !word.includes("="));
  return {
    placement,
    turn,
    keys: Object.fromEntries(words.filter(word => word.includes("=")).map(word => word.split(/=(.*)/).slice(0, 2))),
  };
}

export const join = ({ placement, turn, keys }) =>
  [
    placement,
    turn,
    ...Object.entries(keys)
      .filter(([, value]) => value !== "" && value !== undefined)
      .map(([key, value]) => `${key}=${value}`),
  ]
    .filter(Boolean)
    .join(" ");

// The placement of pieces: `at` gives the letters on a point, bottom to top. Ranks from the top, points from the left.
export function placement(board, at) {
  const ranks = new Map();
  for (const point of board.points) ranks.set(point.y, [...(ranks.get(point.y) ?? []), point]);
  return [...ranks]
    .sort(([a], [b]) => b - a)
    .map(([, points]) =>
      points
        .sort((a, b) => a.x - b.x)
        .map(({ name }) => at(name) || " ")
        .map(letters => (letters.length > 1 ? `(${letters})` : letters))
        .join("")
        .replace(/ +/g, empty => empty.length),
    )
    .join("/");
}

// Pieces that are off the board, by owner: `hand` is one number or one for each player.
export function hands(text, game) {
  const { hand } = parse(text).keys;
  if (hand === undefined) return [];
  const counts = hand.split(",").map(Number);
  const kinds = counts.length > 1 ? game.pieces : game.pieces.filter(({ kind }) => kind === "goose");
  return counts.flatMap((count, index) => (kinds[index] ? [{ ...kinds[index], count }] : []));
}
