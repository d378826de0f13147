import { DAY_SECONDS, formatInstant, parseInstant, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { SnapshotHistory } from './snapshot-history.ts';
import { PageNotUnderstoodError } from '../network/page-failures.ts';
import type { Time } from '../time/time.ts';
import type { Parse, ReadingOf } from '../parsing/parse-task.process.ts';
import { HISTORY_LIMITS } from './part-fetcher.http.ts';
import type { RateLimitedClient } from '../network/rate-limited-client.http.ts';

export interface HistoryFeedParts {
  client: RateLimitedClient;
  parse: Parse;
  time: Time;
  url: string;
}

export function createHistoryFeed({ client, parse, time, url }: HistoryFeedParts): SnapshotHistory {
  return {
    async *slots(from, to) {
      for await (const observation of elements('pastSlots', from, to, SLOT_SECONDS)) {
        expectInRange(observation.slot, from, to);
        yield observation;
      }
    },
    async *days(from, to) {
      for await (const day of elements('pastDays', from, to, DAY_SECONDS)) {
        expectInRange(day.seenAt, from, to);
        yield day;
      }
    },
  };

  async function* elements<Name extends 'pastSlots' | 'pastDays'>(
    parser: Name,
    from: EpochSeconds,
    to: EpochSeconds,
    step: number,
  ): AsyncGenerator<ReadingOf<Name>['elements'][number]> {
    for (let next: EpochSeconds | undefined = from; next !== undefined;) {
      const part: ReadingOf<Name> = await parse(parser, await ask(next, to, step));
      yield* part.elements;
      const following: EpochSeconds | undefined = part.next === null ? undefined : parseInstant(part.next);
      if (following !== undefined && following <= next) throw new PageNotUnderstoodError('its `next` does not advance');
      next = following;
    }
  }

  async function ask(from: EpochSeconds, to: EpochSeconds, step: number): Promise<Buffer> {
    const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
    if (step !== SLOT_SECONDS) query.set('step', String(step));
    // About 30 requests in total, so they get the highest priority.
    await client.acquire(time.now() + DAY_SECONDS * 1000, 'first');
    const headers = { Accept: 'application/json' };
    const { status, body } = await client.get(`${url}?${query.toString()}`, headers, HISTORY_LIMITS);
    if (status !== 200) throw new AppError('unavailable', `The history feed returned status ${status}`);
    return body;
  }
}

function expectInRange(instant: string, from: EpochSeconds, to: EpochSeconds): void {
  const seconds = parseInstant(instant);
  if (seconds < from || seconds >= to)
    throw new PageNotUnderstoodError(`it has ${instant}, which is outside of the requested range`);
}
