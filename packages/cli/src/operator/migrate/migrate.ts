import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockJournal } from '@lobbystats/message-bus';
import { OperatorError, readVersion, type Terminal } from '@lobbystats/service-kit';
import { makeBackupDirectory } from '../backup/backup-directory.ts';
import { fingerprintOf, type Manifest } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import type { Servers, Standalone } from '../command/deployment.ts';
import { restoreServers } from '../servers/restore-servers.ts';
import type { ServerDatabase } from '../servers/server-databases.ts';
import { countOf, identityOf, openReadOnly } from '../standalone/sqlite-file.ts';
import { standaloneStores } from '../standalone/standalone-stores.ts';
import { exportStores } from './export-stores.ts';

export interface MigrateOptions {
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
export async function migrate(from: Standalone, to: Servers, options: MigrateOptions): Promise<Manifest> {
  const { clock, terminal, force, leave } = options;
  const { directory } = from;
  if (!existsSync(join(directory, standaloneStores.bus.file))) throw new OperatorError(`${directory} has no data`);
  const lock = lockJournal(join(directory, standaloneStores.bus.file));
  const work = `${resolve(directory)}.migrating`;
  try {
    const origin = originOf(directory);
    const key = from.erasureKey?.reveal();
    if (key !== undefined && to.erasureKey?.reveal() !== key) {
      throw new OperatorError(
        'ERASURE_KEY of the servers must equal that of the standalone (forgotten.key in DATA_DIR): erased users would be ' +
          're-imported',
      );
    }
    if (!leave) verifySettled(directory);
    rmSync(work, { recursive: true, force: true });
    const target = makeBackupDirectory(work);
    const copying = { directory: target.path, reportProgress: createProgressReporter('migrate', terminal) };
    const parts = await exportStores(directory, origin, copying);
    const manifest: Manifest = {
      format: 1,
      form: 'servers',
      takenAt: new Date(clock()).toISOString(),
      release: readVersion(),
      origin,
      forgottenKey: key === undefined ? null : fingerprintOf(key),
      waiting: {},
      parts,
    };
    target.finish(manifest);
    const databases = options.databases === undefined ? {} : { databases: options.databases };
    await restoreServers(to, { from: work, manifest, force, clock, ...databases }, terminal);
    rmSync(work, { recursive: true });
    return manifest;
  } finally {
    lock.release();
  }
}

function originOf(directory: string): string {
  const origins = new Set<string>();
  for (const { file, migrations } of Object.values(standaloneStores)) {
    const db = openReadOnly(join(directory, file));
    try {
      const { origin = '', schemaVersion } = identityOf(db);
      if (schemaVersion !== migrations.length) {
        throw new OperatorError(
          `${file} has schema version ${schemaVersion}, not ${migrations.length}: start this release on it once`,
        );
      }
      origins.add(origin);
    } finally {
      db.close();
    }
  }
  const [origin = ''] = origins;
  if (origins.size > 1) throw new OperatorError(`the stores belong to several networks: ${[...origins].join(', ')}`);
  return origin;
}

/** Messages in flight between stores can't be moved. */
function verifySettled(directory: string): void {
  const counts = [
    [standaloneStores.bus.file, 'SELECT count(*) AS n FROM queued', 'queued messages'],
    [standaloneStores.bus.file, 'SELECT count(*) AS n FROM dead_letter', 'dead letters (npm run dlq)'],
    [standaloneStores.collector.file, "SELECT count(*) AS n FROM slot WHERE state = 'finished'", 'unpublished slots'],
  ] as const;
  const found = counts.flatMap(([file, sql, what]) => {
    const db = openReadOnly(join(directory, file));
    try {
      const count = countOf(db, sql);
      return count === 0 ? [] : [`${count} ${what}`];
    } finally {
      db.close();
    }
  });
  if (found.length === 0) return;
  throw new OperatorError(
    `${directory} has ${found.join(', ')}: start it until npm run doctor reports none, or discard them with --leave`,
  );
}
