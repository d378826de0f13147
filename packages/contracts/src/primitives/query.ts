import { z } from 'zod';

/** Bounds of an integer in a query. */
export interface IntegerBounds {
  min: number;
  max: number;
}

/**
 * An integer in a query: decimal digits only, within its bounds, given once. Anything else is refused, never clamped.
 * The message reads on from the parameter's name: "days must be an integer from 1 to 365".
 */
export function integer({ min, max }: IntegerBounds) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string({ error: message })
    .regex(/^[0-9]+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** `offset` of every paged route. */
export const offset = integer({ min: 0, max: 100_000 }).default(0);

/** Width of the buckets of a series: every snapshot, or buckets of so many minutes. */
export const resolutions = ['raw', '30', '60', '1440'] as const;
export type Resolution = (typeof resolutions)[number];

/** `resolution` of a series. */
export const resolution = oneOf(resolutions).default('raw');

/** A text that must be one of a few. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}
