import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockJournal } from '@lobbystats/message-bus';
import { OperatorError, type Terminal } from '@lobbystats/service-kit';
import { makePrivateDirectory } from '@lobbystats/sqlite-store';
import type { Standalone } from '../command/deployment.ts';
import { compareCounts, verifyPart, type Manifest, type Part } from '../backup/manifest.ts';
import { countRows, readStore, standaloneStores } from '../standalone/standalone-stores.ts';

/** Directory of an unfinished restore. */
export const STAGING_DIRECTORY = '.restoring';
const LOCK = `${standaloneStores.bus.file}.lock`;

/**
 * Copies and verifies everything before it replaces anything. An interrupted restore starts again.
 *
 * @throws OperatorError when the directory has files (unless `force`), the system is running, or the backup is incomplete
 */
export async function restoreStandalone(
  { directory }: Standalone,
  { from, manifest, force }: { from: string; manifest: Manifest; force: boolean },
  terminal: Terminal,
): Promise<void> {
  makePrivateDirectory(directory);
  const lock = lockJournal(join(directory, standaloneStores.bus.file));
  try {
    const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
    const there = files.map(({ name }) => name).filter((name) => !name.startsWith(LOCK));
    if (there.length > 0 && !existsSync(join(directory, STAGING_DIRECTORY)) && !force) {
      throw new OperatorError(`${directory} is not empty: --force permanently replaces its files`);
    }
    const staging = join(directory, STAGING_DIRECTORY);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    for (const part of manifest.parts) {
      terminal.error(`restore: ${part.file}\n`);
      await copyPart(from, staging, part);
    }
    for (const name of there) rmSync(join(directory, name));
    for (const { file } of manifest.parts) renameSync(join(staging, file), join(directory, file));
    rmSync(staging, { recursive: true });
  } finally {
    lock.release();
  }
}

async function copyPart(from: string, staging: string, part: Part): Promise<void> {
  await verifyPart(from, part);
  const target = join(staging, part.file);
  copyFileSync(join(from, part.file), target);
  chmodSync(target, 0o600);
  await verifyPart(staging, part);
  if (part.store === null) return;
  const differences = compareCounts(part.counts, await readStore(target, countRows));
  if (differences.length > 0)
    throw new OperatorError(`${part.file} has other counts than the manifest: ${differences.join('; ')}`);
  // Left by a reader.
  for (const end of ['-wal', '-shm']) if (existsSync(target + end)) rmSync(target + end);
}
