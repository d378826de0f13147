import { messageOf } from '@lobbystats/contracts/errors';
import { setFaults } from '../standalone/sign-in.ts';
import { load } from '../drills/load.ts';
import { waitUntil } from '../drills/faults/break-service.ts';
import type { StackStage } from '../drills/stages/stack-stage.ts';
import type { Prometheus } from './prometheus.ts';

/** A stack with accelerated Prometheus rules. */
export interface AlertStage {
  readonly stack: StackStage;
  readonly prometheus: Prometheus;
}

/** A fault and the alerts that it must raise. */
export interface AlertFault {
  /** Description of the fault. */
  readonly name: string;
  /** The alerts that fire during the fault and resolve after it. No other fault in the list covers them. */
  readonly raises: readonly string[];
  /**
   * Starts the fault.
   *
   * @param mending deferred cleanups end the fault; disposed when all alerts have fired or timed out
   */
  readonly start: (stage: AlertStage, mending: AsyncDisposableStack) => Promise<void>;
}

/** Repeats the work until the fault ends. Failures are retried; throws at the end if the work never succeeded. */
export function repeatUntilMended(
  mending: AsyncDisposableStack,
  everySeconds: number,
  work: () => Promise<unknown>,
): void {
  const over = new AbortController();
  let times = 0;
  let failure = '';
  const doing = (async () => {
    while (!over.signal.aborted) {
      const began = Date.now();
      await work().then(
        () => (times += 1),
        (error: unknown) => (failure = messageOf(error)),
      );
      await waitUntil(began + everySeconds * 1000);
    }
  })();
  mending.defer(async () => {
    over.abort();
    await doing;
    if (times === 0 && failure !== '') throw new Error(failure);
  });
}

/** Sends load to the public port until the fault ends, and ignores the responses. */
export function requestUntilMended(
  { stack }: AlertStage,
  mending: AsyncDisposableStack,
  asked: { readonly perSecond?: number; readonly connections: number; readonly path: (index: number) => string },
): void {
  const over = new AbortController();
  const asking = load({ ...asked, url: stack.url, signal: over.signal, onOutcome: () => undefined });
  mending.defer(async () => {
    over.abort();
    await asking;
  });
}

/** Stops a service until the fault ends, then waits until it is healthy. */
export async function stopService(
  { stack }: AlertStage,
  mending: AsyncDisposableStack,
  service: string,
): Promise<void> {
  mending.defer(async () => {
    await stack.compose('up', '-d', '--wait', '--no-deps', '--no-recreate', '--no-build', service);
  });
  await stack.compose('stop', '-t', '10', service);
}

/** Sets a fault of the simulated network until the fault ends. */
export async function setNetworkFault(
  { stack: { networkUrl } }: AlertStage,
  mending: AsyncDisposableStack,
  fault: object,
): Promise<void> {
  mending.defer(() => setFaults(networkUrl, []));
  await setFaults(networkUrl, [fault]);
}
