import { DAY_SECONDS, formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { PageNotUnderstoodError } from '../network/page-failures.ts';
import type { Time } from '../time/time.ts';
import { FEED_MAX_BYTES } from '../feeds/feed-bounds.ts';
import type { Parse, ReadingOf } from '../parsing/parse-task.process.ts';
import type { RateLimitedClient } from '../network/rate-limited-client.http.ts';

export const HISTORY_LIMITS = { timeoutMs: 60_000, maxBytes: FEED_MAX_BYTES };

export interface HistorySource {
  client: RateLimitedClient;
  parse: Parse;
  time: Time;
  url: string;
}

type FetchPart<Reading> = (from: EpochSeconds, to: EpochSeconds, cursor: string | null) => Promise<Reading | undefined>;

export function createPartFetcher<Name extends 'pastBoards' | 'pastPlayers'>(
  { client, parse, time, url }: HistorySource,
  parser: Name,
): FetchPart<ReadingOf<Name>> {
  return async (from, to, cursor) => {
    const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
    if (cursor !== null) query.set('cursor', cursor);
    await client.acquire(time.now() + DAY_SECONDS * 1000, 'first');
    const headers = { Accept: 'application/json' };
    const { status, body } = await client.get(`${url}?${query.toString()}`, headers, HISTORY_LIMITS);
    if (status === 404 && cursor === null) return undefined;
    if (status !== 200) throw new AppError('unavailable', `The history feed ${url} returned status ${status}`);
    const part = await parse(parser, body);
    if (part.next !== null && part.next === cursor) throw new PageNotUnderstoodError('its `next` does not advance');
    return part;
  };
}
