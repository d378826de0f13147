import { setTimeout } from 'node:timers/promises';
import type { Time } from './time.ts';

export function systemTime(clock: () => number): Time {
  return {
    now: clock,
    sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
  };
}
