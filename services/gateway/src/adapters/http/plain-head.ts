import type { IncomingHttpHeaders } from 'node:http';
import { FieldTable } from '../../domain/field-table.ts';

/** The beginning of an answer, up to its body. */
export interface PlainHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of the body, in bytes. */
  readonly length: number;
  /** Whether the connection ends with it. */
  readonly isLast: boolean;
}

/**
 * `HTTP/1.1 200 OK` and fields by https://www.rfc-editor.org/rfc/rfc9112#section-5: no space before the colon, no line that goes on
 * in the next. What has no body by definition (1xx, 204, 304) is not plain.
 */
const HEAD =
  /^HTTP\/1\.1 (?!1|204|304)[1-5]\d\d [\t\x20-\x7e\x80-\xff]*(?:\r\n[!#$%&'*+.^_`|~\dA-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)*$/;
const LENGTH = /^\d{1,15}$/;
/** What is told on. */
const TOLD = ['content-length', 'content-type', 'etag', 'last-modified', 'link', 'connection'] as const;
/** What makes a body another one than so many bytes as they are. */
const NOT_PLAIN = ['transfer-encoding', 'content-encoding', 'upgrade', 'trailer'] as const;

type Told = (typeof TOLD)[number];
const FIELDS = new FieldTable<Told | 'not plain'>(
  Object.fromEntries([
    ...TOLD.map((name) => [name, name] as const),
    ...NOT_PLAIN.map((name) => [name, 'not plain'] as const),
  ]),
);

/**
 * Reads a head as our own services write them: HTTP/1.1, each field that matters once, a body of a length that is said. Anything
 * else, be it allowed or broken, is undefined: it is for a whole HTTP client to say what that is.
 *
 * @param text as latin1, without the empty line at its end
 * @returns of the headers those alone that matter to who asks
 */
export function readPlainHead(text: string): PlainHead | undefined {
  if (!HEAD.test(text)) return undefined;
  const told = fieldsOf(text);
  if (told === undefined) return undefined;
  const { connection = 'keep-alive', ...headers } = told;
  const length = headers['content-length'] ?? '';
  const isLast = connection.toLowerCase() === 'close';
  if (!LENGTH.test(length) || !(isLast || connection.toLowerCase() === 'keep-alive')) return undefined;
  return { status: Number(text.slice(9, 12)), headers, length: Number(length), isLast };
}

/** Undefined where one is there twice, or says that the body is not plain. */
function fieldsOf(text: string): Partial<Record<Told, string>> | undefined {
  const told: Partial<Record<Told, string>> = {};
  let end = text.indexOf('\r\n');
  while (end !== -1) {
    const begin = end + 2;
    const colon = text.indexOf(':', begin);
    end = text.indexOf('\r\n', colon);
    if (!FIELDS.hasLength(colon - begin)) continue;
    const known = FIELDS.get(text.slice(begin, colon));
    if (known === undefined) continue;
    if (known === 'not plain') return undefined;
    if (told[known] !== undefined) return undefined;
    told[known] = text.slice(colon + 1, end === -1 ? undefined : end).trim();
  }
  return told;
}
