import { openSqliteCollectorStore } from '../src/adapters/sqlite/open-sqlite-collector-store.ts';
import { killedSlotContract } from './killed-slot.contract.ts';

describe('a killed collector with a SQLite store', () => {
  killedSlotContract(() => openSqliteCollectorStore('sqlite::memory:', 'simulated'));
});
