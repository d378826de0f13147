import type { Request, Response } from 'express';
import { preferredEncoding, type Packing } from '../domain/cache/encoding.ts';
import { entityTag, matchesTag } from '../domain/entity-tag.ts';
import { pack } from './pack.ts';

/** A file that never changes while the process lives; packed when it is first asked for so, once. */
export interface PackedFile {
  readonly mediaType: string;
  readonly plain: Sent;
  readonly packed: Map<Packing, Promise<Sent>>;
}

interface Sent {
  readonly bytes: Buffer;
  readonly tag: string;
}

export function packedFile(mediaType: string, bytes: Buffer): PackedFile {
  return { mediaType, plain: sent(bytes), packed: new Map() };
}

/** Sends a file in the encoding that its reader likes best; 304 to who has it. */
export async function sendPacked(
  req: Request,
  res: Response,
  file: PackedFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const encoding = preferredEncoding(req.headers['accept-encoding']);
  const { bytes, tag } = encoding === 'identity' ? file.plain : await inPacking(file, encoding);
  if (matchesTag(req.headers['if-none-match'], tag)) {
    res.writeHead(304, { ...headers, ETag: tag }).end();
    return;
  }
  const ofEncoding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
  const ofBody = { 'Content-Type': file.mediaType, 'Content-Length': bytes.length, ...ofEncoding };
  res.writeHead(200, { ...headers, ETag: tag, ...ofBody }).end(bytes);
}

function inPacking({ plain, packed }: PackedFile, packing: Packing): Promise<Sent> {
  const known = packed.get(packing);
  if (known !== undefined) return known;
  const made = pack(packing, plain.bytes).then(sent);
  packed.set(packing, made);
  return made;
}

function sent(bytes: Buffer): Sent {
  return { bytes, tag: entityTag(bytes) };
}
