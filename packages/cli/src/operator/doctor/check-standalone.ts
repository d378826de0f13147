import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@lobbystats/contracts/errors';
import { fileExists } from '@lobbystats/service-kit';
import { lockJournal, JournalInUseError } from '@lobbystats/service-kit/bus';
import { RESTORE_DIRECTORY } from '@lobbystats/service-kit/sqlite';
import type { Standalone } from '../command/deployment.ts';
import {
  countOf,
  identityOf,
  readStore,
  standaloneStores,
  type StandaloneStore,
} from '../standalone/standalone-stores.ts';
import { checkNetwork, checkSite, checkSources } from './check-http.ts';
import {
  checkDisk,
  counted,
  findingsOf,
  originFindings,
  outboxFinding,
  slotFinding,
  type Finding,
  type FindingFactory,
} from './finding.ts';

export async function checkStandalone(deployment: Standalone, clock: () => number): Promise<Finding[]> {
  const { directory, url, networkUrl } = deployment;
  const part = findingsOf('data');
  const isInterrupted = existsSync(join(directory, RESTORE_DIRECTORY));
  const interrupted = isInterrupted
    ? [part.fault('a restore was interrupted', 'run the same npx lobbystats restore again')]
    : [];
  if (!fileExists(join(directory, standaloneStores.bus.file))) {
    if (isInterrupted) return [...interrupted, checkDisk(directory)];
    const todo =
      'set DATA_DIR to the data directory of npm start, or start it once; for docker compose add --settings .env';
    return [part.fault(`${directory} has no data`, todo), checkDisk(directory)];
  }
  const { isUp, use } = useOf(directory, part);
  const findings = [use, ...interrupted, checkDisk(directory), checkErasureKey(directory)];
  const origins = new Set<string>();
  for (const [name, store] of Object.entries(standaloneStores)) {
    findings.push(...(await checkStore(directory, name, store, { isUp, origins, now: Math.floor(clock() / 1000) })));
  }
  findings.push(...originFindings(part, 'the stores', origins));
  return [
    ...findings,
    await checkSite(url, { clock, running: isUp }),
    ...(await checkNetwork(networkUrl, clock)),
    ...(isUp ? await checkSources(url) : []),
  ];
}

function useOf(directory: string, part: FindingFactory): { isUp: boolean; use: Finding } {
  const unused = { isUp: false, use: part.ok(`${directory}, not in use`) };
  if (!existsSync(join(directory, `${standaloneStores.bus.file}.lock`))) return unused;
  try {
    lockJournal(join(directory, standaloneStores.bus.file)).release();
    return unused;
  } catch (error) {
    // Such as a full disk.
    if (!(error instanceof JournalInUseError)) {
      return { isUp: false, use: part.fault(messageOf(error), 'see the other findings, and repeat the doctor') };
    }
    const use = /in use by ([^:]+):/.exec(error.message)?.[0].replace(/:$/, '') ?? 'in use';
    return { isUp: true, use: part.ok(`${directory}, ${use}`) };
  }
}

function checkErasureKey(directory: string): Finding {
  const part = findingsOf('erasure.key');
  const path = join(directory, 'erasure.key');
  if (!existsSync(path)) return part.ok('missing: ERASURE_KEY is set, or the first start creates it');
  return (statSync(path).mode & 0o077) === 0
    ? part.ok('exists, readable only by its owner')
    : part.warning('readable by other users', `chmod 600 ${path}`);
}

interface StoreCheckContext {
  readonly isUp: boolean;
  readonly now: number;
  readonly origins: Set<string>;
}

async function checkStore(
  directory: string,
  name: string,
  store: StandaloneStore,
  around: StoreCheckContext,
): Promise<Finding[]> {
  const part = findingsOf(store.file);
  const path = join(directory, store.file);
  if (!existsSync(path)) return [part.fault('missing', 'start the system once, or restore a backup')];
  try {
    return await readStore(path, (db) => {
      const { name: found, origin = '', schemaVersion } = identityOf(db);
      around.origins.add(origin);
      if (found !== name) return [part.fault(`holds "${String(found)}", not "${name}"`, 'put the right file there')];
      return [checkSchema(part, db, store, schemaVersion), ...checkContents(name, store.file, db, around)];
    });
  } catch (error) {
    return [part.fault(`can't be read: ${messageOf(error)}`, 'restore a backup, if it is damaged')];
  }
}

function checkSchema(
  part: FindingFactory,
  db: DatabaseSync,
  { migrations }: StandaloneStore,
  version: number,
): Finding {
  const text = `schema version ${version}`;
  if (version > migrations.length) return part.fault(`${text}, of a newer release`, 'run that release');
  if (version < migrations.length) return part.warning(`${text}, of an older release`, 'start this release once');
  const expected = new DatabaseSync(':memory:');
  try {
    expected.exec('CREATE TABLE store_identity (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
    for (const migration of migrations) expected.exec(migration);
    const there = new Set(schemaObjectsIn(db));
    const missing = schemaObjectsIn(expected).filter((object) => !there.has(object));
    return missing.length === 0
      ? part.ok(`${text}, all tables and indexes exist`)
      : part.fault(`${text}, without ${missing.join(', ')}`, 'restore a backup');
  } finally {
    expected.close();
  }
}

function schemaObjectsIn(db: DatabaseSync): string[] {
  return db
    .prepare('SELECT type, name FROM sqlite_schema')
    .all()
    .map((row) => `${String(row['type'])} ${String(row['name'])}`);
}

function checkContents(name: string, file: string, db: DatabaseSync, { isUp, now }: StoreCheckContext): Finding[] {
  if (name === 'bus') return checkJournal(db, isUp);
  if (name === 'series') {
    const newest = db.prepare('SELECT max(slot) AS n FROM site_snapshot').get()?.['n'];
    return [slotFinding(newest === null || newest === undefined ? undefined : Number(newest), now, isUp)];
  }
  if (name === 'collector') return [];
  return [outboxFinding(file, countOf(db, 'SELECT count(*) AS n FROM outbox'), isUp)];
}

function checkJournal(db: DatabaseSync, isUp: boolean): Finding[] {
  const dead = countOf(db, 'SELECT count(*) AS n FROM dead_letter');
  const waiting = countOf(db, 'SELECT count(*) AS n FROM queued');
  const part = findingsOf('bus');
  return [
    dead === 0
      ? part.ok('no dead letters')
      : part.warning(counted(dead, 'dead letter'), 'npx lobbystats dlq list; fix their cause, then requeue or purge'),
    waiting > 10_000 && isUp
      ? part.warning(`${counted(waiting, 'message')} queued`, 'a service is behind: see the log')
      : part.ok(`${counted(waiting, 'message')} queued`),
  ];
}
