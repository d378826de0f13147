import type { MongoClient } from 'mongodb';

const PARAMETER = 'minSnapshotHistoryWindowInSeconds';
/** The server's own. */
const DEFAULT_SECONDS = 300;
/** How long the server keeps the past, while it is copied. */
const COPYING_SECONDS = 6 * 3600;

/** Has the server keep the past for as long as the copying takes. */
export async function withSnapshotHistory(client: MongoClient, work: () => Promise<void>): Promise<void> {
  const before = await historySeconds(client);
  await setHistory(client, Math.max(before, COPYING_SECONDS));
  try {
    await work();
  } finally {
    // A copying that was killed has left its own.
    await setHistory(client, before === COPYING_SECONDS ? DEFAULT_SECONDS : before);
  }
}

/** The server keeps the past as if it were being copied: it is, or a copying was killed. */
export async function isCopiedOrLeftSo(client: MongoClient): Promise<boolean> {
  return (await historySeconds(client)) === COPYING_SECONDS;
}

async function historySeconds(client: MongoClient): Promise<number> {
  return Number((await client.db('admin').command({ getParameter: 1, [PARAMETER]: 1 }))[PARAMETER]);
}

async function setHistory(client: MongoClient, seconds: number): Promise<void> {
  await client.db('admin').command({ setParameter: 1, [PARAMETER]: seconds });
}
