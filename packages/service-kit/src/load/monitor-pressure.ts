export type Pressure = 'event_loop' | 'memory';

interface PressureSources {
  utilization: () => number;
  usedBytes: () => number;
  limitBytes: number;
}

/** Sampling interval: long enough that a burst is processed within one. */
export const TICK_MS = 1000;
/** Hysteresis of the event loop utilization. */
const BUSY = 0.92;
const STILL_BUSY = 0.75;
const MEMORY_RATIO_MAX = 0.9;

/** Measures utilization, not loop delay: with many short ticks the delay is small, and still all requests wait. */
export function monitorPressure({ utilization, usedBytes, limitBytes }: PressureSources) {
  let isBusy = false;
  let isFull = false;
  return {
    current: (): Pressure | undefined => {
      if (isFull) return 'memory';
      return isBusy ? 'event_loop' : undefined;
    },
    tick: () => {
      isBusy = utilization() > (isBusy ? STILL_BUSY : BUSY);
      isFull = usedBytes() > limitBytes * MEMORY_RATIO_MAX;
    },
  };
}
