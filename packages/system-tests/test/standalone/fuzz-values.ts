import fc from 'fast-check';
import type { Schema } from './fuzz-document.ts';

/** Texts that commonly break parsers. */
const hostileTexts: readonly string[] = [
  ...['', ' ', '.', '..', '../../internal/titles', '/', '\\', '%', '%00', '%2e%2e%2f', '+', '#', '?', '&a=b', ';', ','],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    'true',
    '[]',
    '{}',
  ],
  ...[
    '{"$gt":""}',
    '$where',
    '[$ne]',
    "' OR 1=1 --",
    '"; DROP TABLE users; --',
    '${jndi:ldap://x}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...['0', '-1', '00', '007', '1e9', '1.5', '0x10', ' 1', '１', '9007199254740993', '9'.repeat(400), '-0', 'Infinity'],
  ...['\0', '\r\nSet-Cookie: a=b', '\u202e', '\ufeff', '\u{1f3c1}', 'ﬁ', 'İ', 'ß', 'é', 'e\u0301', '\u2028', '\ud800'],
  ...['0000-00-00', '2026-02-30', '2026-01-31T25:00:00Z', '99999-01-01', '1:60', '1:02.', '::', 'javascript:alert(1)'],
  ...['x'.repeat(100), 'x'.repeat(2000), ' '.repeat(2000), 'a,'.repeat(500)],
];

/** Arbitrary texts, mostly hostile ones. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileTexts), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 1 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 1 },
);

/** Arbitrary JSON: odd names, deep nesting, numbers out of range. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileText, fc.oneof(hostileText, fc.constantFrom(null, 1e308, -0, [], {}))),
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1e308, 2 ** 53, [], {}, { $gt: '' }, [[[[[[]]]]]]),
);

/** Values that a schema accepts. */
export function valueOf(schema: Schema, resolve: (schema: Schema) => Schema): fc.Arbitrary<unknown> {
  const { anyOf, oneOf, enum: values, const: constant, examples, type, ...json } = resolve(schema);
  const choices = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueOf(choice, resolve)));
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const types = [type ?? 'any'].flat() as string[];
  const arbitrary = fc.oneof(...types.map((one) => valueOfType(one, json, resolve)));
  return Array.isArray(examples) && examples.length > 0 ? fc.oneof(arbitrary, fc.constantFrom(...examples)) : arbitrary;
}

function valueOfType(type: string, json: Schema, resolve: (schema: Schema) => Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(json);
    case 'integer':
    case 'number':
      return integerOf(json);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf((json['items'] ?? {}) as Schema, resolve), {
        minLength: numberOf(json['minItems'], 0),
        maxLength: Math.min(numberOf(json['maxItems'], 5), 25),
      });
    case 'object':
      return objectOf(json, resolve);
    default:
      return hostileJson;
  }
}

function objectOf(json: Schema, resolve: (schema: Schema) => Schema): fc.Arbitrary<unknown> {
  const properties = Object.entries((json['properties'] ?? {}) as Record<string, Schema>);
  const fields = Object.fromEntries(properties.map(([name, schema]) => [name, valueOf(schema, resolve)]));
  return fc.record(fields, { requiredKeys: (json['required'] ?? []) as string[] });
}

/** Generates the bounds often. */
function integerOf(json: Schema): fc.Arbitrary<number> {
  const [min, max] = [numberOf(json['minimum'], 0), numberOf(json['maximum'], 2 ** 31)];
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
}

function textOf(json: Schema): fc.Arbitrary<string> {
  const { pattern } = json;
  const bounds = {
    minLength: numberOf(json['minLength'], 0),
    maxLength: Math.min(numberOf(json['maxLength'], 60), 2000),
  };
  if (typeof pattern !== 'string') return fc.string({ unit: 'grapheme', ...bounds });
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    return fc.string(bounds);
  }
}

function numberOf(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
