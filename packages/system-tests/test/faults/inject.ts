import { docker, pauseContainer, unpauseContainer } from '@lobbystats/test-kit/docker';
import { waitUntil } from './wait.ts';

/** The part of a stack that faults of containers need. */
export interface FaultyStack {
  /** The name of its compose project. */
  readonly project: string;
  readonly compose: (...args: string[]) => Promise<string>;
}

/** Injects a fault. What it defers to `ending` ends it. */
export type Fault<Stack = FaultyStack> = (stack: Stack, ending: AsyncDisposableStack) => Promise<void>;

/** Runs the work while a fault lasts. */
export async function whileFaulty<Stack, Result>(
  stack: Stack,
  fault: Fault<Stack>,
  work: () => Promise<Result>,
): Promise<Result> {
  await using ending = new AsyncDisposableStack();
  await fault(stack, ending);
  return await work();
}

/** SIGKILL, as when the machine or the kernel kills all replicas. */
export function killed(service: string): Fault {
  return async (stack, ending) => {
    const containers = await containersOf(stack, service);
    // Not `compose start`, which would run the init job first.
    ending.defer(async () => {
      await docker(['start', ...containers]);
    });
    await docker(['kill', '-s', 'KILL', ...containers]);
  };
}

/** Connections stay open and are silent, as on a host that swaps or migrates. */
export function paused(service: string): Fault {
  return async (stack, ending) => {
    for (const container of await containersOf(stack, service)) {
      await pauseContainer(container);
      ending.defer(() => unpauseContainer(container));
    }
  };
}

/** Stopped, as by an operator; healthy again when the fault has ended. */
export function stopped(service: string): Fault {
  return async ({ compose }, ending) => {
    ending.defer(async () => {
      await compose('up', '-d', '--wait', '--no-deps', '--no-recreate', '--no-build', service);
    });
    await compose('stop', '-t', '10', service);
  };
}

/** Answers only between two pauses: each answer takes about as long as a pause. */
export function slow(service: string, seconds: number): Fault {
  return (stack, ending) => {
    repeatUntilEnded(ending, seconds + 0.5, () => pauseFor(stack, service, seconds));
    return Promise.resolve();
  };
}

/** Repeats the work at an interval until the fault ends. */
function repeatUntilEnded(ending: AsyncDisposableStack, everySeconds: number, work: () => Promise<unknown>): void {
  const over = new AbortController();
  const repeating = (async () => {
    while (!over.signal.aborted) {
      const began = Date.now();
      await work();
      await waitUntil(began + everySeconds * 1000);
    }
  })();
  ending.defer(async () => {
    over.abort();
    await repeating;
  });
}

const PERIOD_US = 100_000;

/** @param share of one CPU */
export function cpuLimited(service: string, share: number): Fault {
  return async (stack, ending) => {
    const containers = await containersOf(stack, service);
    const limit = async (quotaUs: number): Promise<void> => {
      await docker(['update', '--cpu-period', String(PERIOD_US), '--cpu-quota', String(quotaUs), ...containers]);
    };
    ending.defer(() => limit(-1));
    await limit(share * PERIOD_US);
  };
}

/** Sends SIGKILL and restarts the service. Resolves when it is starting. */
export function killAndStart(stack: FaultyStack, service: string): Promise<void> {
  return whileFaulty(stack, killed(service), () => Promise.resolve());
}

/** Pauses a service for a while. */
export function pauseFor(stack: FaultyStack, service: string, seconds: number): Promise<void> {
  return whileFaulty(stack, paused(service), () => waitUntil(Date.now() + seconds * 1000));
}

async function containersOf({ compose }: FaultyStack, service: string): Promise<string[]> {
  return (await compose('ps', '-aq', service)).split('\n').filter((id) => id !== '');
}
