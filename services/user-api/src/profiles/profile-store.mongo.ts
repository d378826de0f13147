import { isDuplicateKey, REQUEST_TIMEOUT_MS, type MongoOutbox, type MongoStore } from '@lobbystats/service-kit/mongo';
import type { ProfileStore, ProfileWrite } from './profile-store.ts';
import type { ProfileRecord } from '../users/user-record.ts';
import type { DiscordRow, ErasureRow, StateRow } from '../users/collection-rows.mongo.ts';
import { profileOf, userOf, type UserRow } from '../users/user-rows.mongo.ts';
import { userSteps } from '../users/user-steps.mongo.ts';

type WriteOutcome = Awaited<ReturnType<ProfileStore['writeProfile']>>;

export function mongoProfileStore(store: MongoStore, outbox: MongoOutbox): ProfileStore {
  const users = store.collection<UserRow>('user');
  const numbers = store.collection<DiscordRow>('discord');

  return {
    readProfile: async (userKey) => {
      const row = await store.run(
        () => users.findOne({ _id: userKey }, { projection: { profile: 1 } }),
        REQUEST_TIMEOUT_MS,
      );
      return row === null ? undefined : profileOf(row);
    },
    readUser: async (userKey) => {
      const row = await store.run(() => users.findOne({ _id: userKey }), REQUEST_TIMEOUT_MS);
      return row === null ? undefined : { user: userOf(row), profile: profileOf(row) };
    },
    findDiscordUser: async (discordId) => {
      const row = await store.run(() => numbers.findOne({ _id: discordId }), REQUEST_TIMEOUT_MS);
      return row?.userKey;
    },
    writeProfile: (write) => store.run(() => writeProfile(store, outbox, write)),
  };
}

/**
 * A concurrent write of the user or the Discord ID restarts the transaction. A duplicate key means that the other write is
 * not visible yet; it is on the second read.
 */
async function writeProfile(store: MongoStore, outbox: MongoOutbox, write: ProfileWrite): Promise<WriteOutcome> {
  const attempt = () => tryWriting(store, outbox, write);
  try {
    return await attempt();
  } catch (error) {
    if (isDuplicateKey(error)) return attempt();
    throw error;
  }
}

function tryWriting(
  store: MongoStore,
  outbox: MongoOutbox,
  { profile, newUser, facts }: ProfileWrite,
): Promise<WriteOutcome> {
  const states = store.collection<StateRow>('user_state');
  const users = store.collection<UserRow>('user');
  const numbers = store.collection<DiscordRow>('discord');
  const hashes = store.collection<ErasureRow>('erased_user');
  const { userKey, version, discordId } = profile;

  return store.transaction(async (session): Promise<WriteOutcome> => {
    const row = await users.findOne({ _id: userKey }, { session, projection: { profile: 1 } });
    if (row === null && newUser === undefined) return 'stale';
    const isNew = row === null && newUser !== undefined;
    if (isNew && (await hashes.findOne({ _id: newUser.hash }, { session })) !== null) return 'erased';
    if ((row?.profile?.version ?? 0) !== version) return 'stale';
    const linkedRow = discordId === null ? null : await numbers.findOne({ _id: discordId }, { session });
    if (linkedRow !== null && linkedRow.userKey !== userKey) return 'discord-taken';

    if (isNew) {
      const revision = { $max: [{ $add: ['$revision', 1] }, newUser.revision] };
      await states.updateOne({ _id: 'users' }, [{ $set: { revision } }], { session });
      for (const step of userSteps(store, [{ user: newUser.user, before: undefined }])) await step(session);
    }
    await users.updateOne({ _id: userKey }, { $set: { profile: fieldsOf(profile) } }, { session });
    const before = row?.profile?.discordId ?? null;
    if (before !== discordId) {
      if (before !== null) await numbers.deleteOne({ _id: before }, { session });
      if (discordId !== null) await numbers.insertOne({ _id: discordId, userKey }, { session });
    }
    if (newUser === undefined) await outbox.addUnordered(facts, session);
    else await outbox.add(facts, session);
    return 'written';
  });
}

function fieldsOf({ userKey: _key, ...profile }: ProfileRecord): Omit<ProfileRecord, 'userKey'> {
  const socialLinks = profile.socialLinks.map(({ platform, url, label }) => ({ platform, url, label }));
  return { ...profile, version: profile.version + 1, socialLinks };
}
