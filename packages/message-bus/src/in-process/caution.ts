import type { Journal } from './journal.ts';

/** A message in whose hand-over the process has died so often is a dead letter. */
const MOST_DEATHS = 20;

/**
 * Finds the message that kills its process, so that it doesn't do so for ever.
 *
 * Only after an end without a `close`, and only for what was in the journal then, each hand-over is written down before it
 * begins: a page of them at once. What had been written down when the process died again is a suspect: in this life it is
 * handed over when no other suspect is in hand, so that the innocent among them come through.
 */
export class Caution {
  readonly #journal: Journal;
  readonly #upTo: number;
  /** How often the process has died in the hand-over of each suspect, as far as was written down. */
  readonly #deaths: Map<number, number>;
  #inHand: number | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    const { upTo, deaths } = journal.begin();
    this.#upTo = upTo;
    this.#deaths = deaths;
  }

  /** Whether another suspect may be handed over. */
  get free(): boolean {
    return this.#inHand === undefined;
  }

  isSuspect(seq: number): boolean {
    return this.#deaths.has(seq);
  }

  /** Why it must not be handed over any more, if so. */
  verdict(seq: number): string | undefined {
    const deaths = this.#deaths.get(seq) ?? 0;
    return deaths < MOST_DEATHS ? undefined : `the process died ${deaths} times while it was handled`;
  }

  /**
   * To be called before messages are handed over.
   *
   * @throws AppError `unavailable` when it can't be written down
   */
  begin(seqs: readonly number[]): void {
    const old = seqs.filter((seq) => seq <= this.#upTo);
    if (old.length === 0) return;
    this.#journal.beginHandOvers(old.map((seq) => [seq, (this.#deaths.get(seq) ?? 0) + 1]));
    this.#inHand = old.find((seq) => this.isSuspect(seq)) ?? this.#inHand;
  }

  /** It has been given back without having been handled. */
  released(seq: number): void {
    if (this.#inHand === seq) this.#inHand = undefined;
  }

  /** The process lives and the message is settled. */
  settled(seq: number): void {
    this.#deaths.delete(seq);
    this.released(seq);
  }
}
