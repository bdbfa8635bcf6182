// The panel of a review: every move judged, by tables where they reach and by search elsewhere; then each mistake as a task.

import { begin, ended, progressText, soonest } from "./builds.js";
import { action, button, field, fill, grid, h, icon, row, select } from "./dom.js";
import { gameText } from "./editor.js";
import { failureText } from "./engine.js";
import { hintPoint } from "./entry.js";
import { fewOf, isLot, namesOf, provedShare, provedText } from "./games.js";
import { MARKS, accuracyOf, classOfMark, gaps, isGood, judge, lossOf, lossOfEnd, loserAfter, markOf } from "./judge.js";
import { ofLine, ofResult, ofTable, settleValues, shareFor, tableValues } from "./judge.js";
import { turnOf, turnovers, worthText } from "./judge.js";
import { previewOf } from "./search-view.js";
import { fetchJson, look } from "./server.js";
import { parse } from "./setup.js";
import { keep, kept } from "./store.js";
import { strengthText } from "./strengths.js";
import { capital, ending, seatOf, sideText, told, toldLine } from "./telling.js";
import { t, word } from "./texts.js";
import { isDrawn, numbered } from "./tree.js";

// With those that are still in hand.
const geeseOf = ({ pieces, fen }) =>
  pieces.reduce((sum, { kind, count }) => sum + (kind === "goose" ? count : 0), +(parse(fen).keys.hand ?? 0));

// A mark needs the word of two searches: that of the review with so much more thought, and the other one.
const CHECKS = { auto: 3, mcts: 1 },
  // A change of a value that no slip explains is looked at again, with so much more thought.
  LEAP = 0.08,
  AGAIN = 5,
  SOLVING = "movetime 5000",
  LIMITS = ["nodes 20000", "nodes 100000", "nodes 500000"],
  MOST_SHOWN = 6,
  MOST_KNOWN = 60;

