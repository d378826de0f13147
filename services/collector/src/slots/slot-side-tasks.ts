import type { EpochSeconds } from '@lobbystats/contracts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RetryParts } from '../time/time.ts';

/** Tasks beside a slot, run by the replica that opens it. The slot waits for none of them. */
export interface SlotSideTasks {
  start(slot: EpochSeconds): void;
  onIdle(): Promise<void>;
}

export interface SlotSideTasksParts extends RetryParts {
  tasks: readonly ((slot: EpochSeconds) => Promise<void>)[];
  telemetry: Telemetry;
}

const MAX_REMEMBERED_SLOTS = 12;
const MAX_ATTEMPTS = 40;

export function createSlotSideTasks({ tasks, telemetry, time, backoff, stopping }: SlotSideTasksParts): SlotSideTasks {
  const begun = new Set<EpochSeconds>();
  const running = new Set<Promise<void>>();

  return {
    start(slot) {
      if (begun.has(slot)) return;
      begun.add(slot);
      for (const old of [...begun].slice(0, -MAX_REMEMBERED_SLOTS)) begun.delete(old);
      for (const work of tasks) {
        const done = runWithRetry(() => work(slot)).finally(() => running.delete(done));
        running.add(done);
      }
    },
    async onIdle() {
      while (running.size > 0) await Promise.all(running);
    },
  };

  async function runWithRetry(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !stopping.aborted; attempt += 1) {
      try {
        await work();
        return;
      } catch (error) {
        telemetry.fault('slot side task failed, retrying', error);
      }
      await time.sleep(backoff(attempt), stopping);
    }
  }
}

export const NO_SIDE_TASKS: SlotSideTasks = { start: () => undefined, onIdle: () => Promise.resolve() };
