import { isDeeperThan } from '@lobbystats/service-kit/json-depth';
import type { z } from 'zod';
import { PageNotUnderstoodError } from '../../domain/page-failures.ts';
import { FEED_MAX_BYTES, FEED_MAX_DEPTH } from './feed-bounds.ts';

/**
 * The value of a JSON feed within bounds.
 *
 * @throws PageNotUnderstoodError for a text that is no JSON; final for one that is longer or deeper than feeds may be
 */
export function parseFeed(text: string): unknown {
  if (text.length > FEED_MAX_BYTES) throw outOfBounds(`it is longer than ${FEED_MAX_BYTES} bytes`);
  if (isDeeperThan(FEED_MAX_DEPTH, text)) throw outOfBounds(`it is deeper than ${FEED_MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw new PageNotUnderstoodError('it is no JSON');
  }
}

/**
 * A value as its schema has it.
 *
 * @throws PageNotUnderstoodError for anything else, with the first thing that is wrong
 */
export function understood<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PageNotUnderstoodError(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

function outOfBounds(reason: string): PageNotUnderstoodError {
  return new PageNotUnderstoodError(reason, { isFinal: true });
}
