import { messageOf } from '@lobbystats/contracts/errors';
import { RatingLoad } from '../standalone/rating-load.ts';
import { freshSessions } from './faults/fresh-sessions.ts';
import { listUsernames } from './faults/list-usernames.ts';
import { load, type LoadOptions } from './load.ts';
import type { Stage } from './stages/stage.ts';
import { waitUntil } from './wait.ts';

const [RATERS, PROFILES] = [4, 12];

/** Repeats the work until the fault ends. Failures are retried; throws at the end if the work never succeeded. */
export function repeatUntilEnded(
  ending: AsyncDisposableStack,
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
  ending.defer(async () => {
    over.abort();
    await doing;
    if (times === 0 && failure !== '') throw new Error(failure);
  });
}

/** Sends load to the public port until the fault ends, and ignores the responses. */
export function requestUntilEnded(
  { url }: Stage,
  ending: AsyncDisposableStack,
  asked: Pick<LoadOptions, 'perSecond' | 'connections' | 'path'>,
): void {
  const over = new AbortController();
  const asking = load({ ...asked, url, signal: over.signal, onOutcome: () => undefined });
  ending.defer(async () => {
    over.abort();
    await asking;
  });
}

/** Rates users until the fault ends. */
export async function rateUntilEnded(stage: Stage, ending: AsyncDisposableStack): Promise<void> {
  const raters = (await freshSessions(stage)).slice(0, RATERS);
  const storm = new RatingLoad(raters, await listUsernames(stage, PROFILES));
  ending.defer(() => storm.stop());
  storm.setUrl(stage.url);
}
