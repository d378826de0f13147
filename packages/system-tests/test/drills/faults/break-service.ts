import { eventually } from '@lobbystats/test-kit';
import { docker } from '@lobbystats/test-kit/docker';
import type { StackStage } from '../stages/stack-stage.ts';

/** The part of a stack that faults need. */
type Stack = Pick<StackStage, 'compose'>;

/** Sends SIGKILL and restarts the service. Resolves when it is starting. */
export async function killAndStart({ compose }: Stack, service: string): Promise<void> {
  const containers = (await compose('ps', '-aq', service)).split('\n').filter((id) => id !== '');
  await docker(['kill', '-s', 'KILL', ...containers]);
  // Not `compose start`, which would run the init job first.
  await docker(['start', ...containers]);
}

/** Runs the work while a container is paused, as on a host that swaps. */
export async function whilePaused<Result>(
  { compose }: Stack,
  service: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await pauseService({ compose }, service);
  try {
    return await work();
  } finally {
    await compose('unpause', service);
  }
}

/** Pauses the processes of a container: its connections stay open and are silent. */
export async function pauseService({ compose }: Stack, service: string): Promise<void> {
  // A busy engine may fail to pause all processes at the first try.
  await eventually(() => compose('pause', service), { timeoutMs: 20_000, everyMs: 500 });
}

/** Waits until a time in epoch milliseconds. */
export async function waitUntil(timeMs: number): Promise<void> {
  const reached = (): void => {
    if (Date.now() < timeMs) throw new Error('not yet');
  };
  await eventually(reached, { timeoutMs: Math.max(0, timeMs - Date.now()) + 5000, everyMs: 100 });
}
