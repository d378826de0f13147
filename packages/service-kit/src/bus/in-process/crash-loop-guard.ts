import type { Journal } from './journal.ts';

/** Crashes during the handling of a message before it becomes a dead letter. */
const MAX_CRASHES = 20;

/**
 * Detects messages that crash the process. After an unclean end, deliveries of the messages in the journal are recorded
 * before they begin. Messages in flight at the next crash are suspects and delivered one at a time.
 */
export class CrashLoopGuard {
  readonly #journal: Journal;
  readonly #upTo: number;
  readonly #crashes: Map<number, number>;
  #activeSuspect: number | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
    const { upTo, deaths } = journal.markOpen();
    this.#upTo = upTo;
    this.#crashes = deaths;
  }

  get isIdle(): boolean {
    return this.#activeSuspect === undefined;
  }

  isSuspect(seq: number): boolean {
    return this.#crashes.has(seq);
  }

  poisonReason(seq: number): string | undefined {
    const deaths = this.#crashes.get(seq) ?? 0;
    return deaths < MAX_CRASHES ? undefined : `the process crashed ${deaths} times while handling it`;
  }

  /**
   * Records deliveries before they begin.
   *
   * @throws AppError `unavailable` when the journal can't be written
   */
  recordDispatch(seqs: readonly number[]): void {
    const old = seqs.filter((seq) => seq <= this.#upTo);
    if (old.length === 0) return;
    this.#journal.recordDispatches(old.map((seq) => [seq, (this.#crashes.get(seq) ?? 0) + 1]));
    this.#activeSuspect = old.find((seq) => this.isSuspect(seq)) ?? this.#activeSuspect;
  }

  onReleased(seq: number): void {
    if (this.#activeSuspect === seq) this.#activeSuspect = undefined;
  }

  onSettled(seq: number): void {
    this.#crashes.delete(seq);
    this.onReleased(seq);
  }
}
