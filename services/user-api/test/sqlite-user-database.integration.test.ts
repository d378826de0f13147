import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import { describeChannelShares } from './channel-shares.contract.ts';
import { describeChannelStore } from './channel-store.contract.ts';
import { describeCommits } from './commit-store.contract.ts';
import { describeErasure } from './erasure-store.contract.ts';
import { describeFollowStore } from './follow-store.contract.ts';
import { describeOwnPresence } from './own-presence.contract.ts';
import { describeProfileStore } from './profile-store.contract.ts';
import { fact, factIds, put, user } from './stored-records.ts';
import { describeUnlockStore } from './unlock-store.contract.ts';
import { describeUnlockTimes } from './unlock-times.contract.ts';
import { describeUserStore } from './user-store.contract.ts';
import { describePlayWithdrawal } from './withdraw-play.contract.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'users.sqlite')}`;

for (const [adapter, open] of [
  ['SQLite in memory', async () => openSqliteUserDatabase('sqlite::memory:', 'simulated')],
  ['SQLite in a file', async () => openSqliteUserDatabase(newFile(), 'simulated')],
] as const) {
  describeUserStore(adapter, open);
  describeCommits(adapter, open, 50);
  describeUnlockStore(adapter, open, 50);
  describeUnlockTimes(adapter, open, 50);
  describeProfileStore(adapter, open);
  describeErasure(adapter, open);
  describePlayWithdrawal(adapter, open, 40);
  describeFollowStore(adapter, open);
  describeOwnPresence(adapter, open);
  describeChannelStore(adapter, open);
  describeChannelShares(adapter, open);
}

describe('SQLite in a file', () => {
  it('has users, revision and outbox after it was opened again', async () => {
    const url = newFile();
    const first = openSqliteUserDatabase(url, 'simulated');
    await put(first, { users: [user('a')], facts: [fact('1')] });
    await first.close();

    const second = openSqliteUserDatabase(url, 'simulated');
    expect(await second.users.revision()).toBe(1);
    expect(await second.users.users(['a'])).toEqual(new Map([['a', user('a')]]));
    expect(await factIds(second)).toEqual(['1']);
    await second.close();
  });

  it('sees the commits of another process and rejects a commit on an older revision', async () => {
    const url = newFile();
    const [one, other] = [openSqliteUserDatabase(url, 'simulated'), openSqliteUserDatabase(url, 'simulated')];
    await put(one, { users: [user('a')] });
    expect(await other.users.revision()).toBe(1);
    expect(await other.users.commit({ expectedRevision: 0, revision: 9, users: [user('b')] })).toBe(false);
    await one.close();
    await other.close();
  });

  it('refuses to open the file of another network', () => {
    const url = newFile();
    void openSqliteUserDatabase(url, 'simulated').close();
    expect(() => openSqliteUserDatabase(url, 'elsewhere')).toThrow(/filled by the network "simulated"/);
  });
});
