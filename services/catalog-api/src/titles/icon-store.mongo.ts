import { REQUEST_TIMEOUT_MS, type MongoOutbox, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { IconStore } from './icon-store.ts';

export interface IconRow {
  _id: string;
  seenAt: number;
  image: Buffer;
}

export function mongoIconStore(store: MongoStore, outbox: MongoOutbox): IconStore {
  const icons = store.collection<IconRow>('icon');
  return {
    read: async (titleId) => {
      const row = await store.run(() => icons.findOne({ _id: titleId }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : { seenAt: row.seenAt, image: row.image };
    },
    put: (titleId, { seenAt, image }, facts) =>
      store.transaction(async (session) => {
        const known = await icons.findOne({ _id: titleId }, { session });
        if (known !== null && known.seenAt >= seenAt) return false;
        const row = { seenAt, image: Buffer.from(image) };
        await icons.replaceOne({ _id: titleId }, row, { session, upsert: true });
        if (known?.image.equals(image) === true) return false;
        await outbox.add(facts, session);
        return true;
      }),
  };
}
