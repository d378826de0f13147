import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqlitePeopleStore } from '../src/adapters/sqlite/sqlite-people-store.ts';
import { describeCommits } from './commit-store.contract.ts';
import { describeForgetting } from './forget-store.contract.ts';
import { describeProfileStore } from './profile-store.contract.ts';
import { fact, factIds, put, user } from './stored-records.ts';
import { describeUnlockStore } from './unlock-store.contract.ts';
import { describeUserStore } from './user-store.contract.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'people.sqlite')}`;

for (const [adapter, open] of [
  ['SQLite in memory', async () => openSqlitePeopleStore('sqlite::memory:', 'simulated')],
  ['SQLite in a file', async () => openSqlitePeopleStore(newFile(), 'simulated')],
] as const) {
  describeUserStore(adapter, open);
  describeCommits(adapter, open, 50);
  describeUnlockStore(adapter, open, 50);
  describeProfileStore(adapter, open);
  describeForgetting(adapter, open);
}

describe('SQLite in a file', () => {
  it('has people, revision and outbox when it is opened again', async () => {
    const url = newFile();
    const first = openSqlitePeopleStore(url, 'simulated');
    await put(first, { users: [user('a')], facts: [fact('1')] });
    await first.close();

    const second = openSqlitePeopleStore(url, 'simulated');
    expect(await second.users.revision()).toBe(1);
    expect(await second.users.users(['a'])).toEqual(new Map([['a', user('a')]]));
    expect(await factIds(second)).toEqual(['1']);
    await second.close();
  });

  it('sees what another process has committed, and refuses to commit over it', async () => {
    const url = newFile();
    const [one, other] = [openSqlitePeopleStore(url, 'simulated'), openSqlitePeopleStore(url, 'simulated')];
    await put(one, { users: [user('a')] });
    expect(await other.users.revision()).toBe(1);
    expect(await other.users.commit({ expectedRevision: 0, revision: 9, users: [user('b')] })).toBe(false);
    await one.close();
    await other.close();
  });

  it('of another network is not opened', () => {
    const url = newFile();
    void openSqlitePeopleStore(url, 'simulated').close();
    expect(() => openSqlitePeopleStore(url, 'elsewhere')).toThrow(/filled by the network "simulated"/);
  });
});
