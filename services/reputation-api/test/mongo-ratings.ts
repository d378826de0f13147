import { preparedMongo, type PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { reputationSchema } from '../src/service.ts';

/**
 * Prepares a database for ratings.
 *
 * @param adminUrl the server's; default: that of the run
 */
export function mongoRatings(database: string, adminUrl?: string): Promise<PreparedMongo> {
  return preparedMongo({ database, user: 'reputation-api', schema: reputationSchema, adminUrl });
}
