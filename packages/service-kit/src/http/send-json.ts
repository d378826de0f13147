import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with a JSON body and its length. Headers set before stay; to HEAD the body isn't sent. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<OutgoingHttpHeaders> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': bytes.length, ...headers });
  res.end(bytes);
}
