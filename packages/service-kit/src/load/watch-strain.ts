/** What a process runs short of. */
export type Strain = 'time' | 'memory';

export interface StrainSources {
  /** What part of the time since it was last asked the event loop has worked: 0 to 1. */
  workedPart: () => number;
  /** What the process holds, in bytes. */
  heldBytes: () => number;
  /** How much it may hold, in bytes. */
  boundBytes: number;
}

export interface StrainWatch {
  /** What the process is short of, if it is. */
  current(): Strain | undefined;
  /** To be called every TICK_MS. */
  tick(): void;
}

/** How often to look: long enough that a burst is worked off in it. */
export const TICK_MS = 1000;
/** What part of a whole tick is worked in a process that can't keep up; and in one that still can't. */
const BUSY = 0.92;
const STILL_BUSY = 0.75;
/** What part of the memory that there is may be held. */
const MEMORY_PART = 0.9;

/**
 * Sees whether a process runs short of time or memory. It is short of time when its event loop has had nothing to wait for
 * since the last look. That it was late says less: a loop of many short turns is late for nobody, and all wait.
 */
export function watchStrain({ workedPart, heldBytes, boundBytes }: StrainSources): StrainWatch {
  let isBusy = false;
  let isFull = false;
  return {
    current: () => {
      if (isFull) return 'memory';
      return isBusy ? 'time' : undefined;
    },
    tick: () => {
      isBusy = workedPart() > (isBusy ? STILL_BUSY : BUSY);
      isFull = heldBytes() > boundBytes * MEMORY_PART;
    },
  };
}
