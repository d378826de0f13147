import { operations, usernameKey, type Operation } from '@lobbystats/contracts';
import { z } from 'zod';
import type { CachePolicy } from './cache-request.ts';
import type { Values } from '../upstreams/upstreams.ts';

const VALUES_MAX = 1000;

export interface CacheRule {
  /** Equal only for requests with equal responses. Built from the canonical form. */
  readonly key: (params: Values, query: Values, body: unknown) => string;
  readonly policy: (query: Values) => CachePolicy;
  /** Whether a raw query has no unknown parameters. */
  readonly hasOnlyKnownParameters: (rawUrl: string) => boolean;
}

/**
 * Responses are stored if their parameters are absent, default, or have few values. Free text, cursors, deep offsets and
 * past days are fetched each time.
 */
export function cacheRule(operation: Operation): CacheRule {
  const { id, freshFor, query: schema } = operation;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const listable = new Map(Object.entries(shape).map(([name, field]) => [name, isListable(field)]));
  const defaults: Readonly<Record<string, unknown>> = schema.safeParse({}).data ?? {};
  const isStorable = (name: string, value: unknown) =>
    listable.get(name) === true || value === undefined || value === String(defaults[name]);
  return {
    key: (params, query, body) => JSON.stringify([id, Object.entries(params).map(normalizeParameter), query, body]),
    policy: (query) => {
      const isUnbounded =
        UNBOUNDED_OPERATIONS.has(id) || !Object.entries(query).every(([name, value]) => isStorable(name, value));
      if (isUnbounded) return 'coalesce';
      return freshFor === 'never' ? 'revalidate' : 'store';
    },
    hasOnlyKnownParameters: (rawUrl) => {
      const [, query = ''] = rawUrl.split(/[?#](.*)/s, 2);
      return query === '' || query.split('&').every((pair) => listable.has(pair.split('=', 1)[0] ?? ''));
    },
  };
}

/** Any path parameter gets a 200, so storing would be unbounded. */
const UNBOUNDED_OPERATIONS: ReadonlySet<string> = new Set([operations.searchOnePlayer.id]);

/** Usernames match in any spelling. */
function normalizeParameter([name, value]: [string, Values[string]]): [string, Values[string]] {
  return [name, name === 'username' ? usernameKey(String(value)) : value];
}

/** A list of values, or bounded integers. */
function isListable(field: z.core.$ZodType): boolean {
  const { type, enum: values, minimum, maximum } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  if (values !== undefined) return true;
  return type === 'integer' && Number(maximum) - Number(minimum) < VALUES_MAX;
}
