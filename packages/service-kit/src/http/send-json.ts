import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers with a JSON body and its length. Headers set before stay; to HEAD the body isn't sent. */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<OutgoingHttpHeaders> = {},
): void {
  sendText(res, status, JSON.stringify(body), { 'Content-Type': JSON_TYPE, ...headers });
}

/** The same with a text of the type that `headers` say. */
export function sendText(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<OutgoingHttpHeaders> & { 'Content-Type': string },
): void {
  const bytes = Buffer.from(text);
  res.writeHead(status, { 'Content-Length': bytes.length, ...headers });
  res.end(bytes);
}
