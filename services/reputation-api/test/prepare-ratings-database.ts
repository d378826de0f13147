import { createTestDatabase, type TestDatabase } from '@lobbystats/test-kit/test-database';
import { reputationSchema } from '../src/admin.ts';

/**
 * Prepares a database for ratings.
 *
 * @param adminUrl the URL of the server; default: the server of the test run
 */
export function prepareRatingsDatabase(database: string, adminUrl?: string): Promise<TestDatabase> {
  return createTestDatabase({ database, user: 'reputation-api', schema: reputationSchema, adminUrl });
}
