import os from 'node:os';
import { eventually } from '@lobbystats/test-kit';
import { startMongod } from '@lobbystats/test-kit/test-mongod';
import { MongoClient } from 'mongodb';
import { OPLOG_BYTES, writeOplogEntry } from '../../src/mongo/index.ts';

const MIB = 1024 * 1024;

it('erased texts have left the oplog after as many entries as it has room for', async () => {
  const server = await startMongod('--oplogSize', String(OPLOG_BYTES / MIB));
  const client = new MongoClient(server.url, { runtimeAdapters: { os } });
  try {
    const db = client.db('users');
    const profiles = db.collection<{ _id: string; bio: string }>('profiles');
    await profiles.insertOne({ _id: 'fox', bio: 'erased words' });
    await profiles.deleteOne({ _id: 'fox' });
    const oplog = client.db('local').collection('oplog.rs');
    const erased = () => oplog.countDocuments({ 'o.bio': 'erased words' });
    expect(await erased()).toBe(1);
    const entries = OPLOG_BYTES / MIB;
    // MongoDB removes the oldest entries in portions of some 16 MB, in the background.
    for (let written = 0; written < entries + 32; written += 1) await writeOplogEntry(db);
    // It looks for room when entries come.
    const isGone = async () => {
      await writeOplogEntry(db);
      expect(await erased()).toBe(0);
    };
    await eventually(isGone, { timeoutMs: 240_000, everyMs: 500 });
    expect(await db.collection('oplog_turnover').countDocuments()).toBe(0);
  } finally {
    await client.close();
    await server.remove();
  }
});
