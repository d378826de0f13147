import { DAY_SECONDS, formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import type { Time } from '../../domain/time.ts';
import { FEED_MAX_BYTES } from '../json/feed-bounds.ts';
import type { Parse, ReadingOf } from '../parser/parse-task.ts';
import type { PoliteClient } from './polite-client.ts';

/** Limits of one answer; the feed says where the next begins. */
export const HISTORY_ANSWER = { timeoutMs: 60_000, maxBytes: FEED_MAX_BYTES };

/** A feed that tells the past part by part. */
export interface HistoryFeed {
  client: PoliteClient;
  parse: Parse;
  time: Time;
  /** The feed's address, to which `from`, `to` and `cursor` are added. */
  url: string;
}

type AskPart<Reading> = (from: EpochSeconds, to: EpochSeconds, cursor: string | null) => Promise<Reading | undefined>;

/**
 * Asks a feed of the simulated network for its past, a part at a time.
 *
 * @param parser reads its parts
 * @returns asks for the part at a cursor, the first at null: undefined when there is no such feed. Rejects with `unavailable`
 *   when it can't be had, with a PageNotUnderstoodError when it can't be read.
 */
export function historyParts<Name extends 'pastBoards' | 'pastPlayers'>(
  { client, parse, time, url }: HistoryFeed,
  parser: Name,
): AskPart<ReadingOf<Name>> {
  return async (from, to, cursor) => {
    const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
    if (cursor !== null) query.set('cursor', cursor);
    await client.turn(time.now() + DAY_SECONDS * 1000, 'first');
    const headers = { Accept: 'application/json' };
    const { status, body } = await client.get(`${url}?${query.toString()}`, headers, HISTORY_ANSWER);
    if (status === 404 && cursor === null) return undefined;
    if (status !== 200) throw new AppError('unavailable', `The history feed ${url} answers ${status}`);
    const part = await parse(parser, body);
    if (part.next !== null && part.next === cursor) throw new PageNotUnderstoodError('it goes round in circles');
    return part;
  };
}
