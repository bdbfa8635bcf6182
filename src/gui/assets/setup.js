// Position texts and their boards, for the set-up editor, the hands beside the board and pictures of rules.

// {placement, turn, keys}: the words of a position text; games on a track have keys alone.
export function parse(text) {
  const words = text.trim().split(/\s+/),
    [placement = "", turn = ""] = words.filter(word => !word.includes("=")),
    pairs = words.filter(word => word.includes("=")).map(word => word.split(/=(.*)/));
  return { placement, turn, keys: Object.fromEntries(pairs) };
}

export function join({ placement, turn, keys }) {
  const pairs = Object.entries(keys).map(([key, value]) => value && `${key}=${value}`);
  return [placement, turn, ...pairs].filter(Boolean).join(" ");
}

// The letters of pieces by their points, bottom to top, as the kinds of a game have them.
export function lettersOn(pieces, kinds) {
  const letterOf = ({ kind, owner }) => kinds.find(each => each.kind === kind && each.owner === owner)?.letter ?? "",
    found = new Map();
  for (const piece of pieces)
    found.set(piece.point, (found.get(piece.point) ?? "") + letterOf(piece).repeat(piece.count));
  return found;
}

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

const gooseHomes = ({ pieces }) => pieces.filter(({ kind }) => kind === "goose").map(({ point }) => point);

// Where the one fox of a hunt may stand at the start: nowhere yet where geese are dropped before it.
export const foxHomes = ({ board, rules, start, ...game }) =>
  rules.foxes !== 1 || start.includes(" g phase=place")
    ? []
    : board.points.map(({ name }) => name).filter(point => !gooseHomes(game).includes(point));

// The text of the start with the fox there.
export function startWith({ board, rules, start, ...game }, fox) {
  const left = gooseHomes(game),
    { turn, keys } = parse(start),
    isPut = keys.phase === "place";
  return join({
    placement: placement(board, at => (at === fox ? "F" : left.includes(at) ? "G" : "")),
    turn: isPut ? "g" : turn,
    keys: { ...keys, phase: !isPut && keys.phase, first: rules.first_move_forward && "1" },
  });
}

// Pieces that are off the board, by owner: `hand` is one number or one for each player.
export function hands(text, game) {
  const counts = parse(text).keys.hand?.split(",").map(Number) ?? [],
    kinds = counts.length > 1 ? game.pieces : game.pieces.filter(({ kind }) => kind === "goose");
  return counts.flatMap((count, index) => (kinds[index] ? [{ ...kinds[index], count }] : []));
}

// Where the fewest pieces hold a fox fast: its point and theirs.
export function prison({ board: { points, lines, board }, rules }, fox) {
  const byName = new Map(points.map(point => [point.name, point])),
    near = at => lines.filter(line => line.includes(at)).map(([a, b]) => (a === at ? b : a));
  const vector = (from, to) => [byName.get(to).x - byName.get(from).x, byName.get(to).y - byName.get(from).y];
  const goes = (ways, from, to) => {
    const [x, y] = vector(from, to);
    return ways.some(way => way[0] === x && way[1] === y);
  };
  // Along a path where the board has some, else in one direction.
  const paths = board?.paths?.flatMap(path => [path, path.toReversed()]).map(path => `,${path},`);
  const isStraight = (from, over, to) => {
    if (paths) return paths.some(path => path.includes(`,${from},${over},${to},`));
    const [a, b] = vector(from, over),
      [c, d] = vector(over, to);
    return a * d === b * c && a * c + b * d > 0;
  };
  const ways = [...fox.steps, ...fox.jumps],
    behind = (from, over) => near(over).filter(to => isStraight(from, over, to) && goes(fox.jumps, over, to));
  const around = from =>
    new Set(
      near(from)
        .filter(over => goes(rules.fox_captures ? ways : fox.steps, from, over))
        .flatMap(over => [over, ...(rules.fox_captures ? behind(from, over) : [])]),
    );
  // Of equal ones the highest, where foxes begin.
  const dens = [...points].sort((a, b) => b.y - a.y).map(({ name }) => [name, [...around(name)]]);
  return dens.reduce((best, den) => (den[1].length < best[1].length ? den : best));
}
