import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdJournal } from '@lobbystats/message-bus';
import { OperatorError, type Terminal } from '@lobbystats/service-kit';
import { makePrivateDirectory } from '@lobbystats/sqlite-store';
import type { Standalone } from '../command/deployment.ts';
import { verifyPart, type Manifest, type Part } from '../backup/manifest.ts';
import { countRows, openToRead } from '../standalone/sqlite-file.ts';
import { standaloneStores } from '../standalone/standalone-stores.ts';
import { differencesOf } from './compare-counts.ts';

/** Directory of an unfinished restore. */
export const RESTORING = '.restoring';
const LOCK = `${standaloneStores.bus.file}.lock`;

/**
 * Copies and verifies everything before it replaces anything. An interrupted restore starts again.
 *
 * @throws OperatorError when something is there already (unless `force`), the process runs, or the backup is not whole
 */
export async function restoreStandalone(
  { directory }: Standalone,
  { from, manifest, force }: { from: string; manifest: Manifest; force: boolean },
  terminal: Terminal,
): Promise<void> {
  makePrivateDirectory(directory);
  const lock = holdJournal(join(directory, standaloneStores.bus.file));
  try {
    const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
    const there = files.map(({ name }) => name).filter((name) => !name.startsWith(LOCK));
    if (there.length > 0 && !existsSync(join(directory, RESTORING)) && !force) {
      throw new OperatorError(`${directory} is not empty: --force replaces what is there, for good`);
    }
    const room = join(directory, RESTORING);
    rmSync(room, { recursive: true, force: true });
    mkdirSync(room, { mode: 0o700 });
    for (const part of manifest.parts) {
      terminal.error(`restore: ${part.file}\n`);
      await copyPart(from, room, part);
    }
    for (const name of there) rmSync(join(directory, name));
    for (const { file } of manifest.parts) renameSync(join(room, file), join(directory, file));
    rmSync(room, { recursive: true });
  } finally {
    lock.release();
  }
}

async function copyPart(from: string, room: string, part: Part): Promise<void> {
  await verifyPart(from, part);
  const target = join(room, part.file);
  copyFileSync(join(from, part.file), target);
  chmodSync(target, 0o600);
  await verifyPart(room, part);
  if (part.store === null) return;
  const db = openToRead(target);
  try {
    const differences = differencesOf(part.counts, countRows(db));
    if (differences.length > 0)
      throw new OperatorError(`${part.file} has other counts than the backup says: ${differences.join('; ')}`);
  } finally {
    db.close();
  }
  // Left by a reader.
  for (const end of ['-wal', '-shm']) if (existsSync(target + end)) rmSync(target + end);
}
