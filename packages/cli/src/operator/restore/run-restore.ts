import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockJournal } from '@lobbystats/service-kit/bus';
import { OperatorError, runCommand, type Terminal } from '@lobbystats/service-kit';
import { makePrivateDirectory, RESTORE_DIRECTORY } from '@lobbystats/service-kit/sqlite';
import type { CliContext } from '../../cli-command.ts';
import {
  fingerprintOf,
  readManifest,
  summaryOf,
  verifyCounts,
  verifyPart,
  type Manifest,
  type Part,
} from '../backup/manifest.ts';
import { readDeployment, withSettings, type Deployment, type Standalone } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import { countRows, KEY_FILE, readStore, standaloneStores } from '../standalone/standalone-stores.ts';

const LOCK = `${standaloneStores.bus.file}.lock`;

interface RestoreOptions {
  readonly from: string;
  readonly force?: boolean;
  readonly settings?: string;
}

export async function runRestore(
  { env, clock, terminal }: CliContext,
  { from, force = false, settings }: RestoreOptions,
): Promise<number> {
  return runCommand('restore', terminal, async () => {
    const deployment = readDeployment(withSettings(env, settings));
    const manifest = readManifest(from);
    verifyForm(manifest, deployment);
    if (deployment.form === 'standalone') verifyKey(manifest, deployment);
    warnAboutErasureKey(manifest, deployment, terminal);
    if (deployment.form === 'standalone') await restoreStandalone(deployment, { from, manifest, force }, terminal);
    else await restoreServers(deployment, { from, manifest, force, clock }, terminal);
    terminal.out(`${summaryOf(manifest)}\nRestored and compared: all counts match the backup.\n`);
    return 0;
  });
}

function verifyForm({ form }: Manifest, deployment: Deployment): void {
  if (form === deployment.form) return;
  throw new OperatorError(
    form === 'standalone'
      ? 'this is a backup of a standalone: restore it into a DATA_DIR, and copy that to the servers with npx lobbystats migrate'
      : 'this is a backup of the distributed form: set its servers with --settings .env',
  );
}

/** @throws OperatorError for a backup without the key of its hashes, if the key is not given: erased users would return */
function verifyKey({ erasureKey, parts }: Manifest, deployment: Standalone): void {
  if (erasureKey === null || parts.some(({ file }) => file === KEY_FILE)) return;
  const key = deployment.erasureKey?.reveal();
  if (key !== undefined && fingerprintOf(key) === erasureKey) return;
  throw new OperatorError(
    'the backup has no erasure.key, with which erased users stay erased: set ERASURE_KEY, or ERASURE_KEY_FILE, to the key that was kept apart',
  );
}

function warnAboutErasureKey({ erasureKey }: Manifest, deployment: Deployment, terminal: Terminal): void {
  if (deployment.form === 'standalone' || erasureKey === null) return;
  const key = deployment.erasureKey?.reveal();
  if (key !== undefined && fingerprintOf(key) === erasureKey) return;
  terminal.error(
    'restore: ERASURE_KEY differs from that of the backup: erased users will be re-imported. ' +
      'Set it to the previous key before the services start\n',
  );
}

/**
 * Copies and verifies everything before it replaces anything. An interrupted restore starts again.
 *
 * @throws OperatorError when the directory has files (unless `force`), the system is running, or the backup is incomplete
 */
async function restoreStandalone(
  { directory }: Standalone,
  { from, manifest, force }: { from: string; manifest: Manifest; force: boolean },
  terminal: Terminal,
): Promise<void> {
  makePrivateDirectory(directory);
  const lock = lockJournal(join(directory, standaloneStores.bus.file));
  try {
    const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
    const there = files.map(({ name }) => name).filter((name) => !name.startsWith(LOCK));
    if (there.length > 0 && !existsSync(join(directory, RESTORE_DIRECTORY)) && !force) {
      throw new OperatorError(`${directory} is not empty: --force permanently replaces its files`);
    }
    const staging = join(directory, RESTORE_DIRECTORY);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    for (const part of manifest.parts) {
      terminal.error(`restore: ${part.file}\n`);
      await copyPart(from, staging, part);
    }
    const hasKey = manifest.parts.some(({ file }) => file === KEY_FILE);
    for (const name of there) if (hasKey || name !== KEY_FILE) rmSync(join(directory, name));
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
  verifyCounts(`${part.file} has other counts than the manifest`, part.counts, await readStore(target, countRows));
  // Left by a reader.
  for (const end of ['-wal', '-shm']) if (existsSync(target + end)) rmSync(target + end);
}
