import type { ServerResponse } from 'node:http';
import { atTurnsEnd } from '@lobbystats/service-kit';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { GivenAnswer } from '../domain/cache/wanted.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { bodyHeaders, publicHeaders, varyOf, type Sent } from './answer-headers.ts';

/** An answer, and its body in the encoding in which it goes out. */
export interface Outgoing {
  readonly given: GivenAnswer;
  readonly body: EncodedBody;
}

/**
 * Sends what anybody may see: with validators and freshness, and as a 304 to who has it.
 *
 * @param ifNoneMatch what the reader says that they have
 */
export function sendPublic(
  res: ServerResponse,
  operation: Sent,
  { given, body }: Outgoing,
  ifNoneMatch: string | undefined,
): void {
  const headers = publicHeaders(operation, given, body);
  if (matchesTag(ifNoneMatch, body.tag)) {
    res.writeHead(304, headers);
    endWith(res);
    return;
  }
  headers.push(...bodyHeaders(given, body));
  res.writeHead(200, headers);
  endWith(res, body);
}

/** Sends what answers a POST or a session: it is nobody else's, and nothing of it may be kept. */
export function sendPrivate(
  res: ServerResponse,
  operation: Sent,
  { given, body }: Outgoing,
  { hasSession }: { hasSession: boolean },
): void {
  const cacheControl = hasSession ? 'private, no-store' : 'no-store';
  const headers = ['Cache-Control', cacheControl, 'Cache-Status', given.status, 'Vary', varyOf(operation)];
  res.writeHead(200, [...headers, ...bodyHeaders(given, body)]);
  endWith(res, body);
}

/** Ends an answer whose head has been written, with its body if it has one. */
export function endWith(res: ServerResponse, body?: EncodedBody): void {
  atTurnsEnd(() => {
    if (body === undefined) res.end();
    else if (body.text === undefined) res.end(body.bytes);
    else res.end(body.text, 'latin1');
  });
}
