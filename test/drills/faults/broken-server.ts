import { eventually } from '@lobbystats/test-kit';
import { docker } from '../../stack/docker.ts';
import type { StackStage } from '../stages/stack-stage.ts';

/** A stack, as far as it is broken here. */
type Stack = Pick<StackStage, 'compose'>;

/** `kill -9`, and a start again; resolves when it is being started. */
export async function killAndStart({ compose }: Stack, service: string): Promise<void> {
  const containers = (await compose('ps', '-aq', service)).split('\n').filter((id) => id !== '');
  await docker(['kill', '-s', 'KILL', ...containers]);
  // Not Compose's own start: that runs the init job before it.
  await docker(['start', ...containers]);
}

/** Lets a container stand still while something is done, as on a host that swaps. */
export async function whilePaused<Result>(
  { compose }: Stack,
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
