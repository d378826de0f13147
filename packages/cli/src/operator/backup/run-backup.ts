import { copyFileSync, chmodSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { CHANNEL_TABLES } from '@lobbystats/user-api/admin';
import { fileExists, OperatorError, runCommand, type Terminal } from '@lobbystats/service-kit';
import { RESTORE_DIRECTORY } from '@lobbystats/service-kit/sqlite';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withSettings, type Standalone } from '../command/deployment.ts';
import { backUpServers } from '../servers/back-up-servers.ts';
import { pinnedSnapshots } from '../standalone/pinned-snapshots.ts';
import { countRows, identityOf, KEY_FILE, standaloneStores } from '../standalone/standalone-stores.ts';
import { makeBackupDirectory } from './backup-directory.ts';
import { digestOf, newManifest, summaryOf, type Manifest, type Part } from './manifest.ts';
import { createProgressReporter, percentOf } from './progress.ts';

/** Belongs to a running process, or is incomplete. */
const TRANSIENT_FILES = /-(wal|shm|journal)$|[.](lock|new)$/;
const PAGES_PER_STEP = 2000;

interface BackupOptions {
  readonly to: string;
  readonly settings?: string;
  readonly withoutChannels?: boolean;
}

export async function runBackup(
  context: CliContext,
  { to, settings, withoutChannels = false }: BackupOptions,
): Promise<number> {
  const { env, terminal } = context;
  return runCommand('backup', terminal, async () => {
    const deployment = readDeployment(withSettings(env, settings));
    const manifest =
      deployment.form === 'standalone'
        ? await backUpStandalone(deployment, to, { ...context, withoutChannels })
        : await backUpServers(deployment, to, { ...context, withoutChannels });
    terminal.out(`${summaryOf(manifest)}\nBacked up to ${to}.\n`);
    return 0;
  });
}

async function backUpStandalone(
  { directory, erasureKey }: Standalone,
  to: string,
  { clock, terminal, withoutChannels }: Pick<CliContext, 'clock' | 'terminal'> & { withoutChannels: boolean },
): Promise<Manifest> {
  const { stores, others } = filesOf(directory);
  const target = makeBackupDirectory(to);
  const readers = await pinnedSnapshots(stores.map((file) => join(directory, file)));
  const takenAtMs = clock();
  const parts: Part[] = [];
  const origins = new Set<string>();
  try {
    for (const [index, reader] of readers.entries()) {
      const file = stores[index] ?? '';
      const emptied = withoutChannels && file === standaloneStores.users.file ? CHANNEL_TABLES : [];
      const { part, origin } = await copyStore(reader, join(target.path, file), { file, emptied, terminal });
      parts.push(part);
      if (origin !== undefined) origins.add(origin);
    }
  } finally {
    for (const reader of readers) reader.close();
  }
  const copied = others.filter((file) => !withoutChannels || file !== KEY_FILE);
  for (const file of copied) parts.push(await copyOtherFile(join(directory, file), target.path, file));
  if (origins.size !== 1)
    throw new OperatorError(`the stores in ${directory} belong to several networks: ${[...origins].join(', ')}`);
  const manifest = newManifest({ form: 'standalone', takenAtMs, origin: [...origins].join(), erasureKey, parts });
  target.finish(manifest);
  return manifest;
}

function filesOf(directory: string): { stores: string[]; others: string[] } {
  if (!fileExists(directory))
    throw new OperatorError(`directory ${directory} does not exist: set DATA_DIR to the data directory of npm start`);
  if (existsSync(join(directory, RESTORE_DIRECTORY)))
    throw new OperatorError(`a restore into ${directory} was interrupted: run the same npx lobbystats restore again`);
  const files = readdirSync(directory, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !TRANSIENT_FILES.test(entry.name),
  );
  const names = files.map(({ name }) => name).sort();
  const stores = names.filter((name) => name.endsWith('.sqlite'));
  const missing = Object.values(standaloneStores).filter(({ file }) => !stores.includes(file));
  if (missing.length > 0) {
    throw new OperatorError(
      `${directory} has no ${missing.map(({ file }) => file).join(', ')}, which npm start creates`,
    );
  }
  return { stores, others: names.filter((name) => !stores.includes(name)) };
}

interface CopiedStore {
  readonly file: string;
  /** Tables that are left out. */
  readonly emptied: readonly string[];
  readonly terminal: Terminal;
}

async function copyStore(reader: DatabaseSync, target: string, { file, emptied, terminal }: CopiedStore) {
  const reportProgress = createProgressReporter('backup', terminal);
  await backup(reader, target, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => {
      reportProgress(() => `${file}: ${percentOf(totalPages - remainingPages, totalPages)}`);
    },
  });
  const copy = new DatabaseSync(target);
  let found;
  try {
    // The copy needs no write-ahead log.
    copy.exec('PRAGMA journal_mode = DELETE');
    for (const table of emptied) copy.exec(`DELETE FROM "${table}"`);
    // Else the file would keep the deleted rows.
    if (emptied.length > 0) copy.exec('VACUUM');
    const result = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (result !== 'ok') throw new OperatorError(`${file} is damaged: ${String(result)}`);
    found = { ...identityOf(copy), counts: countRows(copy) };
  } finally {
    copy.close();
  }
  makePrivate(target);
  const { name = null, schemaVersion, counts, origin } = found;
  const part: Part = { file, ...(await digestOf(target)), store: name, schemaVersion, counts };
  return { part, origin };
}

async function copyOtherFile(source: string, directory: string, file: string): Promise<Part> {
  const target = join(directory, file);
  copyFileSync(source, target);
  makePrivate(target, statSync(source).mode);
  return { file, ...(await digestOf(target)), store: null, schemaVersion: null, counts: {} };
}

function makePrivate(path: string, mode = 0o600): void {
  chmodSync(path, mode & 0o600);
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
