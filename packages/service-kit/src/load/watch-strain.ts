/** What a process runs short of. */
export type Strain = 'time' | 'memory';

export interface StrainSources {
  /** Milliseconds of a clock that is never set back. */
  now: () => number;
  /** Memory that the process holds, in bytes. */
  heldBytes: () => number;
  /** How much it may hold, in bytes. */
  boundBytes: number;
}

export interface StrainWatch {
  /** What it runs short of now. */
  current(): Strain | undefined;
  /** To be called as often as {@link TICK_MS} says: how late that is shows how busy the process is. */
  tick(): void;
}

/** How often to look. */
export const TICK_MS = 25;
/** How late all looks of a period are in a process that can't keep up; and how late in one that still can't. */
const LATE_MS = 50;
const STILL_LATE_MS = 25;
/** A period: long enough that one long piece of work is not taken for too many. */
const PERIOD_MS = 1000;
const PERIOD_TICKS = 5;
/** What part of the memory that there is may be held. */
const MEMORY_PART = 0.9;

/**
 * Sees whether a process runs short of time or memory. It is short of time when for a whole period not once all work was done
 * in time (the controlled delay of https://www.rfc-editor.org/rfc/rfc8289): a burst that it works off is none.
 */
export function watchStrain({ now, heldBytes, boundBytes }: StrainSources): StrainWatch {
  let due = now() + TICK_MS;
  let period = { began: now(), ticks: 0, leastLateMs: Infinity };
  let isLate = false;
  let isFull = false;
  return {
    current: () => {
      if (isFull) return 'memory';
      return isLate ? 'time' : undefined;
    },
    tick: () => {
      const at = now();
      period.ticks += 1;
      period.leastLateMs = Math.min(period.leastLateMs, at - due);
      due = at + TICK_MS;
      if (period.ticks < PERIOD_TICKS || at - period.began < PERIOD_MS) return;
      isLate = period.leastLateMs > (isLate ? STILL_LATE_MS : LATE_MS);
      isFull = heldBytes() > boundBytes * MEMORY_PART;
      period = { began: at, ticks: 0, leastLateMs: Infinity };
    },
  };
}
