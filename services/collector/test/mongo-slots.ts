import { preparedMongo, type PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { collectorSchema } from '../src/service.ts';

/**
 * Prepares a database for a collector.
 *
 * @param adminUrl the server's; default: that of the run
 */
export function mongoSlots(database: string, adminUrl?: string): Promise<PreparedMongo> {
  return preparedMongo({ database, user: 'collector', schema: collectorSchema, adminUrl });
}
