import { openSqliteCollectorStore } from '../src/adapters/sqlite/open-sqlite-collector-store.ts';
import { killedSlotContract } from './killed-slot.contract.ts';

describe('a collector over SQLite that is killed', () => {
  killedSlotContract(() => openSqliteCollectorStore('sqlite::memory:', 'simulated'));
});
