import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteReputationStore } from '../src/open-store.ts';
import { RatedUsers } from '../src/ratings/rated-users.ts';
import { describeExportBatches } from './export-batches.contract.ts';
import { describeReputationStore } from './reputation-store.contract.ts';
import { readBack, ratedUser, put, rating } from './stored-ratings.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'reputation.sqlite')}`;

describeReputationStore('SQLite in memory', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'));
describeReputationStore('SQLite in a file', async () => openSqliteReputationStore(newFile(), 'simulated'));
describeExportBatches('SQLite', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'));

describe('SQLite file of ratings', () => {
  it('shares writes between two processes and keeps them', async () => {
    const url = newFile();
    const one = openSqliteReputationStore(url, 'simulated');
    const other = openSqliteReputationStore(url, 'simulated', 5000);
    await put(one, { users: [ratedUser('a')] });
    await put(other, { users: [ratedUser('b')] });
    expect((await readBack(one, { users: ['a', 'b'] })).people).toEqual([ratedUser('a'), ratedUser('b')]);
    await put(one, { erased: ['c'] });
    expect((await readBack(other, { maybeErased: ['c'] })).erased).toEqual(['c']);
    await one.close();
    await other.close();
    const again = openSqliteReputationStore(url, 'simulated');
    expect((await readBack(again, { users: ['a', 'b'] })).revision).toBe(3);
    await again.close();
  });

  it('contains no name of an erased user, and hashes that differ between files', async () => {
    const marks: unknown[] = [];
    for (const path of [newFile(), newFile()].map((url) => url.replace('sqlite:', ''))) {
      const store = openSqliteReputationStore(`sqlite:${path}`, 'simulated');
      await put(store, { erased: ['marlow'] });
      await store.close();
      expect(readFileSync(path, 'latin1')).not.toContain('marlow');
      const db = new DatabaseSync(path);
      marks.push(db.prepare('SELECT mark FROM erased_user').get()?.['mark']);
      db.close();
    }
    expect(marks).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(marks).size).toBe(2);
  });

  it('contains no bytes of an erased user', async () => {
    const url = newFile();
    const bytes = () => readFileSync(url.replace('sqlite:', ''), 'latin1');
    const filled = openSqliteReputationStore(url, 'simulated');
    const ratings = Array.from({ length: 50 }, (_, index) => [
      rating('marlow', `p${index}`, { raterUsername: 'Marlow', comment: `Words of marlow ${index}` }),
      rating(`p${index}`, 'marlow'),
    ]);
    const others = Array.from({ length: 50 }, (_, index) => ratedUser(`p${index}`));
    const marlow = ratedUser('marlow', { username: 'Marlow', ratingsGiven: 50 });
    await put(filled, { users: [...others, marlow], ratings: ratings.flat() });
    await filled.close();
    expect(bytes()).toMatch(/marlow/i);

    const store = openSqliteReputationStore(url, 'simulated');
    const deps = { store, clock: Date.now, origin: 'simulated', pause: async () => undefined };
    await new RatedUsers(deps).erase('MARLOW');
    await store.outbox.remove((await store.outbox.pending(1000)).map(({ place }) => place));
    await store.close();
    expect(bytes()).not.toMatch(/marlow/i);
  });

  it('refuses to open the file of another network', async () => {
    const url = newFile();
    await openSqliteReputationStore(url, 'simulated').close();
    expect(() => openSqliteReputationStore(url, 'real')).toThrow(/NETWORK_ORIGIN/);
  });
});
