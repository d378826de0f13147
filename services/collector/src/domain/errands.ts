import type { EpochSeconds } from '@lobbystats/contracts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

/** Tasks beside a slot, run by the replica that opens it. The slot waits for none of them. */
export interface Errands {
  begin(slot: EpochSeconds): void;
  settled(): Promise<void>;
}

export interface ErrandsParts {
  works: readonly ((slot: EpochSeconds) => Promise<void>)[];
  telemetry: Telemetry;
  time: Time;
  backoff: Backoff;
  stopping: AbortSignal;
}

const REMEMBERED = 12;
const ATTEMPTS = 40;

export function createErrands({ works, telemetry, time, backoff, stopping }: ErrandsParts): Errands {
  const begun = new Set<EpochSeconds>();
  const running = new Set<Promise<void>>();

  return {
    begin(slot) {
      if (begun.has(slot)) return;
      begun.add(slot);
      for (const old of [...begun].slice(0, -REMEMBERED)) begun.delete(old);
      for (const work of works) {
        const done = errand(() => work(slot)).finally(() => running.delete(done));
        running.add(done);
      }
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };

  async function errand(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS && !stopping.aborted; attempt += 1) {
      try {
        await work();
        return;
      } catch (error) {
        telemetry.fault('what goes beside a slot could not be done yet', error);
      }
      await time.sleep(backoff(attempt), stopping);
    }
  }
}

export const NO_ERRANDS: Errands = { begin: () => undefined, settled: () => Promise.resolve() };
