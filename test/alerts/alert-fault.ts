import { messageOf } from '@lobbystats/errors';
import { setFaults } from '../../services/standalone/test/site-sessions.ts';
import { load } from '../drills/load.ts';
import { until } from '../drills/faults/broken-server.ts';
import type { StackStage } from '../drills/stages/stack-stage.ts';
import type { Prometheus } from './prometheus.ts';

/** A stack whose Prometheus judges in a hurry. */
export interface AlertStage {
  readonly stack: StackStage;
  readonly prometheus: Prometheus;
}

/** Something that breaks, and the alerts that have to tell of it. */
export interface AlertFault {
  /** What happens, in one sentence. */
  readonly name: string;
  /** The alerts that fire because of it, and are quiet once it is mended. No other fault of the list proves them. */
  readonly raises: readonly string[];
  /**
   * Breaks it.
   *
   * @param mending what is deferred here ends the fault; it is disposed when all alerts have fired, or time is over
   */
  readonly begin: (stage: AlertStage, mending: AsyncDisposableStack) => Promise<void>;
}

/** Does something again and again until the fault is mended; what fails is done again, and told at the end if it never went well. */
export function againAndAgain(mending: AsyncDisposableStack, everySeconds: number, work: () => Promise<unknown>): void {
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
      await until(began + everySeconds * 1000);
    }
  })();
  mending.defer(async () => {
    over.abort();
    await doing;
    if (times === 0 && failure !== '') throw new Error(failure);
  });
}

/** Asks the public door until the fault is mended, whatever it answers. */
export function ask(
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

/** Lets a service be away until the fault is mended; then it is well again. */
export async function stop({ stack }: AlertStage, mending: AsyncDisposableStack, service: string): Promise<void> {
  mending.defer(async () => {
    await stack.compose('up', '-d', '--wait', '--no-deps', '--no-recreate', '--no-build', service);
  });
  await stack.compose('stop', '-t', '10', service);
}

/** Lets the simulated network misbehave until the fault is mended. */
export async function misbehave(
  { stack: { networkUrl } }: AlertStage,
  mending: AsyncDisposableStack,
  fault: object,
): Promise<void> {
  mending.defer(() => setFaults(networkUrl, []));
  await setFaults(networkUrl, [fault]);
}