export function panel(table) {
  let usual = kept("review limit", LIMITS[0]);
  // Of the judging under way.
  let halt = null;
  let engine, lesson, restore, isAsked, isClosed;
  const { moves, graph } = table,
    progress = h("p.note", { role: "status" }),
    preview = previewOf(table, () => update(table.now)),
    leave = ({ relatedTarget }) => better.contains(relatedTarget) || preview.hide(),
    better = h(".panel.better", { "data-better": "", onpointerleave: leave, onfocusout: leave }),
    headline = h("h2", { "data-turning": "" }),
    scores = h(".scores"),
    summary = h("p.quiet", { "data-summary": "" }),
    footer = h("p.quiet.lines", { "data-formula": "" }),
    start = action(
      "search",
      "start review",
      () => (halt ? stop() : judgeAll().then(() => headline.scrollIntoView({ block: "nearest" }))),
      { class: "primary", "data-action": "judge" },
    ),
    [first, again] = [h(".actions"), h(".actions")],
    read = gameText(table, () => judgeAll()),
    empty = h(".panel", h("p", t("no game yet")), field(t("text of game"), read.area), h(".actions", read.buttons));
  const limits = LIMITS.map(limit => [limit, strengthText(limit)]),
    strength = select(t("strength"), limits, usual, limit => keep("review limit", (usual = limit)));
  const element = h(".panel.review", [
    empty,
    read.verdict,
    first,
    progress,
    graph.element,
    headline,
    scores,
    moves.element,
    better,
    summary,
    h("details", h("summary.quiet", t("how judged")), h("p.lines", t("mark rules")), footer, strength, again),
  ]);
  const extra = [moves.mistake, moves.toGame];
  moves.bar.append(...extra);
  score();
  return { element, update, close, isPosed: () => lesson?.isPosed(), takes: move => lesson?.takes(move) };

  // What was played, and before a mistake what comes; arrows are of the position that is shown.
  function update(facts) {
    // The board shows the task, and nothing that tells the answer.
    if (lesson?.isPosed()) {
      better.replaceChildren();
      return lesson.draw();
    }
    const { game, tree, view } = table,
      { node } = tree,
      isJudged = tree.root.judgedBy && tree.line().at(-1).value;
    empty.hidden = tree.root.children.length > 0;
    start.hidden = isLot(game) || !empty.hidden;
    // A game that is over, was just read, or left nothing to choose is judged at once.
    if ((table.isOver || table.end || table.isRead || isLot(game)) && empty.hidden && !isAsked && !isJudged) judgeAll();
    preview.shown = null;
    const isSlip = ({ verdict }) => verdict?.mark,
      coming = node.children.find(isSlip),
      reply = node.verdict?.reply ?? [],
      of = move => facts.moves.find(each => each.move === move),
      values = tableValues(facts);
    if (values.size === 0 && reply[0] && node.value)
      values.set(reply[0], { ...node.value, share: shareFor(facts.turn, node.value) });
    view.setValues(values.size > 0 ? values : null, reply.slice(0, 1));
    view.setArrows([of(coming?.move), coming?.mark], [of(coming?.verdict.better)]);
    const titled = (name, ...texts) => h("p", h("b", t(name)), " ", texts.filter(Boolean).join(" ")),
      // A person who follows a line, or has found a move, reads on where the game was left.
      at = tree.fork ?? node,
      slip = at.children.find(isSlip),
      isOver = facts.result && at === node,
      next = !at.mark && !slip && at === node && told(game, of(node.children[0]?.move)),
      given = table.isEnded() ? endSlip(node) : [];
    fill(better, [
      at.verdict && [
        titled(
          at === node ? "just played" : "in the game",
          isOver && !at.mark ? `${at.move}.` : said(at),
          isOver && ending(table, facts),
        ),
        !slip && whyOf(at),
      ],
      next && at.verdict && titled("next", next),
      slip && [titled(at === node ? "now comes" : "in the game", said(slip)), whyOf(slip)],
      given.map(({ text }) => titled("at the end", `${text}.`)),
      isDrawn(at) && t("legend drawn"),
    ]);
  }

  // How the game goes on behind the better move and behind a mistake, and what the one brings that the other does not.
  function whyOf(node) {
    const { move, parent, verdict } = node,
      { better, best, reply, outcomes = [] } = verdict,
      { game } = table,
      [gain, price] = outcomes.map(outcome => toldLine(game, outcome)),
      [had, has] = outcomes.map(({ room }) => room),
      line = (name, at, path, text) =>
        path?.length > 0 && h("p.line", h("b", t(name)), preview.buttons(at, path), gain !== price && text),
      facts = { move, better, side: sideText(game.rules.fox_side ?? ""), n: has, of: had };
    return [
      line("better was", parent, best, gain),
      line("punished by", node, reply, price),
      gain === price && (verdict.mover === fewOf(game) ? had - has : has - had) > 1 && h("p.line", t("room", facts)),
    ];
  }

  // Whose loss it was, and what that side had before and behind it.
  function lossFacts({ mover, exact, from, to }) {
    const [before, after] = [from, to].map(share => worthText(share, exact));
    return { side: sideText(table.game.seats[seatOf(mover)]), before, after };
  }

  // In a sentence: what a mark is, and what was given away or kept.
  function said({ move, mark, parent, value, verdict }) {
    const { exact, better, isIdle, isOnly } = verdict,
      { mate } = value,
      facts = { move, better, ...lossFacts(verdict) };
    if (verdict.mark) return `${move}${mark} ${t(`mark ${mark}`)}: ${t(exact ? "cost exact" : "cost", facts)}`;
    const isLevel = verdict.isLevel && !parent.verdict?.isLevel,
      after = [isOnly && t("only move"), isIdle && t("idle", facts), isLevel && t("draw likely")].filter(Boolean);
    if (exact && mate) facts.after += ` ${t("in moves", { n: mate })}`;
    const key = !exact && verdict.to < verdict.from && facts.before !== facts.after ? "fall" : exact ? "kept" : "stays";
    return [key === "fall" ? `${t(key, facts)}.` : t(key, facts), ...after].join(" ");
  }

  function tell(failure) {
    if (!isClosed) progress.textContent = failureText(failure);
  }

  // What was judged until then stands.
  function stop() {
    halt.abort();
    engine.stop();
  }

  // One button begins, stops, and among the explanations begins anew.
  function dress() {
    const { judgedBy } = table.tree.root,
      hadFocus = start.matches(":focus");
    fill(start, icon(halt ? "square" : "search"), t(halt ? "stop" : judgedBy ? "judge again" : "start review"));
    start.classList.toggle("primary", !judgedBy);
    (judgedBy && !halt ? again : first).append(start);
    // Where one reads on is not left.
    if (hadFocus) start.focus({ preventScroll: !halt });
  }

  async function judgeAll(limit = usual) {
    if (halt) return;
    isAsked = true;
    halt = new AbortController();
    dress();
    scores.querySelectorAll("button").forEach(button => (button.disabled = true));
    if (!engine || engine.refusal) engine = table.newEngine(0);
    const { tree } = table,
      failure = await judgeLine(limit).catch(failure => failure);
    if (isClosed) return;
    progress.textContent = "";
    const isHalted = halt.signal.aborted;
    if (!failure) tree.root.judgedBy = limit;
    else if (isHalted && tree.line().some(({ verdict }) => verdict)) tree.root.judgedBy ??= limit;
    halt = null;
    score();
    if (failure && !isHalted) tell(failure);
    await table.refresh();
  }

  // So much the moves were judged with, or will be.
  function thought() {
    return table.tree.root.judgedBy ?? usual;
  }

  // The moves of the game, as far as they are legal.
  async function legalLine() {
    for (const node of table.tree.line()) {
      const { error } = await table.facts(node);
      halt.signal.throwIfAborted();
      if (error && !node.parent) throw new Error(error);
      if (!error) continue;
      await table.refuse(node, error);
      return legalLine();
    }
    return table.tree.line();
  }

  // Every move of the game until a search or the server fails.
  async function judgeLine(limit) {
    const { tree } = table,
      line = await legalLine();
    // Without them a search judges.
    await makeTables(line).catch(() => {});
    // What is known of the game as a whole no search of a move contradicts.
    const share = provedShare(table),
      proved = share !== null && { share, exact: true, turn: "p1" },
      places = [];
    const settle = async () => {
      for (let doubt; (doubt = weigh(places, proved));) await doubt(limit);
      graph.update();
    };
    for (const [index, node] of line.entries()) {
      halt.signal.throwIfAborted();
      progress.textContent = `${t("judging", { n: index, of: line.length - 1 })} ${strengthText(limit)}`;
      const facts = await table.facts(node),
        turn = facts.turn === "none" ? "p1" : facts.turn;
      const mover = places.at(-1)?.turn;
      places.push({ turn, node, facts, mover, ...(await valueAt(tree.position(node), facts, limit, mover)) });
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

  // Says of every move what the values of the positions around it say, so that each position has one. Slips that were not
  // looked at more closely are not told; what comes back looks at the first of them, or where a value leaps without one.
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
        const leap = verdict && !verdict.exact && !verdict.mark && Math.abs(verdict.from - verdict.to) >= LEAP,
          unseen = [before, here].filter(({ seen, isLooked }) => seen && !seen.exact && !isLooked);
        if (isDoubted) doubt ??= limit => check(before, here, verdict, limit);
        else if (leap && unseen[0]) doubt ??= limit => lookAgain(unseen, limit);
        const known = [...tableValues(before.facts)];
        node.verdict = verdict && !isDoubted ? { ...verdict, ...(verdict.mark && here.found) } : null;
        // Text and arrow are of one move, also where a later look would have another.
        if (node.verdict?.best) node.verdict.better = node.verdict.best[0];
        if (node.verdict)
          node.verdict.isOnly =
            known.length > 1 && known.every(([move, { share }]) => move === node.move || share < verdict.to);
        node.mark = node.verdict?.mark ?? "";
      }
      lost = loserAfter(node.value, node.verdict, lost);
    }
    return doubt;
  }

  async function lookAgain(places, limit) {
    for (const place of places) {
      const found = await valueAt(
        table.tree.position(place.node),
        place.facts,
        `nodes ${AGAIN * limit.split(" ")[1]}`,
        place.mover,
      );
      Object.assign(place, found, { isLooked: true, isSure: false });
    }
  }

  // What the closer look finds is what both positions are worth from then on, unless that is known.
  async function check(before, here, { exact, better }, limit) {
    if (!exact) {
      const { from, to } = await compare(before.node, better, here.node.move, limit);
      const set = (place, share) =>
        place.seen?.exact || Object.assign(place, { seen: { turn: before.turn, share }, isSure: !place.isLooked });
      set(before, Math.max(from, to));
      set(here, to);
    }
    const [best, reply] = [await lineOf(before), await lineOf(here)],
      lines = [best, [here.node.move, ...reply]],
      [most, outcomes] = [before.turn === fewOf(table.game) ? 2 : 1, []];
    for (const line of lines) outcomes.push(await outcomeOf(before.node, line, most));
    here.found = { best: best.slice(0, MOST_SHOWN), reply: reply.slice(0, MOST_SHOWN - 1), outcomes };
  }

  // What a line brings: what is taken, how the game ends if it does, and how many moves the few have then at first, behind so
  // many moves of the line.
  async function outcomeOf(node, line, most) {
    const { game, tree } = table,
      at = (moves, ...more) => look(game, tree.position(node, ...moves), more),
      { played, reason, error } = await at(line, "played"),
      { turn, moves } = await at(line.slice(0, most)),
      changes = (error ? [] : played).slice(tree.ply(node)).map(({ mover, captured }) => ({ mover, captured }));
    return {
      changes: changes.slice(0, MOST_SHOWN),
      plies: changes.length,
      reason: error ? "none" : reason,
      room: turn === fewOf(game) ? moves.length : undefined,
    };
  }

  // How the game goes on from a position that was judged: as a search tells, or as tables know, to its end.
  async function lineOf({ node, best, line }) {
    const known = [];
    for (let next = line ? null : best; next && known.length < MOST_KNOWN;) {
      halt.signal.throwIfAborted();
      known.push(next);
      next = (await look(table.game, table.tree.position(node, ...known))).table?.moves[0]?.move;
    }
    return line ?? known;
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
        { lines } = await search(table.tree.position(node), `nodes ${nodes} searchmoves ${move}`);
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

  // No search more once the judging is stopped, and nothing of one that was cut off.
  async function search(position, limit) {
    halt?.signal.throwIfAborted();
    const found = await engine.search(position, limit);
    halt?.signal.throwIfAborted();
    return found;
  }

  // {seen, best, line}: what a position is worth, to the side to move where no dice fall, and the best move there.
  async function valueAt(position, facts, limit, mover) {
    const { turn } = facts;
    if (facts.result !== null) return { seen: ofResult(facts.result), line: [] };
    if (turn === "chance") {
      const seen = await oddsAt(position, limit, mover);
      return { seen: seen && { ...seen, thrower: `p${table.actor(facts) + 1}` }, line: [] };
    }
    if (facts.table) return { seen: { turn, ...ofTable(facts.table) }, best: facts.table.moves[0]?.move };
    const { best, lines } = await search(position, limit);
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
      { lines } = await search({ start, moves: moves.slice(0, -1) }, `${limit} searchmoves ${last}`);
    return lines[0] ? { turn, ...ofLine(lines[0]), exact: false } : null;
  }

  // The way to a move of which there is something to say.
  function link(name, { node, text }) {
    return button(t(name, { text }), async () => (await table.go(node), better.scrollIntoView({ block: "end" })));
  }

  // What a throw was worth to who threw it, where that is known.
  function luck(node) {
    const { value, parent } = node,
      { thrower } = parent.value ?? {};
    if (!thrower || !value) return [];
    const [from, to] = [parent.value, value].map(value => shareFor(thrower, value));
    return [{ node, rise: to - from, text: fallText(node, { mover: thrower, from, to }) }];
  }

  // A move with its number, and what its side had before and behind it.
  function fallText(node, loss) {
    const number = numbered(table.game, table.tree.path(node));
    return t("fall", { move: `${number}\u00a0${node.move}${node.mark}`, ...lossFacts(loss) });
  }

  // Good moves and mistakes of each side, and what decided the game.
  function score() {
    const { tree, game } = table,
      line = tree.line(),
      judged = line.filter(({ verdict }) => verdict),
      isSuspect = ({ mark, verdict }) => mark && !markOf(verdict.loss);
    fill(footer, t("formula", { limit: strengthText(thought()) }), line.some(isDrawn) && ` ${t("legend drawn")}`);
    for (const part of [scores, headline, summary]) part.replaceChildren();
    dress();
    if (judged.length === 0) {
      if (tree.root.judgedBy) summary.textContent = t(isLot(game) ? "nobody chose" : "nothing judged");
      const throws = line
        .slice(1)
        .flatMap(luck)
        .sort((a, b) => b.rise - a.rise);
      return fill(headline, throws[1] && [link("luckiest", throws[0]), link("unluckiest", throws.at(-1))]);
    }
    // A mistake is looked at where it was to be avoided, the end of a game where it came.
    const slip = node => {
      const { mark, parent, verdict } = node;
      return { ...verdict, node: mark ? parent : node, ply: tree.ply(node), text: fallText(node, verdict) };
    };
    const lost = gaps(line),
      ended = endSlip(tree.line().at(-1)),
      all = judged.map(slip),
      slips = [...all.filter(({ mark }) => mark), ...ended],
      marks = all.some(({ isOnly }) => isOnly) ? ["!", ...MARKS] : MARKS;
    const rows = game.seats.map((side, seat) => {
      const isMine = ({ mover }) => mover === `p${seat + 1}`,
        mine = all.filter(isMine),
        open = mine.filter(({ isLost, isHopeless }) => !isLost && !isHopeless),
        count = is => mine.filter(is).length,
        idle = count(({ isIdle }) => isIdle),
        tasks = judged.filter(({ mark, verdict }) => mark && isMine(verdict));
      const text = lost.some(({ loser }) => loser === seat)
        ? word("n/a")
        : open.length > 0
          ? `${Math.round(accuracyOf(open))}\u00a0%`
          : mine.length > 0
            ? t(mine.some(({ isLost }) => isLost) ? "lost throughout" : "no hope")
            : "–";
      const name = (table.players || table.seats.some(Boolean)) && h("small.quiet", namesOf(table)[seat]);
      return row(
        [word(side), name],
        [
          [h("span", { "data-good": seat }, text), idle > 0 && h("small.quiet", t("n idle", { n: idle }))],
          ...marks.map(mark => count(each => (mark === "!" ? each.isOnly : each.mark === mark))),
          action("graduation-cap", "learn", () => learn(tasks), { "data-learn": seat, disabled: !tasks[0] }),
        ],
      );
    });
    const more = (lost.length > 0 || judged.some(isSuspect)) && LIMITS[LIMITS.indexOf(thought()) + 1],
      closer = more && action("search", "look closer", () => judgeAll(more), { "data-action": "look-closer" });
    const heads = marks.map(mark => h("b", { class: `mark ${classOfMark(mark)}` }, mark));
    fill(scores, [grid(["", t("accuracy"), ...heads, ""], rows), closer && h(".actions", closer)]);
    const at = ply => numbered(game, line.slice(1, ply + 1)),
      proved = provedShare(table),
      values = line.map(({ value }) => value),
      n = turnovers(values),
      since = line.findLastIndex(({ value }) => !value?.exact || value.share !== 0.5) + 1,
      unseen = lost.map(({ since, ply, loser }) =>
        t("unseen", { since: at(since + 1), to: at(ply), side: word(game.seats[loser]) }),
      ),
      isFlawless = slips.length + unseen.length === 0 && line.at(-1).value,
      isGuessed = proved !== null && values.some(value => value && !value.exact),
      held = since < line.length - 1 && ended.length === 0 && t("held", { since: parseInt(at(since + 1)) }),
      parts = [
        n > 1 && t("turnovers", { n }),
        provedText(table, proved),
        isGuessed && t("guesses"),
        ...unseen,
        isFlawless && t("flawless"),
        held,
      ];
    summary.textContent = parts.filter(Boolean).join(" ");
    // What turned the game has decided it; and the greatest loss of all, where one is.
    const turn = turnOf(all, values) ?? turnOf(ended, []),
      [worst, next] = slips.toSorted((a, b) => b.loss - a.loss),
      isFirst = turn && next?.loss === worst?.loss && worst.ply < turn.ply,
      name = isFirst ? "first turning point" : "greatest loss";
    const turns = [turn && ["turning point", turn], worst && worst !== turn && [name, worst]].filter(Boolean);
    fill(
      headline,
      turns.sort(([, a], [, b]) => a.ply - b.ply).map(each => link(...each)),
    );
  }

  // Tables that are made soon are made where they know positions of the game that none knows yet.
  async function makeTables(line) {
    const { game, tree } = table;
    if (game.family !== "hunt" || game.ruleset) return;
    const found = await Promise.all(line.map(node => table.facts(node))),
      open = found.filter(facts => !facts.table && facts.result === null),
      build = soonest((await fetchJson(`/api/atlas/${game.name}`)).builds ?? []);
    if (!(build?.geese >= Math.min(...open.map(geeseOf)))) return;
    await begin(game.name, build);
    await ended(halt.signal, build => (progress.textContent = progressText(build)));
    for (const node of tree.all()) node.facts = null;
    await table.refresh();
  }

  // That a side gave up what was not lost, or let it go: the end of the game as a slip, none where it cost nothing.
  function endSlip(node) {
    const { end, tree } = table,
      loss = end && node.value && lossOfEnd(end, node.value),
      after = (lost, { value, verdict }) => loserAfter(value, verdict, lost),
      isLost = tree.line().reduce(after, null) === loss?.mover;
    const text = () =>
      t(loss.exact ? "had in hand" : "still had", {
        reason: capital(end.reason ? word(end.reason) : t("was ended")) + loss.mark,
        ...lossFacts(loss),
      });
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
    for (const button of extra) button.remove();
    isClosed = true;
    halt?.abort();
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
