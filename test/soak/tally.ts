import { quantile } from '../drills/abuse/timing.ts';
import { countsOf, type Outcome } from '../drills/load.ts';

/** The answer was half on its way when who gave it was killed. */
export const CUT_OFF = 'cut off by a kill';
/** What no outage excuses: whoever asks for what there is gets it, or is told that it is unavailable. */
const EXCUSED = new Set(['200', '404', '503', CUT_OFF]);

/** Counts what became of requests, minute by minute. */
export class Tally {
  #minute: Outcome[] = [];
  readonly #all: Record<string, number> = {};
  readonly #p99Ms: number[] = [];

  add(outcome: Outcome): void {
    this.#minute.push(outcome);
  }

  /** A line on what came since the last one. */
  takeMinute(): string {
    const minute = this.#minute;
    this.#minute = [];
    const counts = countsOf(minute);
    for (const [outcome, count] of Object.entries(counts)) this.#all[outcome] = (this.#all[outcome] ?? 0) + count;
    const answered = minute.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const p99Ms = quantile(answered, 0.99);
    this.#p99Ms.push(p99Ms);
    const named = Object.entries(counts).map(([outcome, count]) => `${outcome}: ${count}`);
    return `${minute.length} requests (${named.join(', ')}), p99 ${p99Ms.toFixed(0)} ms`;
  }

  /** The 99th percentile of each minute's answers, in milliseconds. */
  p99Ms(): readonly number[] {
    return this.#p99Ms;
  }

  /** All that came, by status or by why nothing came. */
  counts(): Readonly<Record<string, number>> {
    return this.#all;
  }

  /** Outcomes that may never be, whatever was killed. */
  inexcusable(): string[] {
    return Object.entries(this.#all)
      .filter(([outcome]) => !EXCUSED.has(outcome))
      .map(([outcome, count]) => `${count} times ${outcome}`);
  }
}
