import { createTestDatabase, type TestDatabase } from '../../../test/stack/test-database.ts';
import { reputationSchema } from '../src/admin.ts';

/**
 * Prepares a database for ratings.
 *
 * @param adminUrl the URL of the server; default: the server of the test run
 */
export function prepareRatingsDatabase(database: string, adminUrl?: string): Promise<TestDatabase> {
  return createTestDatabase({ database, user: 'reputation-api', schema: reputationSchema, adminUrl });
}
