import { inspectInflux } from '@lobbystats/series-api';
import { reasonOf } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { partOf, type Finding } from './finding.ts';
import { askHttp, clockFinding } from './look-at-clock.ts';
import { slotFinding } from './look-at-slots.ts';

const part = partOf('influxdb');

export async function lookAtInflux(
  { influxdb: { url, token, org } }: Servers,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding[]> {
  const { host } = new URL(url);
  try {
    const { version, faults, newestSlot } = await inspectInflux({ url, token: token.reveal(), org });
    const { reading } = await askHttp(`${url}/health`, clock);
    return [
      part.ok(`InfluxDB ${version} at ${host}`),
      ...(reading === undefined ? [] : [clockFinding('influxdb', reading)]),
      ...(faults.length === 0
        ? [part.ok('both buckets are there, and keep what they should')]
        : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
      ...(faults.length === 0 ? [slotFinding(newestSlot, Math.floor(clock() / 1000), running)] : []),
    ];
  } catch (error) {
    const todo = 'see whether it runs, and INFLUXDB_URL and INFLUXDB_ADMIN_TOKEN';
    return [part.fault(`${host}: ${reasonOf(error)}`, todo)];
  }
}
