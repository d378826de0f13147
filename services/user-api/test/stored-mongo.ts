import { preparedMongo, type PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { peopleSchema } from '../src/service.ts';

/**
 * Prepares a database for people.
 *
 * @param adminUrl the server's; default: that of the run
 */
export function mongoPeople(database: string, adminUrl?: string): Promise<PreparedMongo> {
  return preparedMongo({ database, user: 'user-api', schema: peopleSchema, adminUrl });
}
