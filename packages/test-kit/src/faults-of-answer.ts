import { isDeepStrictEqual } from 'node:util';
import { rowTypes, type Operation, type RowFormat } from '@lobbystats/contracts';
import { JSON_TYPE } from '@lobbystats/service-kit';
import { z } from 'zod';
import { findOperation } from './find-operation.ts';

export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** Violations of the contract: status, type, body by schema, error form. Unknown paths are not checked. */
export function faultsOfAnswer(answer: SeenAnswer): string[] {
  const { method, url, status } = answer;
  const operation = findOperation(method, url);
  if (operation === undefined) return [];
  const faults = [...faultsOfHeaders(answer), ...faultsOfStatus(operation, status)];
  if (method.toUpperCase() === 'HEAD' || status === 304) {
    return answer.text === '' ? faults : [...faults, 'there is a body where none may be'];
  }
  return [...faults, ...(status === 200 ? faultsOfBody(operation, answer) : faultsOfError(answer))];
}

/** @throws Error that says what of an answer is off its contract */
export function expectOnContract(answer: SeenAnswer): void {
  const faults = faultsOfAnswer(answer);
  if (faults.length === 0) return;
  const { method, url, status, text } = answer;
  throw new Error(
    `${method} ${url} is answered off its contract (${status}): ${faults.join('; ')}\n${text.slice(0, 500)}`,
  );
}

const OF_HTTP = [400, 405, 408, 414, 417, 431, 503];

/** Internal details are for services alone. */
function faultsOfStatus(operation: Operation, status: number): string[] {
  const { method, session, body, path, audience } = operation;
  const possible = new Set([
    ...[200, ...OF_HTTP],
    ...(method === 'GET' ? [304] : []),
    ...(path.includes(':') || canNameWhatIsNot(operation) || audience === 'internal' ? [404] : []),
    ...(body === undefined ? [] : [413, 415]),
    ...(session === 'required' ? [401, 403, 502] : []),
    ...Object.keys(operation.refusals ?? {}).map(Number),
  ]);
  return possible.has(status) ? [] : [`${status} is no status of ${operation.id}`];
}

function canNameWhatIsNot({ query, body }: Operation): boolean {
  const fields = { ...query.shape, ...(body instanceof z.ZodObject ? body.shape : {}) };
  return ['game', 'titleId', 'around'].some((name) => name in fields);
}

function faultsOfHeaders({ status, header }: SeenAnswer): string[] {
  const faults: string[] = [];
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(header('x-request-id') ?? '')) faults.push('there is no X-Request-Id');
  if (header('x-content-type-options') !== 'nosniff') faults.push('its type may be guessed');
  if (status === 405 && header('allow') === null) faults.push('Allow is missing');
  if (status === 503 && !/^\d+$/.test(header('retry-after') ?? '')) faults.push('Retry-After is missing');
  if (status >= 400 && header('cache-control') !== 'no-store') faults.push('an error may be stored');
  return faults;
}

function faultsOfError({ header, text }: SeenAnswer): string[] {
  const faults: string[] = [];
  if (header('content-type') !== JSON_TYPE) faults.push(`an error is ${header('content-type')}`);
  const { data } = errorBody.safeParse(jsonOf(text));
  if (data === undefined) return [...faults, 'an error is not {"error": text}'];
  return INSIDE.test(data.error) ? [...faults, 'an error tells of the inside'] : faults;
}

const errorBody = z.strictObject({ error: z.string().min(1) });
/** Stack traces, system codes, drivers and addresses. */
const INSIDE =
  /\n|\bat \S+:\d+|\bE(?:CONN|PIPE|HOST|NOT|TIMED)[A-Z]*\b|\b(?:sqlite|mongodb?|influxdb|amqp|127\.0\.0\.1|localhost)\b/i;

function faultsOfBody(operation: Operation, { url, header, text }: SeenAnswer): string[] {
  const format = operation.rows === undefined ? undefined : rowFormatOf(url);
  const type = format === undefined ? (operation.mediaType ?? JSON_TYPE) : rowTypes[format];
  const faults = header('content-type') === type ? [] : [`it is ${header('content-type')}, not ${type}`];
  if (operation.mediaType !== undefined) return [...faults, ...faultsBySchema(operation.answer, text)];
  if (format === undefined) return [...faults, ...faultsBySchema(operation.answer, jsonOf(text))];
  if (format === 'csv') return text.includes('\r\n') ? faults : [...faults, 'there is no line of column names'];
  const rows = text.split('\n').slice(0, -1).map(jsonOf);
  return [...faults, ...faultsBySchema(z.array(rowSchema(operation)), rows)];
}

function rowFormatOf(url: string): RowFormat | undefined {
  const given = new URL(url, 'http://any').searchParams.get('format');
  return given === 'csv' || given === 'ndjson' ? given : undefined;
}

function rowSchema({ answer, rows = '' }: Operation): z.core.$ZodType {
  const list =
    rows !== '' && answer instanceof z.ZodObject ? (answer.shape[rows] as z.core.$ZodType | undefined) : answer;
  return list instanceof z.ZodArray ? list.element : z.never();
}

/** A schema that repairs input would hide a fault. */
function faultsBySchema(schema: z.core.$ZodType, body: unknown): string[] {
  const { success, error, data } = z.safeParse(schema, body);
  if (!success) return [z.prettifyError(error)];
  return isDeepStrictEqual(data, body) ? [] : ['it is not written as its schema writes it'];
}

/** zod drops `__proto__`, which may be a game's name, so such names are escaped. */
function jsonOf(text: string): unknown {
  try {
    return renamed(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function renamed(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(renamed);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name === '__proto__' ? '__proto__ ' : name, renamed(value)]),
  );
}
