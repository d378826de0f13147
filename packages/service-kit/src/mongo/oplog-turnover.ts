import type { Db } from 'mongodb';

/** The size of the oplog that infra/mongodb sets, the smallest one that MongoDB allows. */
export const OPLOG_BYTES = 990 * 1024 * 1024;
/** Erased data has left the oplog by then: 6 days, while the services run. */
const OPLOG_TURNOVER_MS = 6 * 24 * 3_600_000;
const ENTRY_BYTES = 1024 * 1024;
const ENTRY_EVERY_MS = Math.floor((OPLOG_TURNOVER_MS * ENTRY_BYTES) / OPLOG_BYTES);

/**
 * Writes to the oplog until it is stopped. MongoDB removes old entries, which contain erased data, only for newer ones, and with little
 * traffic that takes months.
 */
export function startOplogTurnover(db: Db): () => void {
  // What fails now is written in some minutes.
  const timer = setInterval(() => void writeOplogEntry(db).catch(() => undefined), ENTRY_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Adds 1 MiB to the oplog, which is compressed to little on disk, and leaves no document. */
export async function writeOplogEntry(db: Db): Promise<void> {
  const entries = db.collection('oplog_turnover');
  await entries.insertOne({ bytes: Buffer.alloc(ENTRY_BYTES) });
  await entries.deleteMany({});
}
