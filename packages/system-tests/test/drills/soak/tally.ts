import { quantile } from '../abuse/timing.ts';
import { countByOutcome, type Outcome } from '../load.ts';

/** The response was in transit when its sender was killed. */
export const CUT_OFF = 'cut off by a kill';
/** Outcomes that are acceptable during an outage. */
const ALLOWED_OUTCOMES = new Set(['200', '404', '503', CUT_OFF]);

/** Counts request outcomes by minute. */
export class Tally {
  #minute: Outcome[] = [];
  readonly #all: Record<string, number> = {};
  readonly #p99Ms: number[] = [];

  add(outcome: Outcome): void {
    this.#minute.push(outcome);
  }

  /** Summary of the requests since the last call. */
  flushMinute(): string {
    const minute = this.#minute;
    this.#minute = [];
    const counts = countByOutcome(minute);
    for (const [outcome, count] of Object.entries(counts)) this.#all[outcome] = (this.#all[outcome] ?? 0) + count;
    const answered = minute.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const p99Ms = quantile(answered, 0.99);
    this.#p99Ms.push(p99Ms);
    const named = Object.entries(counts).map(([outcome, count]) => `${outcome}: ${count}`);
    return `${minute.length} requests (${named.join(', ')}), p99 ${p99Ms.toFixed(0)} ms`;
  }

  /** 99th percentile of each minute, in milliseconds. */
  p99Ms(): readonly number[] {
    return this.#p99Ms;
  }

  /** All outcomes, by status or failure. */
  counts(): Readonly<Record<string, number>> {
    return this.#all;
  }

  /** Outcomes that are never acceptable. */
  unexpected(): string[] {
    return Object.entries(this.#all)
      .filter(([outcome]) => !ALLOWED_OUTCOMES.has(outcome))
      .map(([outcome, count]) => `${count} times ${outcome}`);
  }
}
