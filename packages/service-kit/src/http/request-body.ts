import type { IncomingMessage } from 'node:http';
import { AppError } from '@lobbystats/contracts/errors';
import { parse } from 'content-type';
import type { z } from 'zod';
import { exceedsDepth } from '../json-depth.ts';
import { BODY_BYTES_MAX, readBytes, tooLarge } from './body-bytes.ts';
import type { AnyOperation, Body } from './route.ts';
import { HttpError } from './send-response.ts';

/** Reads an uncompressed JSON body. @throws HttpError 415 by its headers, and as {@link readBytes} */
export async function readBody(req: IncomingMessage): Promise<Buffer> {
  const { headers } = req;
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  if (parse(headers['content-type'] ?? '').type !== 'application/json') {
    throw new HttpError(415, 'Content-Type must be application/json');
  }
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') throw new HttpError(415, 'The body must not be compressed');
  return readBytes(req);
}

const DEPTH_MAX = 32;
const NAME_MAX = 64;

/** @throws AppError `invalid`; the message names the field: `players[0].rank must be an integer` */
export function parseBody<Op extends AnyOperation>(operation: Op, bytes: Buffer): Body<Op> {
  return operation.body === undefined ? (undefined as Body<Op>) : parseFields(operation, readJson(bytes));
}

/** @param secret removed from messages, which may quote names of unknown fields. @throws AppError `invalid` */
export function parseFields<Op extends AnyOperation>(operation: Op, json: unknown, secret?: string): Body<Op> {
  if (operation.body === undefined) return undefined as Body<Op>;
  const parsed = operation.body.safeParse(json, { error: messageOf });
  if (parsed.success) return parsed.data as Body<Op>;
  const [issue] = parsed.error.issues;
  const quoteName = (name = '') => oneLine(secret === undefined ? name : name.replaceAll(secret, '…'));
  throw new AppError('invalid', issue === undefined ? 'The body must be valid' : describeIssue(issue, quoteName));
}

export function readJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!exceedsDepth(DEPTH_MAX, text)) return JSON.parse(text) as unknown;
  } catch {
    // Without a cause: the parser's message quotes the body, which may contain a session key.
    throw new AppError('invalid', 'The body must be JSON in UTF-8');
  }
  throw new AppError('invalid', `The body must not be deeper than ${DEPTH_MAX} levels`);
}

/** The session key of a body; undefined if it has none. @throws AppError `invalid` for a key that isn't a string */
export function bodySessionKey(body: unknown): string | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'sessionKey')) return undefined;
  const { sessionKey } = body;
  if (typeof sessionKey === 'string') return sessionKey;
  throw new AppError('invalid', 'sessionKey must be a text');
}

/** @throws AppError `invalid` for a key that isn't a string */
export function withoutSessionKey(body: unknown): unknown {
  bodySessionKey(body);
  if (!isObject(body)) return body;
  const { sessionKey: _, ...rest } = body;
  return rest;
}

function isObject(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** For a union the last alternative is described: the others clear the field. */
function describeIssue(
  issue: z.core.$ZodIssue,
  quoteName: (name: string | undefined) => string,
  parentPath: readonly PropertyKey[] = [],
): string {
  const path = [...parentPath, ...issue.path];
  if (issue.code === 'invalid_union') {
    const last = issue.errors.at(-1)?.[0];
    if (last !== undefined) return describeIssue(last, quoteName, path);
  }
  if (issue.code === 'unrecognized_keys') return `${fieldPath([...path, quoteName(issue.keys[0])])} is not known`;
  return `${fieldPath(path)} ${issue.message}`;
}

/** Clients show and log messages: a name adds no lines to them. */
function oneLine(name: string): string {
  const line = name.replace(/\p{Cc}+/gu, ' ');
  return line.length > NAME_MAX ? `${line.slice(0, NAME_MAX)}…` : line;
}

function fieldPath(path: readonly PropertyKey[]): string {
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

/** Default messages; zod's own may quote the input. */
function messageOf(issue: z.core.$ZodRawIssue): string {
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
