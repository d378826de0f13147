import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { OperatorError } from '@lobbystats/service-kit';
import { BSON, type Document } from 'mongodb';

/** The server's limit for its own documents. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024;
/** Keeps number types. */
const DESERIALIZE_OPTIONS = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true };

export interface PartWriter {
  write(chunk: Uint8Array | string): Promise<void>;
  end(): Promise<{ bytes: number; sha256: string }>;
}

export function writePart(directory: string, file: string): PartWriter {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const target = createWriteStream(join(directory, file), { mode: 0o600, flush: true });
  const hash = createHash('sha256');
  let bytes = 0;
  gzip.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  const done = finished(target);
  // The caller gets the error from `end`.
  done.catch(() => undefined);
  target.on('error', (error) => gzip.destroy(error));
  gzip.pipe(target);
  return {
    write: async (chunk) => {
      if (!gzip.write(chunk)) await Promise.race([once(gzip, 'drain'), done]);
    },
    end: async () => {
      gzip.end();
      await done;
      return { bytes, sha256: hash.digest('hex') };
    },
  };
}

export async function* readDocuments(path: string): AsyncGenerator<Document> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path).pipe(createGunzip()) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    while (rest.length - from >= 4) {
      const size = rest.readInt32LE(from);
      if (size < 5 || size > MAX_DOCUMENT_BYTES) throw new OperatorError(`${path} holds no documents`);
      if (rest.length - from < size) break;
      yield BSON.deserialize(rest.subarray(from, from + size), DESERIALIZE_OPTIONS);
      from += size;
    }
    rest = rest.subarray(from);
  }
  if (rest.length > 0) throw new OperatorError(`${path} ends in the middle of a document`);
}
