import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ContentCoding } from '../cache/content-coding.ts';
import type { ServedStream } from '../cache/cache-request.ts';
import { strongTag, variantTag } from '../cache/entity-tag.ts';
import { bodyHeaders, type FlatHeaders } from '../cache/response-headers.ts';
import { compressionStreams } from '../cache/compress.server.ts';

export interface StreamOptions {
  readonly response: ServedStream;
  readonly encoding: ContentCoding;
  readonly headersOf: (tag: string | undefined) => FlatHeaders;
  readonly isNotModified: (tag: string | undefined) => boolean;
}

/** Streams with backpressure. A truncated upstream response closes the connection. */
export async function streamResponse(req: IncomingMessage, res: ServerResponse, sending: StreamOptions): Promise<void> {
  const { response, encoding, headersOf, isNotModified } = sending;
  const { large } = response;
  const plainTag = strongTag(large.etag);
  const tag = plainTag === undefined || encoding === 'identity' ? plainTag : variantTag(plainTag, encoding);
  const headers = headersOf(tag);
  if (isNotModified(tag)) {
    large.discard();
    res.writeHead(304, headers).end();
    return;
  }
  const length = encoding === 'identity' ? large.length : undefined;
  res.writeHead(200, [...headers, ...bodyHeaders(response, encoding, length)]);
  if (req.method === 'HEAD') {
    large.discard();
    res.end();
    return;
  }
  try {
    await pipeline([Readable.from(large.chunks, { objectMode: false }), ...compressionStreams(encoding), res]);
  } catch (error) {
    large.discard();
    if (!isClientGone(res, error)) throw error;
  }
}

function isClientGone(res: ServerResponse, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && res.closed;
}
