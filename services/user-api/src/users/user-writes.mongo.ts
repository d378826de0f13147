import {
  commitSteps,
  writeSteps,
  type CommitStep,
  type MongoOutbox,
  type MongoStore,
} from '@lobbystats/service-kit/mongo';
import type { UserRecord } from './user-record.ts';
import type { UserCommit, UserStore } from './user-store.ts';
import { packDay, packStandings } from './packed-fields.ts';
import { profileAppeared, unlocksByAchievement, userChanges, type IndexedState } from './user-changes.ts';
import {
  dayRowId,
  unlockRowId,
  type DefinitionRow,
  type HostDayRow,
  type StateRow,
  type PlayDayRow,
  type PlayerRow,
  type UnlockCountRow,
  type UnlockRow,
} from './collection-rows.mongo.ts';
import { rowsByKeys, type UserRow } from './user-rows.mongo.ts';
import { incrementCount, userSteps } from './user-steps.mongo.ts';

/** Removed in a fraction of a second. */
const DAYS_PER_BATCH = 5000;

export function userWrites(store: MongoStore, outbox: MongoOutbox) {
  const states = store.collection<StateRow>('user_state');
  const removeDays = async (collection: string, day: number): Promise<number> => {
    const days = store.collection<{ _id: string }>(collection);
    return store.run(async () => {
      const old = days.find({ _id: { $lt: dayRowId(day, '') } }, { projection: { _id: 1 }, batchSize: DAYS_PER_BATCH });
      const rows = await old.sort({ _id: 1 }).limit(DAYS_PER_BATCH).toArray();
      const { deletedCount } = await days.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
      return deletedCount;
    });
  };
  return {
    commit: async (commit) => {
      // Outside the transaction, which may restart. The expected revision guards what this reads.
      const steps = await stepsOf(store, commit);
      const { expectedRevision, revision, evaluation, withdrawals } = commit;
      const from = { _id: 'users', revision: expectedRevision } as const;
      const changed = { ...(evaluation !== undefined && { evaluation }), ...(withdrawals && { withdrawals }) };
      const to = { $set: { revision, ...changed } };
      // Facts first: a concurrent profile write would otherwise force all rows to be written again.
      return commitSteps(store, { rows: states, from, to }, [
        (session) => outbox.add(commit.facts ?? [], session),
        ...steps,
      ]);
    },
    removeDaysBefore: async (day) => (await removeDays('play_day', day)) + (await removeDays('host_day', day)),
  } satisfies Partial<UserStore>;
}

async function stepsOf(store: MongoStore, commit: UserCommit): Promise<CommitStep[]> {
  const { users = [], playDays = [], hostDays = [], players = [], definitions = [] } = commit;
  const changes = userChanges(users, await readIndexedState(store, users));
  return [
    ...userSteps(store, changes),
    ...retirementSteps(store, commit),
    ...writeSteps<PlayDayRow>(
      store,
      'play_day',
      playDays.map(({ day, userKey, titles }) => upsert(dayRowId(day, userKey), { titles: packDay(titles) })),
    ),
    ...writeSteps<HostDayRow>(
      store,
      'host_day',
      hostDays.map(({ day, playerKey, slots }) => upsert(dayRowId(day, playerKey), { slots })),
    ),
    ...writeSteps<PlayerRow>(
      store,
      'player',
      players.map(({ key, standings, hosted }) => upsert(key, { standings: packStandings(standings), hosted })),
    ),
    ...unlockSteps(store, commit),
    ...writeSteps<DefinitionRow>(
      store,
      'definition',
      definitions.map((definition) => upsert(definition.id, { definition })),
    ),
  ];
}

function retirementSteps(store: MongoStore, { retiredUsers = [], retiredPlayers = [] }: UserCommit): CommitStep[] {
  if (retiredUsers.length + retiredPlayers.length === 0) return [];
  const users = store.collection<UserRow>('user');
  const players = store.collection<PlayerRow>('player');
  return [
    async (session) => {
      const ids = { $in: [...retiredUsers] };
      const withProfile = await users.findOne(
        { _id: ids, profile: { $exists: true } },
        { session, projection: { _id: 1 } },
      );
      if (withProfile !== null) throw profileAppeared();
      await users.deleteMany({ _id: ids }, { session });
    },
    (session) => players.deleteMany({ _id: { $in: [...retiredPlayers] } }, { session }),
  ];
}

async function readIndexedState(store: MongoStore, users: readonly UserRecord[]): Promise<Map<string, IndexedState>> {
  const rows = await rowsByKeys(
    store,
    users.map(({ key }) => key),
    {
      rows: store.collection<UserRow>('user'),
      filter: (keys) => ({ _id: { $in: keys } }),
      options: { projection: { username: 1, gamertag: 1, score: 1, unlockCount: 1 } },
    },
  );
  return new Map(rows.map((row) => [row._id, row]));
}

function unlockSteps(
  store: MongoStore,
  { unlocks = [], movedUnlocks = [], withdrawnUnlocks = [], users = [] }: UserCommit,
): CommitStep[] {
  const usernames = new Map(users.map(({ key, username }) => [key, username]));
  const rows = unlocks.map(({ userKey, achievementId, unlockedAt }): UnlockRow => {
    const username = usernames.get(userKey) ?? '';
    return { _id: unlockRowId(achievementId, userKey), userKey, achievementId, unlockedAt, username };
  });
  return [
    ...writeSteps<UnlockRow>(
      store,
      'unlock',
      rows.map((document) => ({ insertOne: { document } })),
    ),
    ...writeSteps<UnlockRow>(
      store,
      'unlock',
      movedUnlocks.map(({ achievementId, userKey, unlockedAt }) => ({
        updateOne: { filter: { _id: unlockRowId(achievementId, userKey) }, update: { $set: { unlockedAt } } },
      })),
    ),
    ...writeSteps<UnlockRow>(
      store,
      'unlock',
      withdrawnUnlocks.map(({ achievementId, userKey }) => ({
        deleteOne: { filter: { _id: unlockRowId(achievementId, userKey) } },
      })),
    ),
    ...writeSteps<UnlockCountRow>(store, 'unlock_count', Array.from(unlocksByAchievement(unlocks), incrementCount)),
    ...writeSteps<UnlockCountRow>(
      store,
      'unlock_count',
      Array.from(unlocksByAchievement(withdrawnUnlocks), ([id, count]) => incrementCount([id, -count])),
    ),
  ];
}

function upsert<Id, Fields>(_id: Id, fields: Fields) {
  return { replaceOne: { filter: { _id }, replacement: fields, upsert: true } };
}
