import { eventually } from '@lobbystats/test-kit';
import type { StackStage } from '../stages/stack-stage.ts';

/** `kill -9`, and a start again; resolves when it is being started. */
export async function killAndStart({ compose }: StackStage, service: string): Promise<void> {
  await compose('kill', '-s', 'KILL', service);
  await compose('start', service);
}

/** Lets a container stand still while something is done, as on a host that swaps. */
export async function whilePaused<Result>(
  { compose }: StackStage,
  service: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // An engine that is busy may not get hold of all processes of a container at the first try.
  await eventually(() => compose('pause', service), { timeoutMs: 20_000, everyMs: 500 });
  try {
    return await work();
  } finally {
    await compose('unpause', service);
  }
}

/** Waits for a time of the day, in epoch milliseconds. */
export async function until(timeMs: number): Promise<void> {
  const reached = (): void => {
    if (Date.now() < timeMs) throw new Error('not yet');
  };
  await eventually(reached, { timeoutMs: Math.max(0, timeMs - Date.now()) + 5000, everyMs: 100 });
}
