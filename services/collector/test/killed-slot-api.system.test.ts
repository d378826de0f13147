import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import { killedSlotContract } from './killed-slot.contract.ts';

describe('a killed collector with a SQLite store', () => {
  killedSlotContract(() => openSqliteCollectorStore('sqlite::memory:', 'simulated'));
});
