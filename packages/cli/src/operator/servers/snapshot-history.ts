import type { MongoClient } from 'mongodb';

const PARAMETER = 'minSnapshotHistoryWindowInSeconds';
const DEFAULT_SECONDS = 300;
const BACKUP_SECONDS = 6 * 3600;

export async function withSnapshotHistory(client: MongoClient, work: () => Promise<void>): Promise<void> {
  const before = await historySeconds(client);
  await setHistory(client, Math.max(before, BACKUP_SECONDS));
  try {
    await work();
  } finally {
    // Left by a killed backup.
    await setHistory(client, before === BACKUP_SECONDS ? DEFAULT_SECONDS : before);
  }
}

/** A backup runs, or was killed. */
export async function isBackupWindowSet(client: MongoClient): Promise<boolean> {
  return (await historySeconds(client)) === BACKUP_SECONDS;
}

async function historySeconds(client: MongoClient): Promise<number> {
  return Number((await client.db('admin').command({ getParameter: 1, [PARAMETER]: 1 }))[PARAMETER]);
}

async function setHistory(client: MongoClient, seconds: number): Promise<void> {
  await client.db('admin').command({ setParameter: 1, [PARAMETER]: seconds });
}
