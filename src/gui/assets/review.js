// The panel of a review: every move judged, by tables where they reach and by search elsewhere; then each mistake as a task.

import { begin, duration, ended, progressText, soonest } from "./builds.js";
import { action, button, field, fill, grid, h, row, select } from "./dom.js";
import { gameText } from "./editor.js";
import { failureText } from "./engine.js";
import { hintPoint } from "./entry.js";
import { isLot, provedShare, provedText } from "./games.js";
import { MARKS, classOfMark, gaps, isGood, judge, lossOf, lossOfEnd, loserAfter, markOf } from "./judge.js";
import { ofLine, ofResult, ofTable, settleValues, shareFor, tableValues, turnOf, worthText } from "./judge.js";
import { previewOf } from "./search-view.js";
import { fetchJson, look } from "./server.js";
import { parse } from "./setup.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { capital, seatOf, sideText, told } from "./telling.js";
import { t, word } from "./texts.js";
import { isDrawn, numbered } from "./tree.js";

// With those that are still in hand.
const geeseOf = ({ pieces, fen }) =>
  pieces.reduce((sum, { kind, count }) => sum + (kind === "goose" ? count : 0), +(parse(fen).keys.hand ?? 0));

// A mark needs the word of two searches: that of the review with so much more thought, and the other one.
const CHECKS = { auto: 3, mcts: 1 },
  SOLVING = "movetime 5000",
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"],
  MOST_SHOWN = 8;

