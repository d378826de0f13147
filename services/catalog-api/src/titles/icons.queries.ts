import type { EpochSeconds, Fact } from '@lobbystats/contracts';
import { REQUEST_TIMEOUT_MS } from '@lobbystats/service-kit/mongo-steps';
import type { SqliteStore } from '@lobbystats/service-kit/sqlite';
import { appendToOutbox } from '@lobbystats/service-kit/sqlite-outbox';
import type { MongoCatalog } from '../database/open.mongo.ts';

/** They throw AppError `unavailable`. */
export type IconQueries = ReturnType<typeof iconsInSqlite>;

export interface Icon {
  readonly seenAt: EpochSeconds;
  /** WebP. */
  readonly image: Uint8Array;
}

export function iconsInSqlite(sqlite: SqliteStore) {
  const read = (titleId: string) =>
    sqlite.get<Icon>('SELECT seen_at AS seenAt, image FROM icon WHERE title_id = ?', titleId);
  return {
    read: async (titleId: string) => read(titleId),
    /** Stores an icon unless a later one is known. An image that differs is committed with the facts. Returns whether it does. */
    put: async (titleId: string, { seenAt, image }: Icon, facts: readonly Fact[]) =>
      sqlite.transaction(() => {
        const known = read(titleId);
        if (known !== undefined && known.seenAt >= seenAt) return false;
        sqlite.run('INSERT OR REPLACE INTO icon (title_id, seen_at, image) VALUES (?, ?, ?)', titleId, seenAt, image);
        if (known !== undefined && Buffer.compare(known.image, image) === 0) return false;
        appendToOutbox(sqlite, facts);
        return true;
      }),
  };
}

export interface IconDocument {
  _id: string;
  seenAt: number;
  image: Buffer;
}

export function iconsInMongo({ store, outbox }: MongoCatalog) {
  const icons = store.collection<IconDocument>('icon');
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
  } satisfies IconQueries;
}
