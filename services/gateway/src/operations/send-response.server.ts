import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { EncodedBody } from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { ServedResponse, ServedStream } from '../cache/cache-request.ts';
import { matchesTag } from '../cache/entity-tag.ts';
import { bodyHeaders, privateHeaders, publicHeaders, type OperationPolicy } from '../cache/response-headers.ts';
import { preferredEncoding } from '../cache/preferred-encoding.server.ts';
import { streamResponse } from './stream-response.server.ts';

export interface SendOptions {
  readonly operation: OperationPolicy;
  readonly response: ServedResponse | ServedStream;
  readonly hasSession: boolean;
}

/** GETs without a session get validators and 304. */
export async function sendResponse(
  req: Request,
  res: ServerResponse,
  cache: ResponseCache,
  { operation, response, hasSession }: SendOptions,
): Promise<void> {
  const encoding = preferredEncoding(req.headers['accept-encoding']);
  const isPublic = operation.method === 'GET' && !hasSession;
  const headersOf = (tag: string | undefined) =>
    isPublic ? publicHeaders(operation, response, tag) : privateHeaders(operation, response, hasSession);
  const isNotModified = (tag: string | undefined) =>
    isPublic && tag !== undefined && matchesTag(req.headers['if-none-match'], tag);
  if ('large' in response) {
    await streamResponse(req, res, { response, encoding, headersOf, isNotModified });
    return;
  }
  const body = await cache.encodedBody(response, encoding);
  const headers = headersOf(body.tag);
  if (isNotModified(body.tag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, [...headers, ...bodyHeaders(response, body.encoding, body.bytes.length)]);
  endResponse(res, body);
}

export function endResponse(res: ServerResponse, body?: EncodedBody): void {
  if (body?.text === undefined) res.end(body?.bytes);
  else res.end(body.text, 'latin1');
}