export function panel(table) {
  let usual = kept("review limit", LIMITS[0]);
  let engine, lesson, restore, isAsked, isJudging, isClosed;
  const { moves, graph } = table,
    progress = h("p.note", { role: "status" }),
    preview = previewOf(table, () => update(table.now)),
    leave = ({ relatedTarget }) => better.contains(relatedTarget) || preview.hide(),
    better = h(".panel.better", { "data-better": "", onpointerleave: leave, onfocusout: leave }),
    headline = h("h2", { "data-turning": "" }),
    scores = h(".scores"),
    mistakes = h("ol.mistakes"),
    footer = h("p.quiet", { "data-formula": "" }),
    start = action(
      "search",
      "start review",
      () => judgeAll().then(() => headline.scrollIntoView({ block: "nearest" })),
      { class: "primary", "data-action": "judge" },
    ),
    read = gameText(table, () => judgeAll()),
    empty = h(".panel", h("p", t("no game yet")), field(t("text of game"), read.area), h(".actions", read.buttons));
  const limits = LIMITS.map(limit => [limit, strengthText(limit)]),
    strength = select(t("strength"), limits, usual, limit => keep("review limit", (usual = limit)));
  const element = h(".panel.review", [
    empty,
    read.verdict,
    h(".actions", [start, moves.mistake]),
    better,
    progress,
    graph.element,
    headline,
    moves.element,
    scores,
    mistakes,
    h("details", h("summary.quiet", t("how judged")), strength, footer),
  ]);
  score();
  return { element, update, close, isPosed: () => lesson?.isPosed(), takes: move => lesson?.takes(move) };

  // Lines and arrows are of the position that is shown: before a mistake what was better, behind it the answer to it.
  function update(facts) {
    // The board shows the task, and nothing that tells the answer.
    if (lesson?.isPosed()) {
      better.replaceChildren();
      return lesson.draw();
    }
    empty.hidden = table.tree.root.children.length > 0;
    start.disabled = isJudging || !empty.hidden;
    // A game that is over, or was just read, is judged at once.
    const isJudged = table.tree.root.judgedBy && table.tree.line().at(-1).value;
    if ((table.isOver || table.end || table.isRead) && empty.hidden && !isAsked && !isJudged) judgeAll();
    preview.shown = null;
    const { game, tree, view } = table,
      { node } = tree,
      slip = node.children.find(({ verdict }) => verdict?.mark),
      reply = node.verdict?.reply ?? [],
      next = reply[0] ?? node.children[0]?.move,
      of = (move, { moves } = facts) => moves.find(each => each.move === move),
      values = tableValues(facts);
    if (values.size === 0 && reply[0] && node.value)
      values.set(reply[0], { ...node.value, share: shareFor(facts.turn, node.value) });
    view.setValues(values.size > 0 ? values : null, reply.slice(0, 1));
    view.setArrows([of(slip?.move), slip?.mark], [of(slip?.verdict.better)]);
    for (const item of mistakes.children) item.toggleAttribute("data-here", +item.dataset.node === node.id);
    const line = (name, moves, from = node) =>
      moves?.length > 0 && h("p.line", h("b", t(name)), preview.buttons(from, moves));
    // Why it is a slip: what the answer does.
    if (slip && !slip.facts) table.facts(slip).then(() => !isClosed && facts === table.now && update(facts), tell);
    const answer = slip?.verdict.reply?.[0];
    fill(better, [
      slip && [
        h("p", said(slip)),
        line("better was", slip.verdict.best),
        line("punished by", answer && [answer], slip),
        answer && slip.facts && told(game, of(answer, slip.facts)),
      ],
      // The move that ends the game says so itself, and beside a mistake there is no more to say.
      node.verdict &&
        (node.mark || !(facts.result || slip)) &&
        h("p", { class: slip && "quiet" }, said(node), " ", told(game, of(next))),
      // Where the answer was missed, too, it is what was better.
      !slip && line("punished by", reply),
    ]);
  }

  // Whose loss it was, and what that side had before and behind it.
  function lossFacts({ mover, exact, from, to }) {
    const [before, after] = [from, to].map(share => worthText(share, exact));
    return { side: sideText(table.game.seats[seatOf(mover)]), before, after };
  }

  // In a sentence: what a mark is, and what was given away or kept.
  function said({ move, mark, verdict }) {
    const { exact, isLevel, isOnly } = verdict,
      facts = { move, ...lossFacts(verdict) };
    if (verdict.mark) return `${move}${mark} ${t(`mark ${mark}`)}: ${t(exact ? "cost exact" : "cost", facts)}`;
    const after = [isOnly && t("only move"), isLevel && t("draw likely")].filter(Boolean);
    const key = facts.before !== facts.after ? "fall" : exact ? "kept" : "stays";
    return [key === "fall" ? `${t(key, facts)}.` : t(key, facts), ...after].join(" ");
  }

  function tell(failure) {
    if (!isClosed) progress.textContent = failureText(failure);
  }

  function setJudging(is) {
    isJudging = start.disabled = is;
    if (is) scores.querySelectorAll("button").forEach(button => (button.disabled = true));
    else score();
  }

  async function judgeAll(limit = usual) {
    if (isJudging) return;
    setJudging((isAsked = true));
    if (!engine || engine.refusal) engine = table.newEngine(0);
    const { tree } = table,
      failure = await judgeLine(limit).catch(failure => failure);
    if (isClosed) return;
    progress.textContent = "";
    if (!failure) tree.root.judgedBy = limit;
    setJudging(false);
    if (failure) tell(failure);
    moves.update();
    update(table.now);
    table.remember();
  }

  // So much the moves were judged with, or will be.
  function thought() {
    return table.tree.root.judgedBy ?? usual;
  }

  // Every move of the game until a search or the server fails.
  async function judgeLine(limit) {
    const { tree } = table,
      line = [tree.root, ...tree.through()];
    // What is known of the game as a whole no search of a move contradicts.
    const share = provedShare(table),
      proved = share !== null && { share, exact: true, turn: "p1" },
      places = [];
    const settle = async () => {
      for (let doubt; (doubt = weigh(places, proved));) await check(...doubt, limit);
      graph.update();
    };
    for (const [index, node] of line.entries()) {
      if (isClosed) return;
      progress.textContent = t("judging", { n: index, of: line.length - 1 });
      const facts = await table.facts(node),
        turn = facts.turn === "none" ? "p1" : facts.turn;
      places.push({ turn, node, facts, ...(await valueAt(tree.position(node), facts, limit, places.at(-1)?.turn)) });
      await settle();
    }
    if (table.game.seats.length > 1) {
      // What was lost unseen lies among what its loser's moves have lost.
      for (const { since, ply, loser } of gaps(line))
        for (const place of places.slice(since, ply)) place.isSuspect ||= place.turn === `p${loser + 1}`;
      return settle();
    }
    // Where the solution was lost unseen, a longer look, from the end on, finds the move.
    for (const [n, place] of [...places.entries()].reverse()) {
      if (!gaps(line).some(({ since, ply }) => since < n && n < ply)) continue;
      progress.textContent = t("judging", { n, of: line.length - 1 });
      Object.assign(place, await valueAt(tree.position(place.node), place.facts, SOLVING));
      await settle();
    }
  }

  // Says of every move what the values of the positions around it say, so that each position has one; the first slip that
  // was not looked at more closely is not told, but is what comes back.
  function weigh(places, proved) {
    let lost, doubt;
    settleValues(places, proved);
    for (const [index, here] of places.entries()) {
      const { node } = here,
        before = places[index - 1];
      node.value = (!before && proved) || here.value;
      if (before) {
        const verdict = isDrawn(node) ? null : judge(before, here, node.move, lost),
          isDoubted = verdict?.mark && !here.found;
        if (isDoubted) doubt ??= [before, here, verdict];
        const known = [...tableValues(before.facts)];
        node.verdict = verdict && !isDoubted ? { ...verdict, ...(verdict.mark && here.found) } : null;
        if (node.verdict)
          node.verdict.isOnly =
            known.length > 1 && known.every(([move, { share }]) => move === node.move || share < verdict.to);
        node.mark = node.verdict?.mark ?? "";
      }
      lost = loserAfter(node.value, node.verdict, lost);
    }
    return doubt;
  }

  // What the closer look finds is what both positions are worth from then on, unless that is known.
  async function check(before, here, { exact, better }, limit) {
    if (!exact) {
      const { from, to } = await compare(before.node, better, here.node.move, limit);
      const set = (place, share) =>
        place.seen?.exact || Object.assign(place, { seen: { turn: before.turn, share }, isSure: true });
      set(before, Math.max(from, to));
      set(here, to);
    }
    here.found = { best: await lineOf(before, limit), reply: await lineOf(here, limit) };
  }

  // How the game goes on from a position that was judged; where tables know the best move a search tells what follows it.
  async function lineOf({ node, best, line }, limit) {
    const position = table.tree.position(node);
    line ??= (await engine.search(position, `${limit} searchmoves ${best}`)).lines[0]?.pv;
    return line?.slice(0, MOST_SHOWN);
  }

  // What a move loses against another, each thought about by itself: as the tables say, or the search that finds less.
  // Fails where one does.
  async function compare(node, better, move, limit = thought()) {
    const known = tableValues(await table.facts(node));
    engine ??= table.newEngine(0);
    const worth = async ([searcher, factor], move) => {
      if (known.has(move)) return known.get(move).share;
      progress.textContent = t("checking", { move });
      engine.set("Searcher", searcher);
      const nodes = factor * limit.split(" ")[1],
        { lines } = await engine.search(table.tree.position(node), `nodes ${nodes} searchmoves ${move}`);
      if (!lines[0]) throw new Error(t("no answer"));
      return ofLine(lines[0]).share;
    };
    try {
      const found = [];
      for (const check of Object.entries(CHECKS))
        found.push(lossOf(await worth(check, better), await worth(check, move)));
      return found.sort((a, b) => a.from - a.to - (b.from - b.to))[0];
    } finally {
      engine.set("Searcher", "auto");
      progress.textContent = "";
    }
  }

  // The answer to a move, as tables or a search have it; none where the game is over then.
  async function answer(node, move) {
    const position = table.tree.position(node, move),
      facts = await look(table.game, position),
      { best } = await valueAt(position, facts, thought());
    return facts.moves.find(({ move }) => move === best);
  }

  // {seen, best, line}: what a position is worth, to the side to move where no dice fall, and the best move there.
  async function valueAt(position, facts, limit, mover) {
    const { turn } = facts;
    if (facts.result !== null) return { seen: ofResult(facts.result), line: [] };
    if (turn === "chance") return { seen: await oddsAt(position, limit, mover), line: [] };
    if (facts.table) return { seen: { turn, ...ofTable(facts.table) }, best: facts.table.moves[0]?.move };
    const { best, lines } = await engine.search(position, limit);
    const seen = lines[0] && { turn, ...ofLine(lines[0]) };
    // Whether a puzzle can be solved is known, or nothing is.
    return { seen: seen?.exact || table.game.seats.length > 1 ? seen : null, best, line: lines[0]?.pv };
  }

  // Where dice fall: the chances that are known, else what a search says of the move that led there.
  async function oddsAt({ start, moves }, limit, turn) {
    // What one of two does not get the other does; of more one value says too little.
    if (table.game.seats.length !== 2) return null;
    const { chances } = await look(table.game, { start, moves }, ["chances"]);
    if (chances) return { turn: "p1", share: chances.players[0].win };
    if (!/^p/.test(turn)) return null;
    const last = moves.at(-1),
      { lines } = await engine.search({ start, moves: moves.slice(0, -1) }, `${limit} searchmoves ${last}`);
    return lines[0] ? { turn, ...ofLine(lines[0]), exact: false } : null;
  }

  // Good moves and mistakes of each side, and a line for each mistake.
  function score() {
    const { tree, game } = table,
      line = [tree.root, ...tree.through()],
      judged = line.filter(({ verdict }) => verdict),
      isSuspect = ({ mark, verdict }) => mark && !markOf(verdict.loss);
    fill(footer, t("formula", { limit: strengthText(thought()) }), line.some(isDrawn) && ` ${t("legend drawn")}`);
    for (const part of [scores, headline, mistakes]) part.replaceChildren();
    start.classList.toggle("primary", !tree.root.judgedBy);
    if (judged.length === 0) {
      if (tree.root.judgedBy) progress.textContent = t(isLot(game) ? "nobody chose" : "nothing judged");
      return;
    }
    // A mistake is looked at where it was to be avoided, the end of a game where it came.
    const slip = node => {
      const { move, mark, parent, verdict } = node,
        path = tree.path(node),
        facts = { move: `${numbered(game, path)} ${move}${mark}`, ...lossFacts(verdict) };
      return { ...verdict, node: mark ? parent : node, ply: path.length, text: t("fall", facts) };
    };
    const lost = gaps(line),
      ended = endSlip(tree.line().at(-1)),
      all = judged.map(slip),
      played = all.filter(({ mark }) => mark),
      slips = [...played, ...ended];
    const rows = game.seats.map((side, seat) => {
      const isMine = ({ mover }) => mover === `p${seat + 1}`,
        mine = judged.filter(({ verdict }) => isMine(verdict)),
        // To give up is a choice as a move is.
        choices = [...mine.map(({ verdict }) => verdict), ...ended.filter(isMine)],
        open = choices.filter(({ isLost }) => !isLost),
        tasks = mine.filter(({ mark }) => mark);
      const text = lost.some(({ loser }) => loser === seat)
        ? word("n/a")
        : open.length > 0
          ? t("n of", { n: open.filter(isGood).length, of: open.length })
          : mine.length > 0
            ? t("lost throughout")
            : "–";
      return row(word(side), [
        h("span", { "data-good": seat }, text),
        ...MARKS.map(mark => choices.filter(choice => choice.mark === mark).length),
        action("graduation-cap", "learn", () => learn(tasks), { "data-learn": seat, disabled: !tasks[0] }),
      ]);
    });
    const more = (lost.length > 0 || judged.some(isSuspect)) && LIMITS[LIMITS.indexOf(thought()) + 1],
      closer = more && action("search", "look closer", () => judgeAll(more), { "data-action": "look-closer" });
    fill(scores, [grid(["", t("good moves"), ...MARKS, ""], rows), closer && h(".actions", closer)]);
    const at = ply => numbered(game, line.slice(1, ply + 1)),
      proved = provedShare(table),
      since = line.findLastIndex(({ value }) => !value?.exact || value.share !== 0.5) + 1,
      unseen = lost.map(({ since, ply, loser }) =>
        t("unseen", { since: at(since + 1), to: at(ply), side: word(game.seats[loser]) }),
      ),
      isFlawless = slips.length + unseen.length === 0,
      isGuessed = proved !== null && line.some(({ value }) => value && !value.exact),
      held = since < line.length - 1 && ended.length === 0 && t("held", { since: parseInt(at(since + 1)) }),
      parts = [provedText(table, proved), isGuessed && t("guesses"), ...unseen, isFlawless && t("flawless"), held];
    progress.textContent = parts.filter(Boolean).join(" ");
    const show = async node => (await table.go(node), better.scrollIntoView({ block: "end" })),
      link = ({ node, text }) => button(text, () => show(node)),
      facts = ({ mark, node, ply }) => ({ class: classOfMark(mark), "data-node": node.id, "data-mistake": ply });
    fill(mistakes, [slips.map(slip => h("li", facts(slip), link(slip)))]);
    // What turned the game has decided it, else the greatest loss of all, of equal ones the first; and the greatest of the
    // others.
    const worst = slips.toSorted((a, b) => b.loss - a.loss),
      values = line.map(({ value }) => value),
      turn = turnOf(all, values) ?? turnOf(ended, values),
      turns = [...new Set([turn, ...worst].filter(Boolean))].slice(0, 2),
      nameOf = slip => (slip === turn ? "turning point" : slip === worst[0] ? "greatest loss" : "also lost");
    fill(headline, [turns.map(slip => link({ ...slip, text: t(nameOf(slip), slip) }))]);
    if (tree.root.judgedBy) offerTables(line).catch(tell);
  }

  // Tables that are made soon are offered where they would prove what is a guess.
  async function offerTables(line) {
    const { game } = table,
      guesses = line.filter(({ facts, value }) => facts && value && !value.exact),
      fewest = Math.min(...guesses.map(({ facts }) => geeseOf(facts)));
    if (game.family !== "hunt" || game.ruleset || guesses.length === 0) return;
    const build = soonest((await fetchJson(`/api/atlas/${game.name}`)).builds ?? []);
    if (isJudging || !(build?.geese >= fewest) || scores.querySelector("[data-action=prove]")) return;
    const text = t("prove more", { time: duration(build.seconds) });
    scores.append(
      h(
        ".actions",
        button(text, () => prove(build), { icon: "plus", "data-action": "prove" }),
      ),
    );
  }

  // Nothing is judged or learned meanwhile.
  async function prove(build) {
    setJudging(true);
    const failure = await begin(table.game.name, build)
      .then(() => ended(table.signal, build => (progress.textContent = progressText(build))))
      .catch(failure => failure);
    for (const node of table.tree.all()) node.facts = null;
    await table.refresh();
    if (isClosed) return;
    setJudging(false);
    if (failure) tell(failure);
    else judgeAll(thought());
  }

  // That a side gave up what was not lost, or let it go: the end of the game as a slip, none where it cost nothing.
  function endSlip(node) {
    const { end, tree } = table,
      loss = end && node.value && lossOfEnd(end, node.value),
      after = (lost, { value, verdict }) => loserAfter(value, verdict, lost),
      isLost = tree.line().reduce(after, null) === loss?.mover;
    const text = () => t("still had", { reason: capital(word(end.reason)) + loss.mark, ...lossFacts(loss) });
    return loss && !isLost ? [{ ...loss, node, ply: tree.ply(node), text: text() }] : [];
  }

  function learn(tasks) {
    const { tree } = table,
      { node } = tree,
      known = tree.all().map(node => [node, [...node.children]]);
    // The game is kept as it was, without what was tried; one under way has gone on.
    restore = () => {
      const live = table.tip ? tree.path(table.tip) : [];
      for (const [node, children] of known)
        node.children = node.children.filter(child => children.includes(child) || live.includes(child));
      tree.go(node);
    };
    const end = () => {
      lesson.element.remove();
      lesson = null;
      restore();
      table.refresh();
    };
    lesson = lessonOf(table, tasks, { compare, answer, end, isClosed: () => isClosed });
    element.prepend(lesson.element);
  }

  function close() {
    if (lesson) restore();
    isClosed = true;
    engine?.close();
  }
}

