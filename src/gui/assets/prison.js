// Where the fewest pieces hold a fox fast: its point and theirs.
export function prison({ board: { points, lines }, rules }, fox) {
  const byName = new Map(points.map(point => [point.name, point])),
    near = new Map(points.map(({ name }) => [name, new Set()]));
  for (const [a, b] of lines) {
    near.get(a)?.add(b);
    near.get(b)?.add(a);
  }
  const goes = (ways, from, [x, y]) =>
    ways.some(way => way[0] === x && way[1] === y) &&
    [...near.get(from)].find(
      name => byName.get(name).x - byName.get(from).x === x && byName.get(name).y - byName.get(from).y === y,
    );
  const around = from =>
    new Set(
      [...fox.steps, ...(rules.fox_captures ? fox.jumps : [])].flatMap(way => {
        const over = goes([...fox.steps, ...fox.jumps], from, way),
          behind = over && rules.fox_captures && goes(fox.jumps, over, way);
        return [over, behind].filter(Boolean);
      }),
    );
  // Of equal ones the highest, where foxes begin.
  const dens = [...points].sort((a, b) => b.y - a.y).map(({ name }) => [name, [...around(name)]]);
  return dens.reduce((best, den) => (den[1].length < best[1].length ? den : best));
}
