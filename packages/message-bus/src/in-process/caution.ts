import type { Journal } from './journal.ts';

/** Crashes during a hand-over before a message becomes a dead letter. */
const MOST_DEATHS = 20;

/**
 * A crash-loop guard. After an unclean end, the hand-overs of messages that were in the journal then are recorded first.
 * Messages in progress at the next crash are suspects, handed over one at a time.
 */
export class Caution {
  readonly #journal: Journal;
  readonly #upTo: number;
  readonly #deaths: Map<number, number>;
  #inHand: number | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    const { upTo, deaths } = journal.begin();
    this.#upTo = upTo;
    this.#deaths = deaths;
  }

  get free(): boolean {
    return this.#inHand === undefined;
  }

  isSuspect(seq: number): boolean {
    return this.#deaths.has(seq);
  }

  verdict(seq: number): string | undefined {
    const deaths = this.#deaths.get(seq) ?? 0;
    return deaths < MOST_DEATHS ? undefined : `the process died ${deaths} times while it was handled`;
  }

  /**
   * Records hand-overs before they begin.
   *
   * @throws AppError `unavailable` when it can't be written down
   */
  begin(seqs: readonly number[]): void {
    const old = seqs.filter((seq) => seq <= this.#upTo);
    if (old.length === 0) return;
    this.#journal.beginHandOvers(old.map((seq) => [seq, (this.#deaths.get(seq) ?? 0) + 1]));
    this.#inHand = old.find((seq) => this.isSuspect(seq)) ?? this.#inHand;
  }

  released(seq: number): void {
    if (this.#inHand === seq) this.#inHand = undefined;
  }

  settled(seq: number): void {
    this.#deaths.delete(seq);
    this.released(seq);
  }
}
