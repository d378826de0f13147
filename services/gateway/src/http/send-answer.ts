import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { EncodedBody } from '../domain/cache/encoded-bodies.ts';
import type { ResponseCache } from '../domain/cache/response-cache.ts';
import type { GivenAnswer, GivenLarge } from '../domain/cache/wanted.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { bodyHeaders, privateHeaders, publicHeaders, type Sent } from './answer-headers.ts';
import { preferredEncoding } from './preferred-encoding.ts';
import { sendLarge } from './send-large.ts';

export interface Sending {
  readonly operation: Sent;
  readonly given: GivenAnswer | GivenLarge;
  readonly hasSession: boolean;
}

/** GETs without a session get validators and 304. */
export async function sendAnswer(
  req: Request,
  res: ServerResponse,
  cache: ResponseCache,
  { operation, given, hasSession }: Sending,
): Promise<void> {
  const encoding = preferredEncoding(req.headers['accept-encoding']);
  const isPublic = operation.method === 'GET' && !hasSession;
  const headersOf = (tag: string | undefined) =>
    isPublic ? publicHeaders(operation, given, tag) : privateHeaders(operation, given, hasSession);
  const isKnown = (tag: string | undefined) =>
    isPublic && tag !== undefined && matchesTag(req.headers['if-none-match'], tag);
  if ('large' in given) {
    await sendLarge(req, res, { given, encoding, headersOf, isKnown });
    return;
  }
  const body = await cache.bodyOf(given, encoding);
  const headers = headersOf(body.tag);
  if (isKnown(body.tag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, [...headers, ...bodyHeaders(given, body.encoding, body.bytes.length)]);
  endWith(res, body);
}

export function endWith(res: ServerResponse, body?: EncodedBody): void {
  if (body?.text === undefined) res.end(body?.bytes);
  else res.end(body.text, 'latin1');
}
