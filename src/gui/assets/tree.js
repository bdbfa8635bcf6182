// A game with its variations: nodes of moves, each with comments, marks and what is known of its position.

let last = 0;

export const moveNumber = ply => `${(ply + 1) >> 1}${ply % 2 === 1 ? "." : "..."}`;
// Null of a roll, undefined where nobody has asked; of a record its seat is known.
const moverOf = ({ change, mover }) => (change ? change.mover : mover >= 0 ? `p${mover + 1}` : undefined);

// "2." of the last of these moves from the start if it begins the second turn, else "2...". As in the program's PGN a turn
// begins where whoever moved first moves again after another; of one player, and with dice, each move is one.
export function numbered({ game }, nodes) {
  if (game.alternates || nodes.some(node => moverOf(node) === undefined)) return moveNumber(nodes.length);
  const mover = index => moverOf(nodes[index]),
    isAlone = game.seats === 1 || game.has_dice,
    begins = (_, index) => index === 0 || isAlone || (mover(index) === mover(0) && mover(index - 1) !== mover(index)),
    turns = nodes.filter(begins);
  return `${turns.length}${turns.at(-1) === nodes.at(-1) ? "." : "..."}`;
}

// Where a mark is looked at: what was judged at the choice, where both moves can be seen; what others marked behind it.
export const placeOf = node => (node.verdict ? node.parent : node);

// Whether a move of the opening of a tournament, as its PGN or its record says: nobody has chosen it.
export const isDrawn = ({ comment, isOpening }) => isOpening || comment === "opening";
// A person's words: not what an engine thought, "-0.55/6 0.003s 20000" in the PGN of a tournament.
export const remarkOf = node =>
  isDrawn(node) || /^[+-]?#?-?[\d.]+\/\d+\s[\d.]+s\b/.test(node.comment) ? "" : node.comment;

const fresh = (move, change, parent) => ({ id: ++last, move, change, parent, children: [], comment: "", mark: "" });

export class Tree {
  // `start` is a position text, null for the start of the ruleset.
  constructor(start = null) {
    this.start = start;
    this.root = this.node = fresh(null, null, null);
  }

  // A node with all that comes behind it.
  all = (node = this.root) => [node, ...node.children.flatMap(child => this.all(child))];

  // From the root to a node, without the root.
  path(node = this.node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  moves = (node = this.node) => this.path(node).map(({ move }) => move);
  // With `more` moves behind the node.
  position = (node = this.node, ...more) => ({ start: this.start, moves: [...this.moves(node), ...more] });
  ply = (node = this.node) => this.path(node).length;

  // The first line from a node on, itself included.
  line(node = this.root) {
    const nodes = [];
    for (let at = node; at; at = at.children[0]) nodes.push(at);
    return nodes;
  }

  // The line through a node to its end.
  through = (node = this.node) => [...this.path(node), ...this.line(node).slice(1)];

  // The place of the next mark of the game, else of the first one.
  nextMarked() {
    const line = this.line(),
      here = this.placeIn(line),
      places = line.filter(({ mark }) => mark).map(placeOf);
    return places.find(place => line.indexOf(place) > here) ?? places[0];
  }

  // Where the moves to the node leave the game, if they do.
  get fork() {
    return this.path().find(node => node !== node.parent.children[0])?.parent;
  }

  // Where the node stands in a line from the root, or where it left that.
  placeIn(line) {
    const known = new Set(line);
    return line.indexOf([this.root, ...this.path()].findLast(node => known.has(node)));
  }

  // Goes to the move behind the node, which is added where it is new.
  play(move, change = null, from = this.node) {
    let child = from.children.find(known => known.move === move);
    if (!child) from.children.push((child = fresh(move, change, from)));
    child.change ??= change;
    return (this.node = child);
  }

  // Plays what a game goes on with behind a node, before all that was tried there; its last node. What is shown stays.
  extend(tip, moves) {
    const { node } = this;
    for (const move of moves) tip = this.play(move, null, tip);
    this.promote(tip);
    this.node = node;
    return tip;
  }

  go = node => (this.node = node);
  back = () => this.go(this.node.parent ?? this.node);

  // Takes the node and what comes behind it out.
  remove(node) {
    if (!node.parent) return;
    if (this.path().includes(node)) this.node = node.parent;
    node.parent.children = node.parent.children.filter(child => child !== node);
  }

  // Makes the line of a node the first one wherever it branches off.
  promote(node) {
    for (let at = node; at.parent; at = at.parent)
      at.parent.children = [at, ...at.parent.children.filter(child => child !== at)];
  }

  // [move, comment, mark, what is known of it, children ...] for each child, to be kept as JSON.
  save() {
    const known = ({ value, verdict, isOpening, judgedBy }) => ({ value, verdict, isOpening, judgedBy }),
      pack = node => [node.move, node.comment, node.mark, known(node), ...node.children.map(pack)],
      { root, start } = this;
    return { start, moves: root.children.map(pack), comment: root.comment, at: this.moves(), ...known(root) };
  }

  static load({ start, moves, comment = "", at = [], value, verdict, judgedBy }) {
    const tree = new Tree(start);
    Object.assign(tree.root, { comment, value, verdict, judgedBy });
    const unpack = (parent, [move, comment, mark, ...rest]) => {
      const node = tree.play(move, null, parent);
      Object.assign(node, { comment, mark });
      for (const each of rest)
        if (Array.isArray(each)) unpack(node, each);
        else Object.assign(node, each);
    };
    moves.forEach(child => unpack(tree.root, child));
    const next = (node, move) => node.children.find(child => child.move === move) ?? node;
    tree.node = at.reduce(next, tree.root);
    return tree;
  }

  // As text: moves with move numbers, comments in braces, variations in parentheses behind the move they replace.
  text(game = { game: { alternates: true } }) {
    const words = [];
    // On one line, so that nothing in it looks like a tag.
    const remark = text => words.push(`{${text.replace(/[{}]/g, "").replace(/\s+/g, " ")}}`);
    const say = (node, isFirst) => {
      const number = numbered(game, this.path(node));
      if (isFirst || !number.endsWith("...")) words.push(number);
      words.push(node.move + node.mark);
      if (node.comment) remark(node.comment);
    };
    const walk = (node, isFirst) => {
      const [main, ...others] = node.children;
      if (!main) return;
      say(main, isFirst);
      for (const other of others) {
        words.push("(");
        say(other, true);
        walk(other, false);
        words.push(")");
      }
      walk(main, others.length > 0);
    };
    if (this.root.comment) remark(this.root.comment);
    walk(this.root, true);
    return words.join(" ").replace(/\( /g, "(").replace(/ \)/g, ")");
  }

  // From the words that `text` writes, without numbers; legality is for the engine to judge.
  static of(words, start = null) {
    const tree = new Tree(start),
      branches = [];
    for (const word of words) {
      if (word.startsWith("{")) tree.node.comment = word.slice(1, -1).trim();
      else if (word === "(") {
        branches.push(tree.node);
        tree.back();
      } else if (word === ")") tree.node = branches.pop() ?? tree.node;
      else {
        const [, move, mark] = /^(.+?)[+#]*([?!]{0,2})$/.exec(word);
        tree.play(move).mark = mark;
      }
    }
    tree.node = tree.root;
    return tree;
  }
}
