import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '@lobbystats/contracts/errors';
import { z } from 'zod';
import { fileExists, OperatorError, readVersion, type Secret } from '@lobbystats/service-kit';

export const MANIFEST = 'manifest.json';

/** Excludes paths. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
const count = z.int().min(0);

const part = z.object({
  file: fileName,
  bytes: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  store: z.string().nullable(),
  schemaVersion: count.nullable(),
  counts: z.record(z.string(), count),
});

const manifest = z.object({
  format: z.literal(1),
  form: z.enum(['standalone', 'servers']),
  takenAt: z.iso.datetime(),
  release: z.string(),
  origin: z.string(),
  /** Fingerprint of the erasure key; null when unknown. */
  erasureKey: z.string().nullable(),
  waiting: z.record(z.string(), count),
  parts: z.array(part).max(1000),
});

export type Part = z.output<typeof part>;
export type Manifest = z.output<typeof manifest>;

export function newManifest(
  taken: Pick<Manifest, 'form' | 'origin' | 'parts'> & {
    readonly takenAtMs: number;
    readonly erasureKey: Secret | undefined;
    readonly waiting?: Manifest['waiting'];
  },
): Manifest {
  const { takenAtMs, erasureKey, waiting = {}, ...rest } = taken;
  return {
    format: 1,
    ...rest,
    takenAt: new Date(takenAtMs).toISOString(),
    release: readVersion(),
    erasureKey: erasureKey === undefined ? null : fingerprintOf(erasureKey.reveal()),
    waiting,
  };
}

/** @throws OperatorError when the directory is not a backup, or this release can't read it */
export function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST);
  if (!fileExists(path))
    throw new OperatorError(`${directory} is not a backup, or it wasn't finished: it has no ${MANIFEST}`);
  try {
    return manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new OperatorError(`${path} can't be understood by this release: ${messageOf(error)}`, { cause: error });
  }
}

/** The backup in lines for the terminal. */
export function summaryOf({ takenAt, origin, parts, waiting }: Manifest): string {
  const lines = parts.map(({ file, bytes, counts }) => {
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return `  ${file.padEnd(36)} ${String(bytes).padStart(12)} bytes ${rows === 0 ? '' : `${rows} rows`}`.trimEnd();
  });
  const left = Object.entries(waiting).filter(([, messages]) => messages > 0);
  const notes = left.map(([queue, messages]) => `Not copied: ${messages} messages in the RabbitMQ queue ${queue}.`);
  return [`The network "${origin}" at ${takenAt}:`, ...lines, ...notes].join('\n');
}

export function fingerprintOf(key: string): string {
  return createHash('sha256').update(`lobbystats erasure key\n${key}`).digest('hex').slice(0, 16);
}

export async function verifyPart(directory: string, { file, bytes, sha256 }: Part): Promise<void> {
  const path = join(directory, file);
  if (!fileExists(path)) throw new OperatorError(`${path} is missing: the backup is incomplete`);
  const found = await digestOf(path);
  if (found.bytes !== bytes || found.sha256 !== sha256) {
    throw new OperatorError(`${path} is not what was backed up: its size or SHA-256 differs`);
  }
}

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

/** @throws OperatorError with `message` and each count that differs */
export function verifyCounts(message: string, expected: Part['counts'], found: Part['counts'], hint = ''): void {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  const differences = names
    .filter((name) => (expected[name] ?? 0) !== (found[name] ?? 0))
    .map((name) => `${name}: ${found[name] ?? 0}, not ${expected[name] ?? 0}`);
  if (differences.length > 0) throw new OperatorError(`${message}: ${differences.join('; ')}${hint}`);
}
