import { createTestDatabase, type TestDatabase } from '@lobbystats/test-kit/test-database';
import { catalogSchema } from '../src/database/schema.mongo.ts';

/**
 * Prepares a database for catalog-api.
 *
 * @param adminUrl the server's; default: that of the run
 * @param schema what it is prepared for; default: what this release has there
 */
export function prepareCatalogDatabase(
  database: string,
  adminUrl?: string,
  schema = catalogSchema,
): Promise<TestDatabase> {
  return createTestDatabase({ database, user: 'catalog-api', schema, adminUrl });
}
