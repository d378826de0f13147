import { setTimeout as sleep } from 'node:timers/promises';
import { ReadConcern, type Binary, type MongoClient } from 'mongodb';

/** In a transaction that somebody is at, milliseconds pass between two operations. */
const FORSAKEN_MS = 3000;
const LOOK_EVERY_MS = 500;
/** A little more than it takes to be sure of those that the first look has found. */
const LOOKS = 2 + FORSAKEN_MS / LOOK_EVERY_MS;

/** A transaction of the user's, as the server has it, between two of its operations. */
interface IdleTransaction {
  readonly sessionId: Binary;
  readonly number: number;
  /** How long the server has worked for it: that grows with each operation. */
  readonly activeMicros: number;
}

/**
 * Ends transactions of the user's own in which nothing happens for 3 s: who began them was killed, and what they have locked would
 * be so until the server's limit (10 s and more). One whose owner is there after all is begun again by them: it has changed
 * nothing so far.
 *
 * @throws MongoError when the server can't be had
 */
export async function endForsakenTransactions(client: MongoClient): Promise<void> {
  let seen = new Map<string, { readonly activeMicros: number; readonly sinceMs: number }>();
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    const idle = await idleTransactions(client);
    const nowMs = performance.now();
    const still = new Map<string, { activeMicros: number; sinceMs: number }>();
    const forsaken: IdleTransaction[] = [];
    for (const transaction of idle) {
      const { activeMicros } = transaction;
      const id = idOf(transaction);
      const before = seen.get(id);
      const sinceMs = before?.activeMicros === activeMicros ? before.sinceMs : nowMs;
      if (nowMs - sinceMs >= FORSAKEN_MS) forsaken.push(transaction);
      else still.set(id, { activeMicros, sinceMs });
    }
    if (forsaken.length > 0) {
      await client.db().command({ killSessions: forsaken.map(({ sessionId }) => ({ id: sessionId })) });
    }
    if (still.size === 0) return;
    seen = still;
  }
}

async function idleTransactions(client: MongoClient): Promise<IdleTransaction[]> {
  return client
    .db('admin', { readConcern: new ReadConcern('local') })
    .aggregate<IdleTransaction>(
      [
        // Its own every user may see and end.
        { $currentOp: { allUsers: false, idleSessions: true } },
        { $match: { type: 'idleSession', transaction: { $exists: true } } },
        {
          $project: {
            _id: 0,
            sessionId: '$lsid.id',
            number: '$transaction.parameters.txnNumber',
            activeMicros: '$transaction.timeActiveMicros',
          },
        },
      ],
      // Sessions go by UUIDs, which no plain bytes are.
      { promoteBuffers: false },
    )
    .toArray();
}

function idOf({ sessionId, number }: IdleTransaction): string {
  return `${sessionId.toString('hex')} ${number}`;
}
