import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@lobbystats/errors';
import { holdJournal, JournalInUseError } from '@lobbystats/message-bus';
import type { Standalone } from '../command/deployment.ts';
import { countOf, identityOf, openToRead } from '../standalone/sqlite-file.ts';
import { standaloneStores, type StandaloneStore } from '../standalone/standalone-stores.ts';
import { RESTORING } from '../restore/restore-standalone.ts';
import { partOf, type Finding } from './finding.ts';
import { lookAtDisk } from './look-at-machine.ts';
import { outboxFinding, slotFinding } from './look-at-slots.ts';
import { lookAtNetwork, lookAtSite } from './look-at-web.ts';

export async function lookAtStandalone(deployment: Standalone, clock: () => number): Promise<Finding[]> {
  const { directory, url, networkUrl } = deployment;
  const part = partOf('data');
  if (!existsSync(join(directory, standaloneStores.bus.file))) {
    const todo = 'set DATA_DIR to where npm start keeps them, or start it once; for docker compose add --env-file .env';
    return [part.fault(`${directory} has no data`, todo)];
  }
  const running = isRunning(directory);
  const findings = [
    part.ok(`${directory}, ${running ?? 'in use by nobody'}`),
    ...(existsSync(join(directory, RESTORING))
      ? [part.fault('a restore was cut off', 'run the same npm run restore again')]
      : []),
    lookAtDisk(directory),
    lookAtKey(directory),
  ];
  const isUp = running !== undefined;
  const origins = new Set<string>();
  for (const [name, store] of Object.entries(standaloneStores)) {
    findings.push(...lookAtStore(directory, name, store, { isUp, origins, now: Math.floor(clock() / 1000) }));
  }
  if (origins.size > 1) {
    findings.push(
      part.fault(`the stores are of several networks: ${[...origins].join(', ')}`, 'restore a backup of one of them'),
    );
  }
  return [...findings, await lookAtSite(url, { clock, running: isUp }), ...(await lookAtNetwork(networkUrl, clock))];
}

function isRunning(directory: string): string | undefined {
  if (!existsSync(join(directory, `${standaloneStores.bus.file}.lock`))) return undefined;
  try {
    holdJournal(join(directory, standaloneStores.bus.file)).release();
    return undefined;
  } catch (error) {
    if (!(error instanceof JournalInUseError)) throw error;
    return /in use by ([^:]+):/.exec(error.message)?.[0].replace(/:$/, '') ?? 'in use';
  }
}

function lookAtKey(directory: string): Finding {
  const part = partOf('forgotten.key');
  const path = join(directory, 'forgotten.key');
  if (!existsSync(path)) return part.ok('not there: FORGOTTEN_KEY is set, or the first start makes it');
  return (statSync(path).mode & 0o077) === 0
    ? part.ok('there, for its owner alone')
    : part.warning('others may read it', `chmod 600 ${path}`);
}

interface Around {
  readonly isUp: boolean;
  readonly now: number;
  readonly origins: Set<string>;
}

function lookAtStore(directory: string, name: string, store: StandaloneStore, around: Around): Finding[] {
  const part = partOf(store.file);
  const path = join(directory, store.file);
  if (!existsSync(path)) return [part.fault('not there', 'start the system once, or restore a backup')];
  let db: DatabaseSync | undefined;
  try {
    db = openToRead(path);
    const { name: found, origin = '', schemaVersion } = identityOf(db);
    around.origins.add(origin);
    if (found !== name) return [part.fault(`holds "${String(found)}", not "${name}"`, 'put the right file there')];
    return [lookAtSchema(part, db, store, schemaVersion), ...lookInside(name, store.file, db, around)];
  } catch (error) {
    return [part.fault(`can't be read: ${messageOf(error)}`, 'restore a backup, if it is damaged')];
  } finally {
    db?.close();
  }
}

function lookAtSchema(
  part: ReturnType<typeof partOf>,
  db: DatabaseSync,
  { migrations }: StandaloneStore,
  version: number,
): Finding {
  const says = `schema version ${version}`;
  if (version > migrations.length) return part.fault(`${says}, of a newer release`, 'run that release');
  if (version < migrations.length) return part.warning(`${says}, of an older release`, 'start this release once');
  const expected = new DatabaseSync(':memory:');
  try {
    expected.exec('CREATE TABLE store_identity (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
    for (const migration of migrations) expected.exec(migration);
    const there = new Set(namesIn(db));
    const missing = namesIn(expected).filter((object) => !there.has(object));
    return missing.length === 0
      ? part.ok(`${says}, all tables and indexes are there`)
      : part.fault(`${says}, without ${missing.join(', ')}`, 'restore a backup');
  } finally {
    expected.close();
  }
}

function namesIn(db: DatabaseSync): string[] {
  return db
    .prepare('SELECT type, name FROM sqlite_schema')
    .all()
    .map((row) => `${String(row['type'])} ${String(row['name'])}`);
}

function lookInside(name: string, file: string, db: DatabaseSync, { isUp, now }: Around): Finding[] {
  if (name === 'bus') return lookAtJournal(db, isUp);
  if (name === 'series') {
    const newest = db.prepare('SELECT max(slot) AS n FROM site_snapshot').get()?.['n'];
    return [slotFinding(newest === null || newest === undefined ? undefined : Number(newest), now, isUp)];
  }
  if (name === 'collector') return [];
  return [outboxFinding(file, countOf(db, 'SELECT count(*) AS n FROM outbox'), isUp)];
}

function lookAtJournal(db: DatabaseSync, isUp: boolean): Finding[] {
  const dead = countOf(db, 'SELECT count(*) AS n FROM dead_letter');
  const waiting = countOf(db, 'SELECT count(*) AS n FROM queued');
  const part = partOf('bus');
  return [
    dead === 0
      ? part.ok('no dead letters')
      : part.warning(`${dead} dead letters wait`, 'npm run dlq -- list; mend what they say, then requeue or purge'),
    waiting > 10_000 && isUp
      ? part.warning(`${waiting} messages wait`, 'a service is behind: see the log')
      : part.ok(`${waiting} messages wait`),
  ];
}
