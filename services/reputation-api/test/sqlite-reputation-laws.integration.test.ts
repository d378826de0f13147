import { openSqliteReputationStore } from '../src/adapters/sqlite/sqlite-reputation-store.ts';
import { describeReputationLaws } from './reputation-laws.contract.ts';

describeReputationLaws('SQLite', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'), 100);
