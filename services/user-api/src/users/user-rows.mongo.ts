import { nameKey } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { MongoStore } from '@lobbystats/service-kit/mongo';
import type { Collection, Document, Filter, FindOptions, WithId } from 'mongodb';
import type { Presence, UserRecord, ProfileRecord } from './user-record.ts';
import type { OnlineUser } from './user-store.ts';
import { packIds, packTitles, unpackIds, unpackTitles } from './packed-fields.ts';
import type { ProfileFields } from './collection-rows.mongo.ts';

/** Fields that most polls change: of their indexes, `by_presence` alone. */
interface StateFields extends Pick<UserRecord, 'verified' | 'ratingsGiven'> {
  sight: Presence | null;
  titles: string;
  unlocked: string;
}

/** Fields that indexes and counts use. */
interface IndexedFields extends Pick<UserRecord, 'username' | 'gamertag' | 'score'> {
  playerKey: string;
  unlockCount: number;
  rankedScore: number | null;
}

export interface UserRow extends StateFields, IndexedFields {
  _id: string;
  profile?: ProfileFields;
}

export const WITHOUT_PROFILE = { profile: 0 } as const;

export function userOf(row: Omit<UserRow, 'profile'>): UserRecord {
  const { _id: key, username, gamertag, verified, ratingsGiven, score } = row;
  return {
    key,
    username,
    gamertag,
    verified,
    presence: row.sight ?? undefined,
    titles: unpackTitles(row.titles),
    ratingsGiven,
    unlocked: unpackIds(row.unlocked),
    score,
  };
}

export function onlineUserOf({ username, sight: presence }: Pick<UserRow, 'username' | 'sight'>): OnlineUser[] {
  if (presence === null) return [];
  const { at, titleId, game } = presence;
  return [{ username, at, titleId, game }];
}

export function profileOf({ _id: userKey, profile }: Pick<UserRow, '_id' | 'profile'>): ProfileRecord | undefined {
  return profile && { userKey, ...profile };
}

export function stateFields({ verified, presence, titles, ratingsGiven, unlocked }: UserRecord): StateFields {
  return {
    verified,
    sight: presence === undefined ? null : presenceFields(presence),
    titles: packTitles(titles),
    ratingsGiven,
    unlocked: packIds(unlocked),
  };
}

export function indexedFields({ username, gamertag, unlocked, score }: UserRecord): IndexedFields {
  const unlockCount = unlocked.length;
  return {
    username,
    gamertag,
    playerKey: nameKey(gamertag),
    unlockCount,
    score,
    rankedScore: unlockCount > 0 ? score : null,
  };
}

function presenceFields({ at, isOnline, titleId, game }: Presence): Presence {
  return { at, isOnline, titleId, game };
}

/** Keeps a query below 16 MB and two seconds. */
const KEYS_PER_QUERY = 10_000;

interface KeyQuery<Row extends Document> {
  readonly rows: Collection<Row>;
  readonly filter: (keys: readonly string[]) => Filter<Row>;
  readonly options?: FindOptions;
}

export async function rowsByKeys<Row extends Document>(
  store: MongoStore,
  keys: readonly string[],
  { rows, filter, options = {} }: KeyQuery<Row>,
): Promise<WithId<Row>[]> {
  const found: WithId<Row>[][] = [];
  for (const some of chunk(keys, KEYS_PER_QUERY)) {
    // One batch, where the driver would fetch a hundred first.
    const cursor = rows.find(filter(some), { ...options, batchSize: 2 * KEYS_PER_QUERY });
    found.push(await store.run(() => cursor.toArray()));
  }
  return found.flat();
}
