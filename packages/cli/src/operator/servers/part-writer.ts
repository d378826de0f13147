import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, constants } from 'node:zlib';

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
