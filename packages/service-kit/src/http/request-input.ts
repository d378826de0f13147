import type { IncomingMessage } from 'node:http';
import { decodeSegment } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import type { z } from 'zod';
import type { AnyOperation } from './route.ts';
import { HttpError, notFound } from './send-response.ts';

type RawQuery = Readonly<Record<string, string | readonly string[]>>;

/** @throws AppError `not-found`; `invalid` if the schema's issue has `params: { malformed: true }` */
export function parseParams<Op extends Pick<AnyOperation, 'params'>>(
  operation: Op,
  rawParams: Readonly<Record<string, unknown>>,
): z.output<Op['params']> {
  const parsed = operation.params.safeParse(decodedParams(rawParams));
  if (parsed.success) return parsed.data as z.output<Op['params']>;
  const [issue] = parsed.error.issues;
  const name = issue?.path[0];
  if (issue?.code === 'custom' && issue.params?.['malformed'] === true) {
    throw new AppError('invalid', `${String(name)} ${issue.message}`);
  }
  throw notFound(nounOf(name));
}

/** Parameters of a path, as {@link decodeSegment} returns them. */
export function decodedParams(rawParams: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const decoded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rawParams))
    decoded[name] = typeof value === 'string' ? decodeSegment(value) : value;
  return decoded;
}

export function parseQuery<Op extends Pick<AnyOperation, 'query'>>(
  operation: Op,
  rawUrl: string,
): z.output<Op['query']> {
  const parsed = operation.query.safeParse(readQuery(operation.query.shape, rawUrl));
  if (parsed.success) return parsed.data as z.output<Op['query']>;
  const [issue] = parsed.error.issues;
  const [name] = issue?.path ?? [];
  const message = issue?.message ?? 'must be valid';
  throw new AppError('invalid', name === undefined ? message : `${String(name)} ${message}`);
}

/** @param known an object whose own keys are the known names. @throws AppError `invalid` for malformed encoding */
export function readQuery(known: object, rawUrl: string): RawQuery {
  const query = Object.create(null) as Record<string, string | readonly string[]>;
  const [beforeFragment = ''] = rawUrl.split('#', 1);
  const start = beforeFragment.indexOf('?');
  if (start === -1) return query;
  for (const pair of beforeFragment.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined || !Object.hasOwn(known, name)) continue;
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (value === undefined) throw new AppError('invalid', `${name} must be percent-encoded UTF-8`);
    const previous = query[name];
    query[name] = previous === undefined ? value : [previous, value].flat();
  }
  return query;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function nounOf(parameter: PropertyKey | undefined): string {
  return String(parameter ?? 'resource').replace(/(?<=.)Id$/, '');
}

const URL_LENGTH_MAX = 8 * 1024;

export function validateRequest(req: IncomingMessage): HttpError | undefined {
  const url = req.url ?? '';
  if (url.length > URL_LENGTH_MAX) return new HttpError(414, 'The URL is too long');
  // No URL has these, and URL parsers read them in different ways.
  if (/[\\#]/.test(url)) return new HttpError(400, 'The URL must have no # and no backslash');
  if (!hasSingleHost(req)) return new HttpError(400, 'There must be one Host header');
  if (!isDecodable(pathOf(url))) return new HttpError(400, 'The path must be percent-encoded UTF-8');
  return undefined;
}

/** Only this part of a URL may be logged. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-3.2: two Host headers allow request smuggling. */
function hasSingleHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
