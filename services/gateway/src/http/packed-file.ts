import { entityTag, staysOpen } from '@lobbystats/service-kit';
import type { Request, Response } from 'express';
import { EncodedBodies } from '../domain/cache/encoded-bodies.ts';
import { matchesTag } from '../domain/entity-tag.ts';
import { pack } from './pack.ts';
import { preferredEncoding } from './preferred-encoding.ts';

export interface PackedFile {
  readonly mediaType: string;
  readonly bodies: EncodedBodies;
}

export function packedFile(mediaType: string, bytes: Buffer): PackedFile {
  return { mediaType, bodies: new EncodedBodies(bytes, entityTag(bytes)) };
}

/** Sends a static file in the preferred encoding, or 304. */
export async function sendPacked(
  req: Request,
  res: Response,
  file: PackedFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = preferredEncoding(req.headers['accept-encoding']);
  const { bytes, tag, encoding } = await file.bodies.in(wanted, pack);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, { ...headers, ETag: tag }).end();
    return;
  }
  const ofEncoding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  const ofBody = { 'Content-Type': file.mediaType, 'Content-Length': bytes.length, ...ofEncoding };
  res.writeHead(200, { ...headers, ETag: tag, ...ofBody }).end(bytes);
  // Readers share the bytes, so stalled downloads don't count as load.
  staysOpen(res);
}
