import { preparedMongo, type PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { catalogSchema } from '../src/service.ts';

/**
 * Prepares a database for titles.
 *
 * @param adminUrl the server's; default: that of the run
 * @param schema what it is prepared for; default: what this release has there
 */
export function mongoTitles(database: string, adminUrl?: string, schema = catalogSchema): Promise<PreparedMongo> {
  return preparedMongo({ database, user: 'catalog-api', schema, adminUrl });
}
