import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { bodyHeaders, publicHeaders, varyOf, type Sent } from './answer-headers.ts';

/** An answer, and its body in the encoding in which it goes out. */
export interface Outgoing {
  readonly given: GivenAnswer;
  readonly body: EncodedBody;
}

/** Sends what anybody may see: with validators and freshness, and as a 304 to who has it. */
export function sendPublic(
  req: IncomingMessage,
  res: ServerResponse,
  operation: Sent,
  { given, body }: Outgoing,
): void {
  const headers = publicHeaders(operation, given, body);
  if (matchesTag(req.headers['if-none-match'], body.tag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, ...bodyHeaders(given, body) });
  endWith(res, body);
}

/** Sends what answers a POST or a session: it is nobody else's, and nothing of it may be kept. */
export function sendPrivate(
  res: ServerResponse,
  operation: Sent,
  { given, body }: Outgoing,
  { hasSession }: { hasSession: boolean },
): void {
  res.writeHead(200, {
    'Cache-Control': hasSession ? 'private, no-store' : 'no-store',
    'Cache-Status': given.status,
    Vary: varyOf(operation),
    ...bodyHeaders(given, body),
  });
  endWith(res, body);
}

/** Ends an answer whose head has been written with its body. */
export function endWith(res: ServerResponse, { bytes, text }: EncodedBody): void {
  if (text === undefined) res.end(bytes);
  else res.end(text, 'latin1');
}
