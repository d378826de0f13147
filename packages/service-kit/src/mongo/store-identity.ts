import { StartupError } from '@lobbystats/contracts/errors';
import type { Collection, Db } from 'mongodb';
import type { MongoSchema } from './mongo-schema.ts';

/** The document beside the identity while a restore has not completed. */
export const RESTORE_MARKER_ID = 'restoring';

interface Identity {
  _id: 'identity' | typeof RESTORE_MARKER_ID;
  name: string;
  schemaVersion: number;
  origin?: string;
}

function identityCollection(db: Db): Collection<Identity> {
  return db.collection<Identity>('store_identity');
}

/**
 * Checks kind, network and version, and claims a new database. Always writes, so that a read-only user fails at once.
 *
 * @throws StartupError that names the problem
 */
export async function claimStore(db: Db, where: string, { name, version }: MongoSchema, origin: string): Promise<void> {
  const identities = identityCollection(db);
  await assertRestored(identities, where);
  const stored = await identities.findOne({ _id: 'identity' });
  if (stored === null) throw new StartupError(`MongoDB at ${where} is not prepared: run the init job`);
  assertSameStore(stored, where, { name, version });
  if (stored.schemaVersion < version) {
    throw new StartupError(
      `MongoDB at ${where} has schema version ${stored.schemaVersion}, and this release needs ${version}: run its init job`,
    );
  }
  await identities.updateOne({ _id: 'identity', origin: { $exists: false } }, { $set: { origin } });
  const claimed = await identities.findOne({ _id: 'identity' });
  if (claimed?.origin !== origin) {
    throw new StartupError(
      `MongoDB at ${where} was filled by the network "${claimed?.origin ?? ''}" and this one is "${origin}": ` +
        'set NETWORK_ORIGIN back, or use another database',
    );
  }
}

/**
 * Returns the previous schema version; undefined for a new database.
 *
 * @throws StartupError for another service's database, a newer schema or an interrupted restore
 */
export async function recordIdentity(
  db: Db,
  where: string,
  { name, version }: MongoSchema,
): Promise<number | undefined> {
  const identities = identityCollection(db);
  await assertRestored(identities, where);
  const stored = await identities.findOne({ _id: 'identity' });
  if (stored !== null) assertSameStore(stored, where, { name, version });
  await identities.updateOne({ _id: 'identity' }, { $set: { name, schemaVersion: version } }, { upsert: true });
  return stored?.schemaVersion;
}

async function assertRestored(identities: Collection<Identity>, where: string): Promise<void> {
  if ((await identities.findOne({ _id: RESTORE_MARKER_ID })) === null) return;
  throw new StartupError(
    `MongoDB at ${where} has an interrupted restore: run the same npx lobbystats restore again, or delete the database`,
  );
}

function assertSameStore(stored: Identity, where: string, { name, version }: { name: string; version: number }): void {
  if (stored.name !== name) {
    throw new StartupError(
      `MongoDB at ${where} holds "${stored.name}", not "${name}": give each service a database of its own`,
    );
  }
  if (stored.schemaVersion > version) {
    throw new StartupError(
      `MongoDB at ${where} has schema version ${stored.schemaVersion}, and this release knows up to ${version}: run a newer release`,
    );
  }
}
