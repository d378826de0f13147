import { openSqliteReputationStore } from '../src/open-store.ts';
import { describeReputationLaws } from './reputation-laws.contract.ts';

describeReputationLaws('SQLite', async () => openSqliteReputationStore('sqlite::memory:', 'simulated'), 100);
