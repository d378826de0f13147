import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import { boardStoreContract } from './board-store.contract.ts';
import { collectorStoreContract } from './collector-store.contract.ts';
import { forgettingContract } from './forgetting.contract.ts';
import { playerBackfillStoreContract } from './player-backfill-store.contract.ts';

const directory = mkdtempSync(join(tmpdir(), 'collector-store-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let files = 0;
const open = (file: number, origin = 'simulated') =>
  openSqliteCollectorStore(`sqlite:${join(directory, `${file}.sqlite`)}`, origin);

describe('SQLite collector store', () => {
  const openTwo = async (): Promise<[CollectorStore, CollectorStore]> => {
    files += 1;
    return [open(files), open(files)];
  };
  collectorStoreContract(openTwo);
  boardStoreContract(openTwo);
  forgettingContract(openTwo);
  playerBackfillStoreContract(openTwo);

  it('refuses to open for another NETWORK_ORIGIN', async () => {
    files += 1;
    await open(files).close();
    expect(() => open(files, 'elsewhere')).toThrow(/NETWORK_ORIGIN/);
  });

  it('rejects check() when the store is closed', async () => {
    files += 1;
    const store = open(files);
    await store.check();
    await store.close();
    await expect(store.check()).rejects.toHaveProperty('message');
  });
});
