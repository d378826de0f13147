import { cleanUp } from '@lobbystats/test-kit';
import { openSqlitePeopleStore } from '../src/adapters/sqlite/sqlite-people-store.ts';
import type { PeopleStore } from '../src/domain/people-store.ts';
import type { UserCommit, UserStore } from '../src/domain/user-store.ts';

/** An empty store, closed after the test. */
export function emptyStore(): PeopleStore {
  const store = openSqlitePeopleStore('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  return store;
}

/** Commits on top of whatever is there. */
export async function put(users: UserStore, commit: Omit<UserCommit, 'expectedRevision' | 'revision'>): Promise<void> {
  const expectedRevision = await users.revision();
  if (!(await users.commit({ expectedRevision, revision: expectedRevision + 1, ...commit })))
    throw new Error('Another commit was faster');
}
