import { messageOf } from '@lobbystats/contracts/errors';
import { checkIndexes, closeClient } from '@lobbystats/service-kit/mongo';
import type { MongoClient } from 'mongodb';
import { describeError } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import {
  connectMongo,
  databaseIdentity,
  isBackupWindowSet,
  isRestoreInterrupted,
  type ServerDatabase,
} from '../servers/servers.ts';
import { clockFinding, findingsOf, freeSpaceFinding, originFindings, outboxFinding, type Finding } from './finding.ts';

const part = findingsOf('mongodb');
const RUN_INIT_JOB = 'run the init job: docker compose run --rm init';

interface CheckContext {
  readonly clock: () => number;
  readonly running: boolean;
  readonly databases: readonly ServerDatabase[];
}

export async function checkMongo({ mongodb, sourceOf }: Servers, around: CheckContext): Promise<Finding[]> {
  const where = mongodb.url.replace(/^[a-z+]+:\/\//, '');
  let client: MongoClient | undefined;
  try {
    client = await connectMongo(mongodb);
    const origins = new Set<string>();
    const findings = await checkServer(client, where, around);
    for (const database of around.databases)
      findings.push(...(await checkDatabase(client, database, { ...around, origins })));
    return [...findings, ...originFindings(part, 'databases', origins)];
  } catch (error) {
    return [
      part.fault(
        `${where}: ${describeError(error)}`,
        `check that it runs (a full disk ends it: see its log), MONGODB_URL and MONGODB_ADMIN_PASSWORD (of ${sourceOf('MONGODB_ADMIN_PASSWORD')})`,
      ),
    ];
  } finally {
    if (client !== undefined) await closeClient(client);
  }
}

async function checkServer(client: MongoClient, where: string, { clock, databases }: CheckContext): Promise<Finding[]> {
  const admin = client.db('admin');
  const { version } = await admin.command({ buildInfo: 1 });
  const sentMs = clock();
  const hello = await admin.command({ hello: 1 });
  const receivedMs = clock();
  const reading = {
    aheadMs: (hello['localTime'] as Date).getTime() - (sentMs + receivedMs) / 2,
    toleranceMs: (receivedMs - sentMs) / 2,
  };
  const { fsTotalSize, fsUsedSize } = await client.db(databases[0]?.database).stats();
  const isSet = hello['setName'] !== undefined || hello['msg'] === 'isdbgrid';
  const isPrimary = hello['isWritablePrimary'] === true;
  const todo = 'MongoDB must be a replica set, possibly of one member: see infra/mongodb';
  return [
    part.ok(`MongoDB ${String(version)} at ${where}`),
    clockFinding('mongodb', reading),
    isSet && isPrimary
      ? part.ok(`primary of the replica set ${String(hello['setName'])}`)
      : part.fault(isSet ? 'not the primary' : 'not a replica set', isSet ? 'set MONGODB_URL to the primary' : todo),
    ...((await isBackupWindowSet(client))
      ? [
          part.warning(
            'the snapshot history window is 6 h: a backup is running or was killed',
            'complete npx lobbystats backup',
          ),
        ]
      : []),
    freeSpaceFinding(part, Number(fsTotalSize) - Number(fsUsedSize), 'MongoDB'),
  ];
}

async function checkDatabase(
  client: MongoClient,
  { database, schema }: ServerDatabase,
  { running, origins }: CheckContext & { origins: Set<string> },
): Promise<Finding[]> {
  const db = client.db(database);
  const findings = findingsOf(`mongodb.${schema.name}`);
  if (await isRestoreInterrupted(db))
    return [findings.fault('a restore was interrupted', 'run the same npx lobbystats restore again')];
  const identity = await databaseIdentity(db);
  if (identity === undefined) return [findings.fault('not prepared', RUN_INIT_JOB)];
  const { name, schemaVersion = 0, origin } = identity;
  if (origin !== undefined) origins.add(origin);
  if (name !== schema.name)
    return [findings.fault(`${database} holds "${String(name)}"`, 'give each service a database of its own')];
  const text = `schema version ${schemaVersion}`;
  if (schemaVersion > schema.version) return [findings.fault(`${text}, of a newer release`, 'run that release')];
  if (schemaVersion < schema.version) return [findings.fault(`${text}, of an older release`, RUN_INIT_JOB)];
  const hasOutbox = schema.collections.some((collection) => collection.name === 'outbox');
  try {
    await checkIndexes(db, database, schema);
  } catch (error) {
    return [findings.fault(messageOf(error), RUN_INIT_JOB)];
  }
  return [
    findings.ok(`${text}, all indexes exist`),
    ...(hasOutbox
      ? [outboxFinding(`mongodb.${schema.name}`, await db.collection('outbox').countDocuments(), running)]
      : []),
  ];
}
