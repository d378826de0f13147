import { operations, usernameKey, type Operation } from '@lobbystats/contracts';
import { z } from 'zod';
import type { Keeping } from '../domain/cache/wanted.ts';
import type { Values } from '../domain/owners.ts';

const VALUES_MAX = 1000;

export interface CacheRule {
  /** Equal for requests with equal answers alone, from the canonical form. */
  readonly key: (params: Values, query: Values, body: unknown) => string;
  readonly keeping: (query: Values) => Keeping;
  /** Whether a raw query has known parameters alone. */
  readonly isWhollyKnown: (rawUrl: string) => boolean;
}

/**
 * Stored are answers whose parameters are absent, default, or of a few values. Free text, cursors, deep offsets and past
 * days are fetched each time.
 */
export function cacheRule(operation: Operation): CacheRule {
  const { id, freshFor, query: schema } = operation;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const listable = new Map(Object.entries(shape).map(([name, field]) => [name, isListable(field)]));
  const defaults: Readonly<Record<string, unknown>> = schema.safeParse({}).data ?? {};
  const isKept = (name: string, value: unknown) =>
    listable.get(name) === true || value === undefined || value === String(defaults[name]);
  return {
    key: (params, query, body) => JSON.stringify([id, Object.entries(params).map(keyed), query, body]),
    keeping: (query) => {
      const isTyped = ANYBODYS.has(id) || !Object.entries(query).every(([name, value]) => isKept(name, value));
      if (isTyped) return 'shared';
      return freshFor === 'never' ? 'revalidated' : 'kept';
    },
    isWhollyKnown: (rawUrl) => {
      const [, query = ''] = rawUrl.split(/[?#](.*)/s, 2);
      return query === '' || query.split('&').every((pair) => listable.has(pair.split('=', 1)[0] ?? ''));
    },
  };
}

/** Any path parameter gets a 200, so storing would be unbounded. */
const ANYBODYS: ReadonlySet<string> = new Set([operations.searchOnePlayer.id]);

/** Usernames match in any spelling. */
function keyed([name, value]: [string, Values[string]]): [string, Values[string]] {
  return [name, name === 'username' ? usernameKey(String(value)) : value];
}

/** A list of values, or bounded integers. */
function isListable(field: z.core.$ZodType): boolean {
  const { type, enum: values, minimum, maximum } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  if (values !== undefined) return true;
  return type === 'integer' && Number(maximum) - Number(minimum) < VALUES_MAX;
}
