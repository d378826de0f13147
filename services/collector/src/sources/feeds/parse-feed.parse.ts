import { exceedsDepth } from '@lobbystats/service-kit/json-depth';
import { z } from 'zod';
import { GAME_NAME_MAX } from '@lobbystats/contracts';
import { UnparseablePageError } from '../../network/page-failures.ts';

/** Bytes of a JSON feed, at most: 190,000 players of 170 bytes each. */
export const FEED_MAX_BYTES = 32 * 1024 * 1024;

const FEED_MAX_DEPTH = 32;

/**
 * Parses a JSON feed.
 *
 * @param keepsDigits numbers of more digits than a number has become texts
 * @throws UnparseablePageError for invalid JSON; final when the text exceeds the size or depth limit
 */
export function parseFeed(text: string, keepsDigits = false): unknown {
  if (text.length > FEED_MAX_BYTES) throw outOfBounds(`it is longer than ${FEED_MAX_BYTES} bytes`);
  if (exceedsDepth(FEED_MAX_DEPTH, text)) throw outOfBounds(`it is deeper than ${FEED_MAX_DEPTH} levels`);
  try {
    return keepsDigits ? JSON.parse(text, digitForDigit as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);
  } catch {
    throw new UnparseablePageError('it is not JSON');
  }
}

/** Digits that a number keeps. */
const MAX_DIGITS = 15;

function digitForDigit(_: string, value: unknown, { source = '' }: { source?: string }): unknown {
  const isKept = typeof value !== 'number' || (!/e/i.test(source) && source.replace(/\D/g, '').length <= MAX_DIGITS);
  return isKept ? value : source;
}

/**
 * Validates a value against a schema.
 *
 * @throws UnparseablePageError with the first issue
 */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UnparseablePageError(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

function outOfBounds(reason: string): UnparseablePageError {
  return new UnparseablePageError(reason, { isFinal: true });
}

/** A longer name is refused: a part of it would be another one. */
export const gameName = z.string().max(GAME_NAME_MAX);
