import { DAY_SECONDS, formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { z } from 'zod';
import type { Time } from '../../domain/time.ts';
import { jsonOf, notUnderstood, understood } from './feed-answer.ts';
import type { PoliteClient } from './polite-client.ts';

/** Limits of one answer; the feed says where the next begins. */
const ANSWER = { timeoutMs: 60_000, maxBytes: 32 * 1024 * 1024 };

/** A feed that tells the past part by part. */
export interface HistoryFeed {
  client: PoliteClient;
  time: Time;
  /** The feed's address, to which `from`, `to` and `cursor` are added. */
  url: string;
}

interface HistoryPartsOptions<Answer> extends HistoryFeed {
  /** Whose past it tells, for errors. */
  of: string;
  answer: Answer;
}

/** What a feed answers: what it tells, and where the next part begins; null behind the last one. */
type FeedAnswer = z.ZodType<{ next: string | null }>;

type AskPart<Answer extends FeedAnswer> = (
  from: EpochSeconds,
  to: EpochSeconds,
  cursor: string | null,
) => Promise<z.output<Answer> | undefined>;

/**
 * Asks a feed of the simulated network for its past, a part at a time.
 *
 * @returns asks for the part at a cursor, the first at null: undefined when there is no such feed. Rejects with `unavailable`
 *   when it can't be had or understood.
 */
export function historyParts<Answer extends FeedAnswer>(options: HistoryPartsOptions<Answer>): AskPart<Answer> {
  const { client, time, url, of, answer } = options;
  return async (from, to, cursor) => {
    const query = new URLSearchParams({ from: formatInstant(from), to: formatInstant(to) });
    if (cursor !== null) query.set('cursor', cursor);
    await client.turn(time.now() + DAY_SECONDS * 1000, 'first');
    const { status, body } = await client.get(`${url}?${query.toString()}`, { Accept: 'application/json' }, ANSWER);
    if (status === 404 && cursor === null) return undefined;
    if (status !== 200) throw new AppError('unavailable', `The history feed of ${of} answers ${status}`);
    const part = understood(answer, jsonOf(body));
    if (part.next !== null && part.next === cursor) throw notUnderstood('it goes round in circles');
    return part;
  };
}
