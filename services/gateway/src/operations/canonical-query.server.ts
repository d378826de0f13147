import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '@lobbystats/contracts';
import { parseQuery, readQuery } from '@lobbystats/service-kit';
import { z } from 'zod';
import type { Values } from '../upstreams/upstreams.ts';

/**
 * Known parameters with defaults, each in its canonical text. A value that its schema transforms, such as a time, stays
 * as given.
 *
 * @throws AppError `invalid`, with the parameter's name and its schema's message
 */
export function canonicalQuery(operation: Operation, rawUrl: string): Values {
  const shape: Readonly<Record<string, z.core.$ZodType>> = operation.query.shape;
  const parsed = parseQuery(operation, rawUrl);
  const rawValues = readQuery(shape, rawUrl);
  const canonical: Record<string, string> = {};
  for (const [name, value] of Object.entries(parsed) as [string, ParsedValue][]) {
    if (value === undefined) continue;
    const plain = String(value);
    const text = rawValues[name];
    const isPlain = typeof text !== 'string' || text === plain || isRoundTrip(shape[name], value);
    canonical[name] = isPlain ? plain : text;
  }
  return canonical;
}

type ParsedValue = string | number | readonly string[] | undefined;

/** Whether a parsed value's text parses to the same value. */
function isRoundTrip(schema: z.core.$ZodType | undefined, value: ParsedValue): boolean {
  return schema !== undefined && isDeepStrictEqual(z.safeParse(schema, String(value)).data, value);
}
