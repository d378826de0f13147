import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, constants } from 'node:zlib';

/** A compressed file of a backup that is being written. */
export interface PartWriter {
  write(chunk: Uint8Array | string): Promise<void>;
  /** Its size and SHA-256, when it is on the disk. */
  end(): Promise<{ bytes: number; sha256: string }>;
}

/** Begins a file, for its owner's eyes alone. */
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
  // Whoever ends it hears of it.
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
