import { z } from 'zod';
import { isRealTime, parseInstant } from './time.ts';

/** Bounds of an integer in a query. */
export interface IntegerBounds {
  min: number;
  max: number;
}

/**
 * An integer as text: decimal digits only, within its bounds. Anything else is refused, never clamped.
 * The message reads on from the parameter's name: "days must be an integer from 1 to 365".
 */
export function decimalText({ min, max }: IntegerBounds) {
  const message = integerMessage({ min, max });
  return z
    .string({ error: message })
    .regex(/^[0-9]+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** An integer in a query, which is given as text and documented as an integer. */
export function integer({ min, max }: IntegerBounds) {
  return decimalText({ min, max }).meta({ type: 'integer', minimum: min, maximum: max });
}

/** An integer in a body: a number, or the same number as decimal text. */
export function integerOrText({ min, max }: IntegerBounds) {
  const message = integerMessage({ min, max });
  const number = z.int({ error: message }).min(min, message).max(max, message);
  return z.union([number, decimalText({ min, max })]);
}

function integerMessage({ min, max }: IntegerBounds): string {
  return `must be an integer from ${min} to ${max}`;
}

/** Maps an empty filter to an absent one: `?game=` lists what no `game` at all lists. */
export function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

const anyOffset = integer({ min: 0, max: 100_000 });
/** `offset` of every paged route. */
export const offset = anyOffset.default(0);
/** The same where it matters whether it was given. */
export const givenOffset = anyOffset.optional();

/** Width of the buckets of a series: every snapshot, or buckets of so many minutes. */
export const resolutions = ['raw', '30', '60', '1440'] as const;
export type Resolution = (typeof resolutions)[number];

/** `resolution` of a series. */
export const resolution = oneOf(resolutions).default('raw');

/** A text that must be one of a few. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

const instantMessage = 'must be a time of the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS';

const INSTANT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}Z?)?$/;

/** A time in a query, UTC, in epoch seconds once parsed: a day's beginning, or an instant with a space or `T`, and `Z` at will. */
export const queryInstant = z
  .string({ error: instantMessage })
  .regex(INSTANT, instantMessage)
  .refine(isRealTime, 'must be a time that exists')
  .transform(parseInstant)
  .meta({ type: 'string', pattern: INSTANT.source, example: '2026-01-31 18:05:00' });

/** How many characters a text has: code points, as JSON Schema counts them. */
export function charactersIn(text: string): number {
  return Array.from(text).length;
}

/** Whether a text is one of real characters, at most so many. */
export function isTextWithin(text: string, max: number): boolean {
  return text.isWellFormed() && charactersIn(text) <= max;
}

/** A text that a person typed: trimmed, not empty, of real characters. */
export function typedText(max: number) {
  const message = `must be a text of 1 to ${max} characters`;
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .refine((text) => isTextWithin(text, max), message)
    .meta({ maxLength: max });
}

/** A page's length. */
export function limit({ max, usual }: { max: number; usual: number }) {
  return integer({ min: 1, max }).default(usual);
}
