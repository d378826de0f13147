import { messageOf } from '@lobbystats/errors';
import { checkIndexes, closeClient } from '@lobbystats/mongo-store';
import type { MongoClient } from 'mongodb';
import { reasonOf } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { connectMongo, databaseIdentity, type ServerDatabase } from '../servers/server-databases.ts';
import { isCopiedOrLeftSo } from '../servers/snapshot-history.ts';
import { partOf, type Finding } from './finding.ts';
import { clockFinding } from './look-at-clock.ts';
import { roomFinding } from './look-at-machine.ts';
import { outboxFinding } from './look-at-slots.ts';

const part = partOf('mongodb');
const INIT = 'run the init job: docker compose run --rm init';

interface Around {
  readonly clock: () => number;
  readonly running: boolean;
  readonly databases: readonly ServerDatabase[];
}

export async function lookAtMongo({ mongodb }: Servers, around: Around): Promise<Finding[]> {
  const where = mongodb.url.replace(/^[a-z+]+:\/\//, '');
  let client: MongoClient | undefined;
  try {
    client = await connectMongo(mongodb);
    const origins = new Set<string>();
    const findings = await aboutServer(client, where, around);
    for (const database of around.databases)
      findings.push(...(await aboutDatabase(client, database, { ...around, origins })));
    if (origins.size > 1) {
      findings.push(
        part.fault(`databases of several networks: ${[...origins].join(', ')}`, 'restore a backup of one of them'),
      );
    }
    return findings;
  } catch (error) {
    return [
      part.fault(`${where}: ${reasonOf(error)}`, 'see whether it runs, and MONGODB_URL and MONGODB_ADMIN_PASSWORD'),
    ];
  } finally {
    if (client !== undefined) await closeClient(client);
  }
}

async function aboutServer(client: MongoClient, where: string, { clock, databases }: Around): Promise<Finding[]> {
  const admin = client.db('admin');
  const { version } = await admin.command({ buildInfo: 1 });
  const sentMs = clock();
  const hello = await admin.command({ hello: 1 });
  const receivedMs = clock();
  const reading = {
    aheadMs: (hello['localTime'] as Date).getTime() - (sentMs + receivedMs) / 2,
    withinMs: (receivedMs - sentMs) / 2,
  };
  const { fsTotalSize, fsUsedSize } = await client.db(databases[0]?.database).stats();
  const isSet = hello['setName'] !== undefined || hello['msg'] === 'isdbgrid';
  const isPrimary = hello['isWritablePrimary'] === true;
  const todo = 'MongoDB must be a replica set, be it of one: see infra/mongodb';
  return [
    part.ok(`MongoDB ${String(version)} at ${where}`),
    clockFinding('mongodb', reading),
    isSet && isPrimary
      ? part.ok(`primary of the replica set ${String(hello['setName'])}`)
      : part.fault(
          isSet ? 'it is not the primary' : 'it is no replica set',
          isSet ? 'name the primary in MONGODB_URL' : todo,
        ),
    ...((await isCopiedOrLeftSo(client))
      ? [part.warning('it keeps hours of the past: a backup runs, or was killed', 'run npm run backup to its end')]
      : []),
    roomFinding(part, Number(fsTotalSize) - Number(fsUsedSize), 'MongoDB'),
  ];
}

async function aboutDatabase(
  client: MongoClient,
  { database, schema }: ServerDatabase,
  { running, origins }: Around & { origins: Set<string> },
): Promise<Finding[]> {
  const db = client.db(database);
  const mine = partOf(`mongodb.${schema.name}`);
  const identity = await databaseIdentity(db);
  if (identity === undefined) {
    const isHalf = (await db.collection<{ _id: string }>('store_identity').findOne({ _id: 'restoring' })) !== null;
    return [
      isHalf
        ? mine.fault('a restore was cut off', 'run the same npm run restore again')
        : mine.fault('not prepared', INIT),
    ];
  }
  const { name, schemaVersion = 0, origin } = identity;
  if (origin !== undefined) origins.add(origin);
  if (name !== schema.name)
    return [mine.fault(`${database} holds "${String(name)}"`, 'give each service a database of its own')];
  const says = `schema version ${schemaVersion}`;
  if (schemaVersion > schema.version) return [mine.fault(`${says}, of a newer release`, 'run that release')];
  if (schemaVersion < schema.version) return [mine.fault(`${says}, of an older release`, INIT)];
  const hasOutbox = schema.collections.some((collection) => collection.name === 'outbox');
  try {
    await checkIndexes(db, database, schema);
  } catch (error) {
    return [mine.fault(messageOf(error), INIT)];
  }
  return [
    mine.ok(`${says}, all indexes are there`),
    ...(hasOutbox
      ? [outboxFinding(`mongodb.${schema.name}`, await db.collection('outbox').countDocuments(), running)]
      : []),
  ];
}
