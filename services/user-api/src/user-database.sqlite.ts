import { openSqliteStore, createSqliteOutbox } from '@lobbystats/service-kit/sqlite';
import type { UserDatabase } from './user-database.ts';
import { userMigrations } from './database/user-migrations.sqlite.ts';
import { addNotificationDeliveries, sqliteChannelStore } from './channels/channel-store.sqlite.ts';
import { userErasure } from './erasure/user-erasure.sqlite.ts';
import { sqliteFollowStore } from './following/follow-store.sqlite.ts';
import { sqliteProfileStore } from './profiles/profile-store.sqlite.ts';
import { unlockReads } from './achievements/unlock-reads.sqlite.ts';
import { userReads } from './users/user-reads.sqlite.ts';
import { userWrites } from './users/user-writes.sqlite.ts';

/** @throws StoreRefusedError when the file is another network's or newer code's */
export function openSqliteUserDatabase(url: string, origin: string, lockTimeoutMs?: number): UserDatabase {
  const sqlite = openSqliteStore({
    url,
    origin,
    name: 'users',
    migrations: userMigrations,
    durability: 'full',
    secureDelete: true,
    manyWrites: true,
    lockTimeoutMs,
  });
  return {
    users: { ...userReads(sqlite), ...userWrites(sqlite), ...unlockReads(sqlite) },
    profiles: sqliteProfileStore(sqlite),
    erasures: userErasure(sqlite),
    following: sqliteFollowStore(sqlite, addNotificationDeliveries),
    channels: sqliteChannelStore(sqlite),
    outbox: createSqliteOutbox(sqlite),
    check: async () => sqlite.check(),
    close: async () => sqlite.close(),
  };
}
