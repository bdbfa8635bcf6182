// What each seat of a game has left to think, in ms. The times before each ply are kept, so that moves can be taken back.

// Time between redraws of a clock.
export const TICK_MS = 100;

export class Clock {
  #seat = null;
  #since = 0;

  // `history[n]` are the times when n plies have been played.
  constructor({ base, increment, history }, seats, now = () => performance.now()) {
    Object.assign(this, { base, increment, now, history: history ?? [Array(seats).fill(base)] });
  }

  // Whether the seat has one.
  has = seat => Number.isFinite(this.history.at(-1)[seat]);

  times = () => this.history.at(-1).map((_, seat) => this.left(seat));
  left = seat => this.history.at(-1)[seat] - (seat === this.#seat ? this.now() - this.#since : 0);

  // The time of this seat runs, or that of nobody.
  run(seat, since = this.now()) {
    if (seat === this.#seat) return;
    this.hold();
    [this.#seat, this.#since] = [seat, since];
  }

  // Stops; what was used stays used.
  hold() {
    if (this.#seat !== null) this.history.at(-1)[this.#seat] = this.left(this.#seat);
    this.#seat = null;
  }

  // The seat has moved.
  press(seat) {
    const times = this.history.at(-1).map((_, each) => this.left(each) + (each === seat ? this.increment : 0));
    this.#seat = null;
    this.history.push(times);
  }

  // To what it showed after so many plies; plies that were made elsewhere have taken no time.
  back(plies) {
    this.#seat = null;
    while (this.history.length <= plies) this.history.push([...this.history.at(-1)]);
    this.history.length = plies + 1;
  }

  // The seat whose time is up, or null.
  get fallen() {
    return this.#seat !== null && this.left(this.#seat) <= 0 ? this.#seat : null;
  }

  // For `go`.
  words() {
    const word = (left, seat) => `p${seat + 1}time ${Math.round(left)} p${seat + 1}inc ${this.increment}`;
    return this.times().map(word).join(" ");
  }

  save = () => ({ base: this.base, increment: this.increment, history: this.history.with(-1, this.times()) });
}

// The clocks of a live game, by what they showed at its last move: that of the seat to move has run since then.
export function watched({ clocks_ms: times = [], since_ms: since }, seat, now = Date.now) {
  const clock = new Clock({ increment: 0, history: [times] }, times.length, now);
  clock.run(seat, since);
  return clock;
}

// "1:02:03", "4:05", and tenths in the last ten seconds.
export function clockText(ms) {
  const left = Math.max(0, ms),
    seconds = left < 10_000 ? (Math.floor(left / 100) / 10).toFixed(1) : String(Math.floor(left / 1000) % 60);
  const [hours, minutes] = [Math.floor(left / 3_600_000), Math.floor(left / 60_000) % 60],
    two = text => String(text).padStart(2, "0");
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${left < 10_000 ? `0${seconds}` : two(seconds)}`;
}
