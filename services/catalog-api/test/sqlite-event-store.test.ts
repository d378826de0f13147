import { join } from 'node:path';
import { temporaryDirectory } from '@lobbystats/test-kit';
import { openSqliteCatalogStore } from '../src/adapters/sqlite/sqlite-catalog-store.ts';
import { describeEventStore } from './event-store.contract.ts';

const newFile = () => `sqlite:${join(temporaryDirectory(), 'catalog.sqlite')}`;

describeEventStore('SQLite in memory', async () => openSqliteCatalogStore('sqlite::memory:', 'simulated'));
describeEventStore('SQLite in a file', async () => openSqliteCatalogStore(newFile(), 'simulated'));
