import { entityTag, excludeFromLoad } from '@lobbystats/service-kit';
import type { Request, Response } from 'express';
import { EncodedBodies, matchesTag } from '../cache/encoded-bodies.ts';
import { compress, preferredEncoding } from '../operations/send-response.routes.ts';

export interface StaticFile {
  readonly mediaType: string;
  readonly bodies: EncodedBodies;
}

export function staticFile(mediaType: string, bytes: Buffer): StaticFile {
  return { mediaType, bodies: new EncodedBodies(bytes, entityTag(bytes)) };
}

/** Sends a static file in the preferred encoding, or 304. @param compressed how, at its first request */
export async function sendStaticFile(
  req: Request,
  res: Response,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
  compressed = compress,
): Promise<void> {
  const acceptedEncoding = preferredEncoding(req.headers['accept-encoding']);
  const { bytes, tag, encoding } = await file.bodies.encode(acceptedEncoding, compressed);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, { ...headers, ETag: tag }).end();
    return;
  }
  const ofEncoding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  const ofBody = { 'Content-Type': file.mediaType, 'Content-Length': bytes.length, ...ofEncoding };
  res.writeHead(200, { ...headers, ETag: tag, ...ofBody }).end(bytes);
  // Readers share the bytes, so stalled downloads don't count as load.
  excludeFromLoad(res);
}
