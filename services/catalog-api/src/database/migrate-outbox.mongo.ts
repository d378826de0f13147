import { titleStored, type Fact, type GameMetadata } from '@lobbystats/contracts';
import type { MongoOutbox, MongoStore } from '@lobbystats/mongo-store';

export async function migrateOutbox(store: MongoStore, outbox: MongoOutbox, origin: string): Promise<void> {
  const before = store.collection<OutboxRowV1>('outbox');
  const left = { type: { $exists: false } };
  await store.transaction(async (session) => {
    const rows = await before.find(left, { session }).sort({ _id: 1 }).toArray();
    if (rows.length === 0) return;
    await before.deleteMany(left, { session });
    const facts = rows.map((row) => titleFact(row, origin));
    await outbox.add(facts, session);
  });
}

interface OutboxRowV1 extends Pick<Fact, 'occurredAt' | 'past'> {
  _id: number;
  titles: GameMetadata[];
}

function titleFact({ _id: revision, occurredAt, past, titles }: OutboxRowV1, origin: string): Fact {
  const type = titleStored.key;
  return { type, id: `${type}:${origin}:${revision}`, occurredAt, past, data: { revision, titles } };
}
