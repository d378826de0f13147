import { isDeepStrictEqual } from 'node:util';
import { rowMediaTypes, type Operation, type RowFormat } from '@lobbystats/contracts';
import { JSON_TYPE } from '@lobbystats/service-kit';
import { z } from 'zod';
import { findOperation } from './find-operation.ts';

export interface ReceivedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** Violations of the contract: status, type, body by schema, error form. Unknown paths are not checked. */
export function contractViolations(response: ReceivedResponse): string[] {
  const { method, url, status } = response;
  const operation = findOperation(method, url);
  if (operation === undefined) return [];
  const faults = [...headerViolations(response), ...statusViolations(operation, status)];
  if (method.toUpperCase() === 'HEAD' || status === 304) {
    return response.text === '' ? faults : [...faults, 'it must not have a body'];
  }
  return [...faults, ...(status === 200 ? bodyViolations(operation, response) : errorViolations(response))];
}

/** @throws Error with the violations of the contract */
export function expectValidResponse(response: ReceivedResponse): void {
  const faults = contractViolations(response);
  if (faults.length === 0) return;
  const { method, url, status, text } = response;
  throw new Error(`${method} ${url} violates its contract (${status}): ${faults.join('; ')}\n${text.slice(0, 500)}`);
}

const HTTP_ERRORS = [400, 405, 408, 414, 417, 431, 503];

/** Internal details are for services alone. */
function statusViolations(operation: Operation, status: number): string[] {
  const { method, session, body, path, audience } = operation;
  const possible = new Set([
    ...[200, ...HTTP_ERRORS],
    ...(method === 'GET' ? [304] : []),
    ...(path.includes(':') || mayReferToUnknown(operation) || audience === 'internal' ? [404] : []),
    ...(body === undefined ? [] : [413, 415]),
    ...(session === 'required' ? [401, 403, 502] : []),
    ...Object.keys(operation.errors ?? {}).map(Number),
  ]);
  return possible.has(status) ? [] : [`${status} is no status of ${operation.id}`];
}

function mayReferToUnknown({ query, body }: Operation): boolean {
  const fields = { ...query.shape, ...(body instanceof z.ZodObject ? body.shape : {}) };
  return ['game', 'titleId', 'around'].some((name) => name in fields);
}

function headerViolations({ status, header }: ReceivedResponse): string[] {
  const faults: string[] = [];
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(header('x-request-id') ?? '')) faults.push('there is no X-Request-Id');
  if (header('x-content-type-options') !== 'nosniff') faults.push('X-Content-Type-Options is not nosniff');
  if (status === 405 && header('allow') === null) faults.push('Allow is missing');
  if (status === 503 && !/^\d+$/.test(header('retry-after') ?? '')) faults.push('Retry-After is missing');
  if (status >= 400 && header('cache-control') !== 'no-store') faults.push('an error may be stored');
  return faults;
}

function errorViolations({ header, text }: ReceivedResponse): string[] {
  const faults: string[] = [];
  if (header('content-type') !== JSON_TYPE) faults.push(`the type of an error is ${header('content-type')}`);
  const { data } = errorBody.safeParse(parseJson(text));
  if (data === undefined) return [...faults, 'the body of an error is not {"error": text}'];
  return INTERNAL_DETAILS.test(data.error) ? [...faults, 'an error reveals internal details'] : faults;
}

const errorBody = z.strictObject({ error: z.string().min(1) });
/** Stack traces, system codes, drivers and addresses. */
const INTERNAL_DETAILS =
  /\n|\bat \S+:\d+|\bE(?:CONN|PIPE|HOST|NOT|TIMED)[A-Z]*\b|\b(?:sqlite|mongodb?|influxdb|amqp|127\.0\.0\.1|localhost)\b/i;

function bodyViolations(operation: Operation, { url, header, text: received }: ReceivedResponse): string[] {
  const query = new URL(url, 'http://any').searchParams;
  const text = query.get('time') === 'iso' ? withPlainTimes(received) : received;
  const format = operation.rows === undefined ? undefined : rowFormatOf(query);
  const type = format === undefined ? (operation.mediaType ?? JSON_TYPE) : rowMediaTypes[format];
  const faults = header('content-type') === type ? [] : [`its type is ${header('content-type')}, not ${type}`];
  if (operation.mediaType !== undefined) return [...faults, ...schemaViolations(operation.response, text)];
  if (format === undefined) return [...faults, ...schemaViolations(operation.response, parseJson(text))];
  if (format === 'csv') return text.includes('\r\n') ? faults : [...faults, 'it has no header line'];
  const rows = text.split('\n').slice(0, -1).map(parseJson);
  return [...faults, ...schemaViolations(z.array(rowSchema(operation)), rows)];
}

/** Schemas describe the plain form. */
function withPlainTimes(text: string): string {
  return text.replace(/"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})Z"/g, '"$1 $2"');
}

function rowFormatOf(query: URLSearchParams): RowFormat | undefined {
  const format = query.get('format');
  return format === 'csv' || format === 'ndjson' ? format : undefined;
}

function rowSchema({ response, rows = '' }: Operation): z.core.$ZodType {
  const list =
    rows !== '' && response instanceof z.ZodObject ? (response.shape[rows] as z.core.$ZodType | undefined) : response;
  return list instanceof z.ZodArray ? list.element : z.never();
}

/** A schema that repairs input would hide a fault. */
function schemaViolations(schema: z.core.$ZodType, body: unknown): string[] {
  const { success, error, data } = z.safeParse(schema, body);
  if (!success) return [z.prettifyError(error)];
  return isDeepStrictEqual(data, body) ? [] : ['its body differs from the output of its schema'];
}

/** zod drops `__proto__`, which may be a game's name, so such names are escaped. */
function parseJson(text: string): unknown {
  try {
    return escapeProtoKeys(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function escapeProtoKeys(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(escapeProtoKeys);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name === '__proto__' ? '__proto__ ' : name, escapeProtoKeys(value)]),
  );
}
