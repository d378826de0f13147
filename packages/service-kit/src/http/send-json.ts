import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

export function entityTag(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
}

/** Keeps headers set before; a HEAD request gets no body. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<OutgoingHttpHeaders> = {},
): void {
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  sendText(res, status, { text, bytes }, { 'Content-Length': bytes.length, 'Content-Type': JSON_TYPE, ...headers });
}

export function sendTagged(
  res: ServerResponse,
  text: string | Buffer,
  headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string },
): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  sendText(res, 200, { text, bytes }, { 'Content-Length': bytes.length, ETag: entityTag(bytes), ...headers });
}

/** Up to this size, copying the body costs less than a second write after the head. */
const JOINED_BYTES_MAX = 12 * 1024;

function sendText(
  res: ServerResponse,
  status: number,
  { text, bytes }: { text: string | Buffer; bytes: Buffer },
  headers: Readonly<OutgoingHttpHeaders>,
): void {
  res.writeHead(status, headers);
  // Node joins an ASCII string with the head.
  const isAscii = typeof text === 'string' && bytes.length === text.length;
  if (isAscii && bytes.length <= JOINED_BYTES_MAX) res.end(text, 'latin1');
  else res.end(bytes);
}

/** Data for log and metrics, stored in Express's `res.locals`. */
interface RequestNotes {
  operation?: string;
  fault?: unknown;
}

/** Sets the metric label: an operation's id, never text from the request. */
export function setOperationLabel(res: ServerResponse, operationId: string): void {
  notesOf(res).operation = operationId;
}

/** Keeps the first error of a request. */
export function noteFault(res: ServerResponse, fault: unknown): void {
  notesOf(res).fault ??= fault;
}

export function notesOf(res: ServerResponse & { locals?: RequestNotes }): RequestNotes {
  return (res.locals ??= {});
}

const suppressed = new WeakSet<object>();

/** Keeps an error that is counted or logged elsewhere out of the request log. One error may fail many requests. */
export function suppressRequestLog<Fault extends Error>(fault: Fault): Fault {
  suppressed.add(fault);
  return fault;
}

export function isLogSuppressed(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && suppressed.has(fault);
}
