import { z } from 'zod';
import { isRealTime, parseInstant } from './time.ts';

interface IntegerBounds {
  min: number;
  max: number;
}

/** Out-of-range values are rejected, never clamped. Messages continue the parameter's name. */
function decimalText({ min, max }: IntegerBounds) {
  const message = integerMessage({ min, max });
  return z
    .string({ error: message })
    .regex(/^[0-9]+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A query parameter, documented as an integer. */
export function integer({ min, max }: IntegerBounds) {
  return decimalText({ min, max }).meta({ type: 'integer', minimum: min, maximum: max });
}

/** A body field: a number or decimal text. The documented pattern admits fewer digits than the bound has. */
export function integerOrText({ min, max }: IntegerBounds) {
  const message = integerMessage({ min, max });
  const number = z.int({ error: message }).min(min, message).max(max, message);
  const more = String(max).length - 2;
  const pattern = min > 0 ? `^[1-9][0-9]{0,${more}}$` : `^[0-9]{1,${more + 1}}$`;
  return z.union([number, decimalText({ min, max }).meta({ pattern })]);
}

function integerMessage({ min, max }: IntegerBounds): string {
  return `must be an integer from ${min} to ${max}`;
}

/** An empty filter is no filter. */
export function emptyToUndefined(text: string): string | undefined {
  return text === '' ? undefined : text;
}

export const OFFSET_MAX = 100_000;
const anyOffset = integer({ min: 0, max: OFFSET_MAX });
export const offset = anyOffset.default(0);
/** For routes where an absent offset differs from 0. */
export const optionalOffset = anyOffset.optional();

export const pageCursor = z
  .string({ error: 'must be given once' })
  .min(1, 'must be one that an answer gave')
  .meta({ pattern: '^[A-Za-z0-9_-]+$' });

/** Every snapshot, or buckets of this many minutes. */
export const resolutions = ['raw', '30', '60', '1440'] as const;
export type Resolution = (typeof resolutions)[number];

export const resolution = oneOf(resolutions).default('raw');

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

const instantMessage = 'must be a time of the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS';

const INSTANT = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}Z?)?$/;

/** UTC; epoch seconds once parsed. */
export const queryInstant = z
  .string({ error: instantMessage })
  .regex(INSTANT, instantMessage)
  .refine(isRealTime, 'must be a time that exists')
  .transform(parseInstant)
  .meta({ type: 'string', pattern: INSTANT.source, example: '2026-01-31 18:05:00' });

/** Length in code points, as in JSON Schema. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

export function isTextWithin(text: string, max: number): boolean {
  return text.isWellFormed() && codePointLength(text) <= max;
}

/** Trimmed, not empty, well-formed. */
export function trimmedText(max: number) {
  const message = `must be a text of 1 to ${max} characters`;
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .refine((text) => isTextWithin(text, max), message)
    .meta({ maxLength: max });
}

export function limit({ max, default: fallback }: { max: number; default: number }) {
  return integer({ min: 1, max }).default(fallback);
}

/** A parameter that others exclude: for the schema of a query, and in words for its description. */
export function excludedBy<Name extends string, Other extends string>(name: Name, ...others: readonly Other[]) {
  return {
    text: `Not with ${others.map((other) => `\`${other}\``).join(' or ')}`,
    check: (query: Readonly<Partial<Record<Name | Other, unknown>>>, context: z.RefinementCtx): void => {
      for (const other of others) {
        if (query[name] === undefined || query[other] === undefined) continue;
        context.addIssue({ code: 'custom', path: [name], message: `can't be given with ${other}` });
      }
    },
  };
}

export const formats = ['json', 'csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];
/** Formats of the rows of a response, without its other fields. */
export type RowFormat = Exclude<Format, 'json'>;

export const format = oneOf(formats).default('json').meta({
  description:
    "csv (RFC 4180, a header, CRLF) and ndjson (a JSON value a line) bear the rows alone; a CSV cell that a spreadsheet would run as a formula has a `'` in front",
});

/** Added to every public JSON operation but searches. */
export const timeForm = z.enum(['iso'], { error: 'must be iso' }).optional().meta({
  description: '`iso`: timestamps in the response are ISO 8601 with `Z`, such as `2026-01-31T18:05:00Z`',
});

export const rowMediaTypes: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
