import { cleanUp } from '@lobbystats/test-kit';
import { openSqliteUserDatabase } from '../src/user-database.sqlite.ts';
import type { UserDatabase } from '../src/user-database.ts';
import type { UserCommit, UserStore } from '../src/users/user-store.ts';

/** An empty store, closed after the test. */
export function emptyStore(): UserDatabase {
  const store = openSqliteUserDatabase('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  return store;
}

/** Commits on the current revision. */
export async function put(users: UserStore, commit: Omit<UserCommit, 'expectedRevision' | 'revision'>): Promise<void> {
  const expectedRevision = await users.revision();
  if (!(await users.commit({ expectedRevision, revision: expectedRevision + 1, ...commit })))
    throw new Error('Revision conflict');
}
