import { createTestDatabase, type TestDatabase } from '@lobbystats/test-kit/test-database';
import { userSchema } from '../src/admin.ts';

/**
 * Prepares a MongoDB database for user-api.
 *
 * @param adminUrl the URL of the server; default: the server of the test run
 */
export function prepareUserDatabase(database: string, adminUrl?: string): Promise<TestDatabase> {
  return createTestDatabase({ database, user: 'user-api', schema: userSchema, adminUrl });
}
