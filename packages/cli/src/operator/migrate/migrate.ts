import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockJournal } from '@lobbystats/service-kit/bus';
import { fileExists, OperatorError, runCommand, UsageError, type Terminal } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { makeBackupDirectory } from '../backup/backup-directory.ts';
import { newManifest, summaryOf, type Manifest } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import { readDeployment, readStandalone, withSettings, type Servers, type Standalone } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import type { ServerDatabase } from '../servers/servers.ts';
import { countOf, identityOf, readStore, standaloneStores } from '../standalone/standalone-stores.ts';
import { exportStores } from './export-stores.ts';

interface MigrateOptions {
  /** sqlite:DIRECTORY */
  readonly from: string;
  /** An env file of the servers; without it the environment names them. */
  readonly to?: string;
  readonly force?: boolean;
  readonly leave?: boolean;
}

export async function runMigrate({ env, clock, terminal }: CliContext, options: MigrateOptions): Promise<number> {
  return runCommand('migrate', terminal, async () => {
    const directory = /^sqlite:(.+)$/.exec(options.from)?.[1];
    if (directory === undefined) throw new UsageError('--from sqlite:DIRECTORY is required');
    const to = readDeployment(withSettings(env, options.to));
    if (to.form === 'standalone')
      throw new OperatorError('no servers are named: run it as docker compose run --rm operator, or with --to .env');
    const { force = false, leave = false } = options;
    const from = readStandalone({ DATA_DIR: directory });
    const manifest = await migrate(from, to, { force, leave, clock, terminal });
    terminal.out(
      `${summaryOf(manifest)}\nMigrated and compared: all counts match. Next: docker compose up -d --wait\n`,
    );
    return 0;
  });
}

interface MigrationOptions {
  readonly force: boolean;
  readonly leave: boolean;
  readonly clock: () => number;
  readonly terminal: Terminal;
  readonly databases?: readonly ServerDatabase[];
}

/**
 * Copies the data of a standalone to the servers with a backup that is restored and compared. The source is unchanged.
 *
 * @throws OperatorError when the standalone is running, has queued messages or another release, or the servers have data
 */
export async function migrate(from: Standalone, to: Servers, options: MigrationOptions): Promise<Manifest> {
  const { clock, terminal, force, leave } = options;
  const { directory } = from;
  if (!fileExists(join(directory, standaloneStores.bus.file))) throw new OperatorError(`${directory} has no data`);
  const lock = lockJournal(join(directory, standaloneStores.bus.file));
  const work = `${resolve(directory)}.migrating`;
  try {
    const origin = await originOf(directory);
    const key = from.erasureKey?.reveal();
    if (key !== undefined && to.erasureKey?.reveal() !== key) {
      throw new OperatorError(
        'ERASURE_KEY of the servers must equal that of the standalone (erasure.key in DATA_DIR): erased users would be ' +
          're-imported',
      );
    }
    if (!leave) await verifySettled(directory);
    rmSync(work, { recursive: true, force: true });
    const target = makeBackupDirectory(work);
    const copying = { directory: target.path, reportProgress: createProgressReporter('migrate', terminal) };
    const parts = await exportStores(directory, origin, copying);
    const manifest = newManifest({ form: 'servers', takenAtMs: clock(), origin, erasureKey: from.erasureKey, parts });
    target.finish(manifest);
    await restoreServers(to, { from: work, manifest, force, clock, databases: options.databases }, terminal);
    rmSync(work, { recursive: true });
    return manifest;
  } finally {
    lock.release();
  }
}

async function originOf(directory: string): Promise<string> {
  const origins = new Set<string>();
  for (const { file, migrations } of Object.values(standaloneStores)) {
    const { origin = '', schemaVersion } = await readStore(join(directory, file), identityOf);
    if (schemaVersion !== migrations.length) {
      throw new OperatorError(
        `${file} has schema version ${schemaVersion}, not ${migrations.length}: start this release on it once`,
      );
    }
    origins.add(origin);
  }
  const [origin = ''] = origins;
  if (origins.size > 1) throw new OperatorError(`the stores belong to several networks: ${[...origins].join(', ')}`);
  return origin;
}

/** Messages in flight between stores can't be moved. */
async function verifySettled(directory: string): Promise<void> {
  const counts = [
    [standaloneStores.bus.file, 'SELECT count(*) AS n FROM queued', 'queued messages'],
    [standaloneStores.bus.file, 'SELECT count(*) AS n FROM dead_letter', 'dead letters (npx lobbystats dlq)'],
    [standaloneStores.collector.file, "SELECT count(*) AS n FROM slot WHERE state = 'finished'", 'unpublished slots'],
  ] as const;
  const found: string[] = [];
  for (const [file, sql, what] of counts) {
    const count = await readStore(join(directory, file), (db) => countOf(db, sql));
    if (count > 0) found.push(`${count} ${what}`);
  }
  if (found.length === 0) return;
  throw new OperatorError(
    `${directory} has ${found.join(', ')}: start it until npx lobbystats doctor reports none, or discard them with --leave`,
  );
}
