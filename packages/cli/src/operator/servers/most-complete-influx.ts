import { compareCoverage } from '@lobbystats/contracts';
import { countStored, type InfluxAdmin } from '@lobbystats/series-api/admin';
import { describeError, type Terminal } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { influxAdmins } from './servers.ts';

/**
 * Returns the InfluxDB server that has stored most: copying one is enough.
 *
 * @throws as the first server when none responds
 */
export async function mostCompleteInflux(servers: Servers, terminal: Terminal): Promise<InfluxAdmin> {
  const [first, ...others] = influxAdmins(servers);
  if (first === undefined) throw new RangeError('INFLUXDB_URL is empty');
  if (others.length === 0) return first;
  const found = await Promise.all(
    [first, ...others].map(async (admin) => {
      try {
        return { admin, stored: await countStored(admin) };
      } catch (error) {
        terminal.error(`backup: ${new URL(admin.url).host} is left out: ${describeError(error)}\n`);
        return { admin, stored: undefined };
      }
    }),
  );
  const [best] = found.toSorted((a, b) => compareCoverage(b.stored, a.stored));
  return best?.admin ?? first;
}
