/** The simulated network's clock. */
export interface SimulatorClock {
  /** Epoch milliseconds. */
  now(): number;
  /** How many of its seconds pass in one of the clock below it; 0 stands still. */
  rate(): number;
  /** Whether it shows the same as the clock below it. */
  isReal(): boolean;
  /** Goes on from `nowMs` at `rate`. */
  set(nowMs: number, rate: number): void;
  /** Shows the clock below it again. */
  reset(): void;
}

/** The last instant that the clock can show: the end of the year 9999, past which times have another form. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A clock that shows `base` (epoch milliseconds) until it is set. */
export function createSimulatorClock(base: () => number): SimulatorClock {
  let setting: { nowMs: number; baseMs: number; rate: number } | undefined;
  return {
    now() {
      const baseMs = base();
      const shown = setting === undefined ? baseMs : setting.nowMs + (baseMs - setting.baseMs) * setting.rate;
      return Math.min(LAST_MS, Math.max(0, shown));
    },
    rate: () => setting?.rate ?? 1,
    isReal: () => setting === undefined,
    set(nowMs, rate) {
      setting = { nowMs, baseMs: base(), rate };
    },
    reset() {
      setting = undefined;
    },
  };
}
