import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { entityTag } from './entity-tag.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with a JSON body and its length. Headers set before stay; to HEAD the body isn't sent. */
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

/** Answers with 200, a text of the type that `headers` say, in UTF-8 already or not, and a strong ETag of it. */
export function sendTagged(
  res: ServerResponse,
  text: string | Buffer,
  headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string },
): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  sendText(res, 200, { text, bytes }, { 'Content-Length': bytes.length, ETag: entityTag(bytes), ...headers });
}

/** Up to here it costs less to copy a text than to send it apart from its head. */
const JOINED_BYTES_MAX = 12 * 1024;

function sendText(
  res: ServerResponse,
  status: number,
  { text, bytes }: { text: string | Buffer; bytes: Buffer },
  headers: Readonly<OutgoingHttpHeaders>,
): void {
  res.writeHead(status, headers);
  // Of ASCII alone: Node writes it with the head in one go.
  const isAscii = typeof text === 'string' && bytes.length === text.length;
  if (isAscii && bytes.length <= JOINED_BYTES_MAX) res.end(text, 'latin1');
  else res.end(bytes);
}
