import { openSqliteReputationStore } from '../src/database/reputation-store.sqlite.ts';
import { describeReputationLaws } from './reputation-laws.contract.ts';

describeReputationLaws('SQLite', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'), 100);
