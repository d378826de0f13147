import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteTitleStore } from '../src/adapters/sqlite/sqlite-title-store.ts';
import { commit, describeTitleStore, record } from './title-store.contract.ts';

const directory = mkdtempSync(join(tmpdir(), 'catalog-api-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;
function newFile(): string {
  files += 1;
  return `sqlite:${join(directory, `${files}.sqlite`)}`;
}

describeTitleStore('SQLite in memory', async () => openSqliteTitleStore('sqlite::memory:', 'simulated'));
describeTitleStore('SQLite in a file', async () => openSqliteTitleStore(newFile(), 'simulated'));

describe('SQLite in a file', () => {
  it('has titles, revision and outbox when it is opened again', async () => {
    const url = newFile();
    const facts = [{ revision: 3, occurredAt: 1_700_000_000, past: false, titles: [] }];
    const records = [record('4d530064', {})];
    const first = openSqliteTitleStore(url, 'simulated');
    await first.commit(commit({ revision: 3, records, facts }));
    await first.close();

    const second = openSqliteTitleStore(url, 'simulated');
    expect(await second.read()).toEqual({ revision: 3, records });
    expect(await second.pendingFacts(1)).toEqual(facts);
    await second.close();
  });

  it('sees what another process has committed, and refuses to commit over it', async () => {
    const url = newFile();
    const [one, other] = [openSqliteTitleStore(url, 'simulated'), openSqliteTitleStore(url, 'simulated')];
    await one.commit(commit({ revision: 1, records: [record('4d530064', {})] }));
    expect(await other.revision()).toBe(1);
    expect(await other.commit(commit({ revision: 2 }))).toBe(false);
    await one.close();
    await other.close();
  });

  it('of another network is not opened', () => {
    const url = newFile();
    void openSqliteTitleStore(url, 'simulated').close();
    expect(() => openSqliteTitleStore(url, 'elsewhere')).toThrow(/filled by the network "simulated"/);
  });
});
