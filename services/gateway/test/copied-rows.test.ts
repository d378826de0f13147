import { operation } from '@lobbystats/contracts';
import * as fc from 'fast-check';
import { z } from 'zod';
import { renderRows } from '../src/domain/formats/render-rows.ts';

/** Rows of which every one can be copied, unless a text in it needs care. */
const listPlainThings = operation({
  id: 'listPlainThings',
  summary: 'Things without nested values',
  method: 'GET',
  path: '/plain-things',
  owner: 'series-api',
  audience: 'public',
  session: 'none',
  params: z.object({}),
  query: z.object({}),
  answer: z.array(z.strictObject({ name: z.string(), count: z.int().nullable(), isTime: z.boolean() })),
  rows: '',
  tags: () => [],
});
const csv = (json: string) =>
  renderRows({ operation: listPlainThings, query: {}, format: 'csv' }, Buffer.from(json)).toString();

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'=+-@＝＋－＠\t\r\n\'",\ufeffa'.split('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
});
const rows = fc.array(fc.record({ name: text, count: fc.option(fc.integer()), isTime: fc.boolean() }));

describe('rows without nested values as CSV', () => {
  it('are the same whether their bytes are copied or white space has them read as JSON', () => {
    fc.assert(
      fc.property(rows, (body) => {
        expect(csv(JSON.stringify(body))).toBe(csv(JSON.stringify(body, null, 1)));
      }),
    );
  });

  it.each(['=1', '+1', '-1', '@a', '＝1', '＋1', '－1', '＠a', '\t=1', '\r=1', '\n=1'])(
    'have an apostrophe in front of %j',
    (name) => {
      expect(csv(JSON.stringify([{ name, count: 1, isTime: true }]))).toContain(`'${name}`);
    },
  );
});
