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
  sendBytes(res, status, Buffer.from(JSON.stringify(body)), { 'Content-Type': JSON_TYPE, ...headers });
}

/** Answers with 200, a text of the type that `headers` say, and a strong ETag of it. */
export function sendTagged(
  res: ServerResponse,
  text: string,
  headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string },
): void {
  const bytes = Buffer.from(text);
  sendBytes(res, 200, bytes, { ETag: entityTag(bytes), ...headers });
}

function sendBytes(res: ServerResponse, status: number, bytes: Buffer, headers: Readonly<OutgoingHttpHeaders>): void {
  res.writeHead(status, { 'Content-Length': bytes.length, ...headers });
  res.end(bytes);
}