// Mistakes as tasks: the position before each, for which the person finds a better move, judged by tables or a search.
// `all` are the nodes of the mistakes; `compare`, `answer` and `isClosed` are those of the review, `end` is called when the
// person has done.
function lessonOf(table, all, { compare, answer, isClosed, end }) {
  const question = h("p.question"),
    said = h("p.note", { role: "status", "data-lesson": "" }),
    buttons = h(".actions"),
    element = h(".panel.lesson", question, said, buttons);
  let tasks, found, task, arrows, tried, isHelped, isDone;
  begin(all);
  return { element, takes, draw, isPosed: () => !isDone };

  // Of tasks that are `found` there is whether it was at the first try.
  function begin(all) {
    tasks = all;
    found = new Map();
    ask(0);
  }

  function ask(at) {
    task = tasks[at];
    if (!task) return sumUp();
    const facts = { n: at + 1, of: tasks.length, side: table.name(task.verdict.mover), move: task.move + task.mark };
    question.textContent = t("learn question", facts);
    isHelped = tried = null;
    arrows = [];
    offer(false);
    table.tree.go(task.parent);
    table.refresh();
  }

  // How they went; what was not found can be tried once more.
  function sumUp() {
    const first = [...found.values()].filter(Boolean).length,
      left = tasks.filter(task => !found.has(task));
    question.textContent = t("learn found", { n: found.size, of: tasks.length });
    isDone = true;
    say(t("learn ways", { first, helped: found.size - first, shown: left.length }));
    fill(buttons, [
      left.length > 0 && action("rotate-ccw", "learn again", () => begin(left)),
      action("check", "learn done", end, { class: "primary" }),
    ]);
  }

  function offer(done, text = "", style = "") {
    isDone = done;
    say(text, style);
    fill(buttons, [
      action("lightbulb", "learn hint", () => hint(task), { disabled: done }),
      action("scroll-text", "learn solution", () => solve(t("learn was", { move: task.verdict.better })), {
        disabled: done,
      }),
      action("chevron-right", "learn next", () => ask(tasks.indexOf(task) + 1), { class: done && "primary" }),
      action("x", "learn end", end),
    ]);
  }

  // With a sign and a colour where it is right or wrong.
  function say(text, style = "") {
    const sign = { fine: "✓ ", wrong: "✗ " }[style] ?? "";
    Object.assign(said, { textContent: sign + text, className: `note ${style}` });
  }

  // What is drawn in the position of the task.
  function draw() {
    if (table.tree.node === task.parent) table.view.setArrows(...arrows);
  }
  function show(...shown) {
    arrows = shown;
    draw();
  }

  async function hint({ parent, verdict }) {
    const facts = await table.facts(parent),
      better = facts.moves.find(({ move }) => move === verdict.better) ?? {},
      point = hintPoint(facts, better);
    isHelped = true;
    // The answer to a try that is still looked for comes too late.
    tried = null;
    // A pass has no point.
    if (!point) return say(t("learn was", { move: verdict.better }));
    say(t(!better.from ? "learn put" : point === better.from ? "learn from" : "learn to", { point }));
    show([{ ...better, from: null, placed: [{ point }] }, "", "hint"]);
    table.go(parent);
  }

  // With the move that was found, which is played; else the review shows the mistake with what was better.
  async function solve(text, move) {
    if (move) found.set(task, !isHelped);
    offer(true, text, move && "fine");
    table.tree.go(task.parent);
    await table.refresh();
    if (move && !isClosed()) table.play(move);
  }

  // Whether the move is an answer; it is played when it is good.
  function takes(move) {
    if (isDone || table.tree.node !== task.parent) return false;
    judgeTry(task, move).catch(failure => {
      say(failureText(failure));
      table.refresh();
    });
    return true;
  }

  async function judgeTry(task, change) {
    const { better } = task.verdict,
      { move } = change,
      isLate = () => isDone || !element.isConnected || isClosed() || tried !== change;
    tried = change;
    if (move === better) return solve(t("learn best", { move }), change);
    say(t("thinking"));
    const { loss } = await compare(task.parent, better, move);
    if (isLate()) return;
    if (isGood({ loss })) return solve(t("learn good", { move, better }), change);
    isHelped = true;
    say(t(move === task.move ? "learn same" : "learn wrong", { move, n: Math.round(100 * loss) }), "wrong");
    await table.refresh();
    const reply = await answer(task.parent, move).catch(() => null);
    if (isLate()) return;
    if (reply) said.append(` ${t("punished by")} ${reply.move}`);
    show([change, markOf(loss, true), "marked"], [reply, "", "answer"]);
  }
}
