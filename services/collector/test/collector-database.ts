import { createTestDatabase, type TestDatabase } from '@lobbystats/test-kit/test-database';
import { collectorSchema } from '../src/admin.ts';

/**
 * Prepares a database for a collector.
 *
 * @param adminUrl the server's; default: that of the run
 */
export function prepareCollectorDatabase(database: string, adminUrl?: string): Promise<TestDatabase> {
  return createTestDatabase({ database, user: 'collector', schema: collectorSchema, adminUrl });
}
