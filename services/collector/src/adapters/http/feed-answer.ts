import { AppError } from '@lobbystats/errors';
import type { z } from 'zod';

/**
 * A part of the feed as its schema has it.
 *
 * @throws AppError `unavailable` for anything else
 */
export function understood<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw notUnderstood(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** @throws AppError `unavailable` for a body that is no JSON */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw notUnderstood('it is no JSON', error);
  }
}

/** What a feed that can't be understood is answered with: it is asked again. */
export function notUnderstood(reason: string, cause?: unknown): AppError {
  return new AppError('unavailable', `The history feed could not be understood: ${reason}`, { cause });
}
