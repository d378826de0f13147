import type { Reply } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import type { z } from 'zod';
import type { AnyOperation } from './route.ts';
import { notFound } from './send-error.ts';

/** Query parameters as they were given: a list where one was given more than once. */
export type GivenQuery = Readonly<Record<string, string | readonly string[]>>;

/**
 * Path parameters by their schemas.
 *
 * @param rawParams percent-decoded
 * @throws AppError `not-found`: what has no valid name can't exist; `invalid` where the schema's issue says that such a
 *   name is malformed (its `params`: `{ malformed: true }`)
 */
export function parseParams<Op extends AnyOperation>(
  operation: Op,
  rawParams: Readonly<Record<string, unknown>>,
): z.output<Op['params']> {
  const parsed = operation.params.safeParse(rawParams);
  if (parsed.success) return parsed.data as z.output<Op['params']>;
  const [issue] = parsed.error.issues;
  const name = issue?.path[0];
  if (issue?.code === 'custom' && issue.params?.['malformed'] === true) {
    throw new AppError('invalid', `${String(name)} ${issue.message}`);
  }
  throw notFound(nounOf(name));
}

/**
 * The query by its schema. Unknown parameters are ignored unread, whatever they are called.
 *
 * @param rawUrl path and query as they came in
 * @throws AppError `invalid`, with the parameter's name and its schema's message
 */
export function parseQuery<Op extends AnyOperation>(operation: Op, rawUrl: string): z.output<Op['query']> {
  const parsed = operation.query.safeParse(readQuery(operation.query.shape, rawUrl));
  if (parsed.success) return parsed.data as z.output<Op['query']>;
  const [issue] = parsed.error.issues;
  const [name] = issue?.path ?? [];
  const message = issue?.message ?? 'must be valid';
  throw new AppError('invalid', name === undefined ? message : `${String(name)} ${message}`);
}

/**
 * The parameters of a query that are known, decoded once; `+` is a space.
 *
 * @param known an object with the known names as its own keys
 * @throws AppError `invalid` for malformed percent-encoding or UTF-8
 */
export function readQuery(known: object, rawUrl: string): GivenQuery {
  const given = Object.create(null) as Record<string, string | readonly string[]>;
  const [beforeFragment = ''] = rawUrl.split('#', 1);
  const start = beforeFragment.indexOf('?');
  if (start === -1) return given;
  for (const pair of beforeFragment.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || !Object.hasOwn(known, name)) continue;
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined) throw new AppError('invalid', `${name} must be percent-encoded UTF-8`);
    const before = given[name];
    given[name] = before === undefined ? value : [before, value].flat();
  }
  return given;
}

/** The same query with some parameters instead, or without them, as a reference relative to the request. */
export function replaced(given: GivenQuery, instead: NonNullable<Reply<AnyOperation>['next']>): string {
  const pairs = Object.entries({ ...given, ...instead })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `?${pairs.join('&')}`;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** `titleId` names a title. */
function nounOf(parameter: PropertyKey | undefined): string {
  return String(parameter ?? 'resource').replace(/(?<=.)Id$/, '');
}
