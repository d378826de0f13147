import { operations, usernameKey, type Operation } from '@lobbystats/contracts';
import { z } from 'zod';
import type { Keeping } from '../domain/cache/wanted.ts';
import type { Values } from '../domain/owners.ts';

/** A parameter of so many values at most can be asked for in all of them without harm. */
const VALUES_MAX = 1000;

/** How a request for an operation is known again. */
export interface CacheRule {
  /** Equal for requests of equal answers alone. Nothing of a request but its canonical form is in it. */
  readonly key: (params: Values, query: Values, body: unknown) => string;
  readonly keeping: (query: Values) => Keeping;
  /** Whether a raw query has nothing in it but what is known. */
  readonly isWhollyKnown: (rawUrl: string) => boolean;
}

/**
 * What becomes of an operation's answers. Kept are those whose query says nothing that could be anything: each parameter is
 * absent, at its default, or one of a few values. What somebody typed, and what only one would come back for (a cursor, a
 * place far down a list, a past day), is asked for anew.
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

/** Whatever name is in its path, there is an answer. */
const ANYBODYS: ReadonlySet<string> = new Set([operations.searchOnePlayer.id]);

/** People are found by any spelling of their names. */
function keyed([name, value]: [string, Values[string]]): [string, Values[string]] {
  return [name, name === 'username' ? usernameKey(String(value)) : value];
}

/** Whether a parameter has but a few values: those of a list, or integers within bounds. */
function isListable(field: z.core.$ZodType): boolean {
  const { type, enum: values, minimum, maximum } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  if (values !== undefined) return true;
  return type === 'integer' && Number(maximum) - Number(minimum) < VALUES_MAX;
}
