import { z } from 'zod';
import { allOperations, isoTimesOf, operations, timeForm, timestamp } from '../src/index.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const { pattern } = z.toJSONSchema(timestamp);
const publicJson = allOperations.filter(({ audience, mediaType }) => audience === 'public' && mediaType === undefined);

/** Every field of a schema with whether it is a timestamp; elements of lists and values of maps have the name `''`. */
function fieldsIn(schema: Schema | undefined, name = ''): [name: string, isTimestamp: boolean][] {
  if (typeof schema !== 'object') return [];
  const { anyOf = [], properties = {}, items, additionalProperties } = schema as Record<string, never>;
  const options = (anyOf as Schema[]).filter(({ type }) => type !== 'null');
  if (options.length > 0) return options.flatMap((option) => fieldsIn(option, name));
  const elements = (items as Schema | undefined)?.pattern;
  return [
    [name, schema.pattern === pattern || elements === pattern],
    ...Object.entries<Schema>(properties).flatMap(([field, one]) => fieldsIn(one, field)),
    ...(elements === pattern ? [] : fieldsIn(items)),
    ...fieldsIn(additionalProperties),
  ];
}

describe('isoTimesOf', () => {
  const history = isoTimesOf(operations.getMatchHistory);

  it('rewrites the timestamps of the response and nothing else', () => {
    const match = { hostName: 'timestamp', timestamp: '2026-01-31 18:05:00', note: '2026-01-31 18:05:00' };
    const iso = { ...match, timestamp: '2026-01-31T18:05:00Z' };
    expect(JSON.parse(history(JSON.stringify({ matches: [match] })))).toEqual({ matches: [iso] });
  });

  it('leaves texts as they are that contain a timestamp field', () => {
    for (const hostName of ['"timestamp":"2026-01-31 18:05:00"', '\\","timestamp":"2026-01-31 18:05:00"']) {
      const text = JSON.stringify({ matches: [{ hostName }] });
      expect(history(text)).toBe(text);
    }
  });

  it('leaves days as they are', () => {
    const text = JSON.stringify([{ date: '2026-01-31', registered_count: 1 }]);
    expect(isoTimesOf(operations.getDailyRegistered)(text)).toBe(text);
  });

  it.each(publicJson)('finds every timestamp of $id, under names that mean nothing else there', ({ response }) => {
    const fields = fieldsIn(z.toJSONSchema(response, { unrepresentable: 'any' }));
    const isoTimes = isoTimesOf({ response });
    for (const [name, isTimestamp] of fields) {
      for (const value of ['2026-01-31 18:05:00', ['2026-01-31 18:05:00', '2026-01-31 18:10:00']]) {
        const rewritten = isoTimes(JSON.stringify({ [name]: value }));
        const iso = JSON.stringify({ [name]: value }).replaceAll(/(\S{10}) (\S{8})/g, '$1T$2Z');
        expect(rewritten).toBe(isTimestamp ? iso : JSON.stringify({ [name]: value }));
      }
    }
  });
});

describe('time=iso', () => {
  it.each(publicJson.filter(({ hasTimestamps }) => hasTimestamps !== false))('is a parameter of $id', ({ query }) => {
    const messageFor = (time: unknown) => z.safeParse(query.shape['time'] as z.ZodType, time).error?.issues[0]?.message;
    expect([messageFor('iso'), messageFor(undefined)]).toEqual([undefined, undefined]);
    for (const other of ['ISO', '', 'plain', ['iso', 'iso']]) expect(messageFor(other)).toBe('must be iso');
  });

  it('is no parameter of internal operations, of searches, and of operations that respond with text', () => {
    const others = allOperations.filter(
      (operation) => !publicJson.includes(operation) || operation.hasTimestamps === false,
    );
    const taking = others.filter(({ query }) => query.shape['time'] === timeForm);
    expect(taking).toEqual([]);
  });
});
