import { AppError } from '@lobbystats/errors';
import type { z } from 'zod';
import { isDeeperThan } from '../json-depth.ts';
import type { AnyOperation, Body } from './route.ts';

/** Far deeper than any body that a schema accepts. */
const DEPTH_MAX = 32;
/** Longer than the name of any field. */
const NAME_MAX = 64;

/**
 * The body of an operation by its schema; undefined where it declares none. Unknown fields are ignored, or refused where the
 * schema is strict, whatever they are called.
 *
 * @param bytes the body as it came in
 * @throws AppError `invalid`; its message names the field: `players[0].rank must be an integer`
 */
export function parseBody<Op extends AnyOperation>(operation: Op, bytes: Buffer): Body<Op> {
  return operation.body === undefined ? (undefined as Body<Op>) : parseFields(operation, readJson(bytes));
}

/**
 * The same of a body whose JSON has been read.
 *
 * @param secret what no message may hold, although a field be called so
 * @throws AppError `invalid`
 */
export function parseFields<Op extends AnyOperation>(operation: Op, json: unknown, secret?: string): Body<Op> {
  if (operation.body === undefined) return undefined as Body<Op>;
  const parsed = operation.body.safeParse(json, { error: wording });
  if (parsed.success) return parsed.data as Body<Op>;
  const [issue] = parsed.error.issues;
  const unknownName = (name = '') => shortened(secret === undefined ? name : name.replaceAll(secret, '…'));
  throw new AppError('invalid', issue === undefined ? 'The body must be valid' : sentenceOf(issue, unknownName));
}

/** @throws AppError `invalid` for what isn't JSON in UTF-8, or deeper than {@link DEPTH_MAX} */
export function readJson(bytes: Buffer): unknown {
  const text = textOf(bytes);
  if (text !== undefined && isDeeperThan(DEPTH_MAX, text)) {
    throw new AppError('invalid', `The body must not be deeper than ${DEPTH_MAX} levels`);
  }
  const parsed = text === undefined ? undefined : parsedOf(text);
  // What the parser throws quotes the body, which may hold a key.
  if (parsed === undefined) throw new AppError('invalid', 'The body must be JSON in UTF-8');
  return parsed.json;
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parsedOf(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** What is wrong with which field. Of the choices that a field has, the last is told of: the others clear it. */
function sentenceOf(
  issue: z.core.$ZodIssue,
  unknownName: (name: string | undefined) => string,
  above: readonly PropertyKey[] = [],
): string {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const chosen = issue.errors.at(-1)?.[0];
    if (chosen !== undefined) return sentenceOf(chosen, unknownName, path);
  }
  if (issue.code === 'unrecognized_keys') return `${nameOf([...path, unknownName(issue.keys[0])])} is not known`;
  return `${nameOf(path)} ${issue.message}`;
}

/** A name that a caller chose. */
function shortened(name: string): string {
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name;
}

/** `players[0].rank`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'The body' : name.replace(/^\./, '');
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

/** What is said of a field whose schema has no words of its own; the library's would quote the input. */
function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'valid'}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return 'must be valid';
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' long' : '';
}
