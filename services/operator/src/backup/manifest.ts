import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@lobbystats/errors';
import { z } from 'zod';
import { OperatorError } from '@lobbystats/service-kit';

/** The name of the file that makes a directory a backup: it is written last. */
export const MANIFEST = 'manifest.json';

/** No path can hide in it. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
const count = z.int().min(0);

const part = z.object({
  file: fileName,
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** What it holds of which store; null for a plain file. */
  store: z.string().nullable(),
  schemaVersion: count.nullable(),
  /** How many rows, documents or points, by table, collection or measurement. */
  counts: z.record(z.string(), count),
});

const manifest = z.object({
  format: z.literal(1),
  form: z.enum(['standalone', 'servers']),
  /** When all was as it is in the copy: ISO 8601. */
  takenAt: z.iso.datetime(),
  release: z.string(),
  /** The network whose data they are. */
  origin: z.string(),
  /** By which the key can be told from another one, and not be found out; null where none was known. */
  forgottenKey: z.string().nullable(),
  /** Messages that waited in RabbitMQ, by queue, and are not in the copy. */
  waiting: z.record(z.string(), count),
  parts: z.array(part).max(1000),
});

/** One file of a backup. */
export type Part = z.output<typeof part>;
/** What a backup has, and when and of what it was made. */
export type Manifest = z.output<typeof manifest>;

/** @throws OperatorError when the directory is no backup, or one that this release can't read */
export function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST);
  if (!existsSync(path))
    throw new OperatorError(`${directory} is no backup, or one that wasn't finished: it has no ${MANIFEST}`);
  try {
    return manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new OperatorError(`${path} can't be understood by this release: ${messageOf(error)}`, { cause: error });
  }
}

/** Of keys of 24 random bytes: nobody finds one by trying. */
export function fingerprintOf(key: string): string {
  return createHash('sha256').update(`lobbystats forgotten key\n${key}`).digest('hex').slice(0, 16);
}

/** @throws OperatorError when a file isn't what the manifest says */
export async function verifyPart(directory: string, { file, bytes, sha256 }: Part): Promise<void> {
  const path = join(directory, file);
  if (!existsSync(path)) throw new OperatorError(`${path} is missing: the backup is not whole`);
  const found = await digestOf(path);
  if (found.bytes !== bytes || found.sha256 !== sha256) {
    throw new OperatorError(`${path} is not what was backed up: its size or SHA-256 is another`);
  }
}

/** A file's size and SHA-256. */
export async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
