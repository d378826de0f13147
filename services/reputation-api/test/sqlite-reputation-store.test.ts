import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import { KnownPeople } from '../src/domain/known-people.ts';
import { describeReputationStore } from './reputation-store.contract.ts';
import { look, person, put, rating } from './stored-ratings.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'reputation.sqlite')}`;

describeReputationStore('SQLite in memory', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'));
describeReputationStore('SQLite in a file', async () => openSqliteReputationStore(newFile(), 'simulated'));

describe('a file of ratings', () => {
  it('shows two processes what each other writes, and keeps it', async () => {
    const url = newFile();
    const one = openSqliteReputationStore(url, 'simulated');
    const other = openSqliteReputationStore(url, 'simulated', 5000);
    await put(one, { people: [person('a')] });
    await put(other, { people: [person('b')] });
    expect((await look(one, { people: ['a', 'b'] })).people).toEqual([person('a'), person('b')]);
    await put(one, { forgotten: ['c'] });
    expect((await look(other, { mayBeForgotten: ['c'] })).forgotten).toEqual(['c']);
    await one.close();
    await other.close();
    const again = openSqliteReputationStore(url, 'simulated');
    expect((await look(again, { people: ['a', 'b'] })).revision).toBe(3);
    await again.close();
  });

  it('has no name of somebody who is forgotten, and no mark that another one has, too', async () => {
    const marks: unknown[] = [];
    for (const path of [newFile(), newFile()].map((url) => url.replace('sqlite:', ''))) {
      const store = openSqliteReputationStore(`sqlite:${path}`, 'simulated');
      await put(store, { forgotten: ['marlow'] });
      await store.close();
      expect(readFileSync(path, 'latin1')).not.toContain('marlow');
      const db = new DatabaseSync(path);
      marks.push(db.prepare('SELECT mark FROM forgotten').get()?.['mark']);
      db.close();
    }
    expect(marks).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(new Set(marks).size).toBe(2);
  });

  it('has nothing left of somebody who is forgotten', async () => {
    const url = newFile();
    const bytes = () => readFileSync(url.replace('sqlite:', ''), 'latin1');
    const filled = openSqliteReputationStore(url, 'simulated');
    const ratings = Array.from({ length: 50 }, (_, index) => [
      rating('marlow', `p${index}`, { raterUsername: 'Marlow', comment: `Words of marlow ${index}` }),
      rating(`p${index}`, 'marlow'),
    ]);
    const others = Array.from({ length: 50 }, (_, index) => person(`p${index}`));
    const marlow = person('marlow', { username: 'Marlow', ratingsGiven: 50 });
    await put(filled, { people: [...others, marlow], ratings: ratings.flat() });
    await filled.close();
    expect(bytes()).toMatch(/marlow/i);

    const store = openSqliteReputationStore(url, 'simulated');
    const desk = { store, clock: Date.now, origin: 'simulated', pause: async () => undefined };
    await new KnownPeople(desk).forget('MARLOW');
    await store.outbox.remove((await store.outbox.pending(1000)).map(({ place }) => place));
    await store.close();
    expect(bytes()).not.toMatch(/marlow/i);
  });

  it('is of one network', async () => {
    const url = newFile();
    await openSqliteReputationStore(url, 'simulated').close();
    expect(() => openSqliteReputationStore(url, 'real')).toThrow(/NETWORK_ORIGIN/);
  });
});
