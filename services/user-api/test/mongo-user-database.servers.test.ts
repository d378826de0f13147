import type { TestDatabase } from '@lobbystats/test-kit/test-database';
import { openMongoUserDatabase } from '../src/user-database.mongo.ts';
import { describeChannelShares } from './channel-shares.contract.ts';
import { describeChannelStore } from './channel-store.contract.ts';
import { describeCommits } from './commit-store.contract.ts';
import { describeErasure } from './erasure-store.contract.ts';
import { describeFollowStore } from './follow-store.contract.ts';
import { describeOwnPresence } from './own-presence.contract.ts';
import { describeProfileStore } from './profile-store.contract.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';
import { fact, factIds, put, unlock, userWithUnlocks, user } from './stored-records.ts';
import { describeUnlockStore } from './unlock-store.contract.ts';
import { describeUnlockTimes } from './unlock-times.contract.ts';
import { describeUserStore } from './user-store.contract.ts';
import { describePlayWithdrawal } from './withdraw-play.contract.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await prepareUserDatabase('test_people');
});
afterAll(() => database.clear());

const open = (origin = 'simulated') => openMongoUserDatabase(database.url, origin);
const openEmpty = async () => {
  await database.clear();
  return open();
};

describeUserStore('MongoDB', openEmpty);
describeCommits('MongoDB', openEmpty, 40);
describeUnlockStore('MongoDB', openEmpty, 15);
describeUnlockTimes('MongoDB', openEmpty, 10);
describeProfileStore('MongoDB', openEmpty);
describeErasure('MongoDB', openEmpty);
describePlayWithdrawal('MongoDB', openEmpty, 10);
describeFollowStore('MongoDB', openEmpty);
describeOwnPresence('MongoDB', openEmpty, 8);
describeChannelStore('MongoDB', openEmpty);
describeChannelShares('MongoDB', openEmpty);

describe('MongoDB', () => {
  it('has users, revision and outbox after it was opened again', async () => {
    const first = await openEmpty();
    await put(first, { users: [user('a')], facts: [fact('1')] });
    await first.close();

    const second = await open();
    expect(await second.users.revision()).toBe(1);
    expect(await second.users.users(['a'])).toEqual(new Map([['a', user('a')]]));
    expect(await factIds(second)).toEqual(['1']);
    await second.close();
  });

  it('loses no commit and overwrites none when several replicas commit concurrently', async () => {
    await database.clear();
    const stores = await Promise.all([open(), open(), open()]);
    await Promise.all(
      stores.map(async ({ users }, replica) => {
        const key = `of replica ${replica}`;
        for (let done = 0; done < 10;) {
          const expectedRevision = await users.revision();
          const ids = Array.from({ length: done + 1 }, (_, index) => index + 1);
          const facts = [fact(String(expectedRevision + 1))];
          const next = {
            expectedRevision,
            revision: expectedRevision + 1,
            users: [userWithUnlocks(key, ids)],
            unlocks: [unlock(key, done + 1)],
            facts,
          };
          if (await users.commit(next)) done += 1;
        }
      }),
    );
    const [store] = stores;
    expect(await store.users.revision()).toBe(30);
    expect(await factIds(store)).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
    const { byAchievement, players } = await store.users.unlockCounts();
    expect([players, [...byAchievement.values()]]).toEqual([3, Array.from({ length: 10 }, () => 3)]);
    expect((await store.users.leaderboard(0, 10)).map(({ rank, score }) => [rank, score])).toEqual([
      [1, 100],
      [1, 100],
      [1, 100],
    ]);
    await Promise.all(stores.map((one) => one.close()));
  });

  it('refuses to open the database of another network', async () => {
    await (await openEmpty()).close();
    await expect(open('elsewhere')).rejects.toThrow(/filled by the network "simulated"/);
  });
});
