import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Encoding } from '../domain/cache/encoding.ts';
import { matchesTag, strongTag, tagOfForm } from '../domain/entity-tag.ts';
import { cacheControlOf, varyOf, type Sent } from './answer-headers.ts';
import type { ReadOnce } from './large-found.ts';
import { packer } from './pack.ts';

export interface SentLarge {
  readonly answer: ReadOnce;
  /** Those of its body: its type, and the name under which it is saved. */
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: Encoding;
  readonly maxAgeSeconds: number;
  /** `Cache-Status`. */
  readonly status: string;
}

/**
 * Sends what is too large to be held whole, as it comes in: no faster than its reader takes it. Where its owner breaks off, so
 * does the connection.
 */
export async function sendLarge(
  req: IncomingMessage,
  res: ServerResponse,
  operation: Sent,
  large: SentLarge,
): Promise<void> {
  const { answer, headers, encoding, maxAgeSeconds, status } = large;
  const { lastModified, link } = answer;
  const given = strongTag(answer.etag);
  const tag = given === undefined || encoding === 'identity' ? given : tagOfForm(given, encoding);
  res.setHeader('Vary', varyOf(operation));
  res.setHeader('Cache-Control', cacheControlOf(operation, maxAgeSeconds));
  res.setHeader('Cache-Status', status);
  if (tag !== undefined) res.setHeader('ETag', tag);
  if (lastModified !== undefined) res.setHeader('Last-Modified', lastModified);
  if (link !== undefined) res.setHeader('Link', link);
  if (tag !== undefined && matchesTag(req.headers['if-none-match'], tag)) {
    answer.discard();
    res.writeHead(304).end();
    return;
  }
  const length = 'length' in answer && encoding === 'identity' ? { 'Content-Length': answer.length } : {};
  const packing = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  res.writeHead(200, { ...headers, ...length, ...packing });
  if (req.method === 'HEAD') {
    answer.discard();
    res.end();
    return;
  }
  try {
    await pipeline([Readable.from(answer.chunks, { objectMode: false }), ...packer(encoding), res]);
  } catch (error) {
    answer.discard();
    // A reader who leaves is no fault of ours.
    if (!isGone(res, error)) throw error;
  }
}

function isGone(res: ServerResponse, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && res.closed;
}
