import { randomBytes } from 'node:crypto';
import { streamEvents, STREAM_RESET } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { expect } from 'expect';
import type { SharedDrill } from '../drill.ts';
import type { Stage } from '../stages/stage.ts';
import { millisecondsOf, quantile } from './timing.ts';

const ABUSERS = 71;
const RECONNECTS = 20;
/** IDs ahead of the log are waited for: 1 s, plus a margin for 71 concurrent clients. */
const RESET_WITHIN_MS = 5000;
const RESUMED_WITHIN_MS = 2000;
/** Timeout of a request. */
const TIMEOUT_MS = 15_000;

export const streamPositions: SharedDrill = {
  number: 37,
  name: 'Last-Event-ID: end, and other false positions',
  on: 'either',
  isShort: true,
  run: async (stage) => {
    const [rater, rated] = stage.users;
    // Starts after a live event, because the stream does not show backfilled facts.
    const [, before] = await readUntil(stage, undefined, /^id: (\S+)$/m);
    // A stack that has just started may shed the first writes.
    await eventually(async () => expect((await rater.rate(rated.username, { stars: 3 })).status).toBe(200));
    const [, position = ''] = await readUntil(stage, before, /^id: (\S+)\nevent: ratings$/m);
    await eventually(async () => expect((await rater.rate(rated.username, { stars: 4 })).status).toBe(200));
    const ids = hostileIds(position);
    const resetMs: number[] = [];
    const attack = Array.from({ length: ABUSERS }, async (_, abuser) => {
      for (const shift of ids.keys()) {
        const id = ids[(abuser + shift) % ids.length] ?? '';
        resetMs.push(await millisecondsOf(() => readUntil(stage, id, new RegExp(`^event: ${STREAM_RESET}$`, 'm'))));
      }
    });
    const resumedMs: number[] = [];
    const returns = async () => {
      for (let attempt = 0; attempt < RECONNECTS; attempt += 1) {
        resumedMs.push(
          await millisecondsOf(async () => {
            const [, event] = await readUntil(stage, position, new RegExp(`^event: (ratings|${STREAM_RESET})$`, 'm'));
            expect(event).toBe('ratings');
          }),
        );
      }
    };
    await Promise.all([...attack, returns()]);
    const [slowestReset, slowestResumed] = [Math.max(...resetMs), Math.max(...resumedMs)];
    const measured = [
      `${resetMs.length} requests of ${ABUSERS} clients with ${ids.length} ids: each a reset, half within ${quantile(resetMs, 0.5).toFixed(0)} ms, the slowest ${slowestReset.toFixed(0)} ms`,
      `${RECONNECTS} returns to a place that is kept meanwhile: each resumed, the slowest after ${slowestResumed.toFixed(0)} ms`,
    ].join('; ');
    if (slowestReset > RESET_WITHIN_MS || slowestResumed > RESUMED_WITHIN_MS) throw new Error(measured);
    return [measured];
  },
};

/** Keywords of the bus, malformed positions, positions of other logs, and positions beyond this log. */
function hostileIds(position: string): string[] {
  const [log = ''] = position.split('-');
  const offset = Number(position.split('-')[1]);
  const ahead = Array.from({ length: 5 }, (_, index) => `${log}-${offset + 500 + index}`);
  const words = ['end', 'end', 'end', 'start', 'end~1', 'x'.repeat(4000)];
  return [
    ...words,
    `${log}-00`,
    `${log}-1e3`,
    `${randomBytes(8).toString('hex')}-1`,
    `${log}-999999999999999`,
    ...ahead,
  ];
}

/**
 * Opens the stream, reads until the pattern matches, and disconnects.
 *
 * @returns the match
 */
async function readUntil({ url }: Stage, lastEventId: string | undefined, pattern: RegExp): Promise<readonly string[]> {
  const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url + streamEvents.path, { headers, signal });
  expect(answer.status).toBe(200);
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  throw new Error(`the stream with the id ${lastEventId ?? '(none)'} ended: ${text}`);
}
