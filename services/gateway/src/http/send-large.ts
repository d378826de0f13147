import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Encoding } from '../domain/cache/encoding.ts';
import type { GivenLarge } from '../domain/cache/wanted.ts';
import { strongTag, tagOfForm } from '../domain/entity-tag.ts';
import { bodyHeaders, type FlatHeaders } from './answer-headers.ts';
import { packer } from './pack.ts';

export interface SendingLarge {
  readonly given: GivenLarge;
  readonly encoding: Encoding;
  readonly headersOf: (tag: string | undefined) => FlatHeaders;
  readonly isKnown: (tag: string | undefined) => boolean;
}

/** Streams with backpressure. A truncated upstream answer closes the connection. */
export async function sendLarge(req: IncomingMessage, res: ServerResponse, sending: SendingLarge): Promise<void> {
  const { given, encoding, headersOf, isKnown } = sending;
  const { large } = given;
  const plainTag = strongTag(large.etag);
  const tag = plainTag === undefined || encoding === 'identity' ? plainTag : tagOfForm(plainTag, encoding);
  const headers = headersOf(tag);
  if (isKnown(tag)) {
    large.discard();
    res.writeHead(304, headers).end();
    return;
  }
  const length = encoding === 'identity' ? large.length : undefined;
  res.writeHead(200, [...headers, ...bodyHeaders(given, encoding, length)]);
  if (req.method === 'HEAD') {
    large.discard();
    res.end();
    return;
  }
  try {
    await pipeline([Readable.from(large.chunks, { objectMode: false }), ...packer(encoding), res]);
  } catch (error) {
    large.discard();
    if (!isGone(res, error)) throw error;
  }
}

function isGone(res: ServerResponse, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && res.closed;
}
