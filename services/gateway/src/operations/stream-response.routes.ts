import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TaggedStream } from '../cache/cache-request.ts';
import { variantTag, type ContentCoding } from '../cache/encoded-bodies.ts';

export interface StreamOptions {
  readonly encoding: ContentCoding;
  readonly compression: () => Transform[];
  readonly headersOf: (tag: string | undefined) => string[];
  readonly headersOfBody: (length: number | undefined) => string[];
  readonly isNotModified: (tag: string | undefined) => boolean;
}

/** Streams with backpressure. A truncated upstream response closes the connection. */
export async function streamResponse(
  req: IncomingMessage,
  res: ServerResponse,
  body: TaggedStream,
  { encoding, compression, headersOf, headersOfBody, isNotModified }: StreamOptions,
): Promise<void> {
  const { tag: plainTag } = body;
  const tag = plainTag === undefined || encoding === 'identity' ? plainTag : variantTag(plainTag, encoding);
  const headers = headersOf(tag);
  if (isNotModified(tag)) {
    body.discard();
    res.writeHead(304, headers).end();
    return;
  }
  const length = encoding === 'identity' ? body.length : undefined;
  res.writeHead(200, [...headers, ...headersOfBody(length)]);
  if (req.method === 'HEAD') {
    body.discard();
    res.end();
    return;
  }
  try {
    await pipeline([Readable.from(body.chunks, { objectMode: false }), ...compression(), res]);
  } catch (error) {
    body.discard();
    if (!isClientGone(res, error)) throw error;
  }
}

function isClientGone(res: ServerResponse, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && res.closed;
}
