const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

export type SimulatorClock = ReturnType<typeof createSimulatorClock>;

/** `base` and `now` are epoch milliseconds. */
export function createSimulatorClock(base: () => number) {
  let setting: { nowMs: number; baseMs: number; rate: number } | undefined;
  return {
    now() {
      const baseMs = base();
      const simulatedMs = setting === undefined ? baseMs : setting.nowMs + (baseMs - setting.baseMs) * setting.rate;
      return Math.min(LAST_MS, Math.max(0, simulatedMs));
    },
    rate: () => setting?.rate ?? 1,
    isReal: () => setting === undefined,
    set(nowMs: number, rate: number) {
      setting = { nowMs, baseMs: base(), rate };
    },
    reset() {
      setting = undefined;
    },
  };
}
