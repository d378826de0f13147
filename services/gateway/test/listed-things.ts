import { formats, operation, type RowFormat } from '@lobbystats/contracts';
import * as fc from 'fast-check';
import { z } from 'zod';
import { renderRows } from '../src/formats/format-response.ts';

/** An operation with rows of all field types. */
export const listThings = operation({
  id: 'listThings',
  summary: 'Things',
  method: 'GET',
  path: '/things',
  upstream: 'series-api',
  audience: 'public',
  session: 'none',
  params: z.object({}),
  query: z.object({ format: z.enum(formats) }),
  response: z.strictObject({
    about: z.string(),
    rows: z.array(
      z.strictObject({
        name: z.string(),
        count: z.number().nullable(),
        isTime: z.boolean(),
        constructor: z.string(),
        nested: z.array(z.string()),
      }),
    ),
    total: z.int(),
  }),
  rows: 'rows',
  tags: [],
});

export const render = (format: RowFormat, json: string) =>
  renderRows({ operation: listThings, query: {}, format }, Buffer.from(json)).toString();

/** Texts with many characters that are special in CSV and JSON. */
export const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'"\',;=+-@\t\r\n＝＋－＠\\{}[]: ab/\0\u2028\ufeff'.split(''), '"rows":['),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
});
const thing = fc.record({
  name: text,
  count: fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
  isTime: fc.boolean(),
  constructor: text,
  nested: fc.array(text, { maxLength: 2 }),
});
/** Responses of the operation. */
export const answer = fc.record({ about: text, rows: fc.array(thing, { maxLength: 5 }), total: fc.nat() });
