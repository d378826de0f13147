import { inspectInflux } from '@lobbystats/series-api/admin';
import { describeError } from '@lobbystats/service-kit';
import type { Servers } from '../command/deployment.ts';
import { findingsOf, type Finding } from './finding.ts';
import { probeHttp, clockFinding } from './check-clock.ts';
import { slotFinding } from './check-slots.ts';

const part = findingsOf('influxdb');

export async function checkInflux(
  { influxdb: { url, token, org } }: Servers,
  { clock, running }: { clock: () => number; running: boolean },
): Promise<Finding[]> {
  const { host } = new URL(url);
  try {
    const { version, faults, newestSlot } = await inspectInflux({ url, token: token.reveal(), org });
    const { reading } = await probeHttp(`${url}/health`, clock);
    return [
      part.ok(`InfluxDB ${version} at ${host}`),
      ...(reading === undefined ? [] : [clockFinding('influxdb', reading)]),
      ...(faults.length === 0
        ? [part.ok('both buckets exist with the expected retention')]
        : faults.map((fault) => part.fault(fault, 'run the init job: docker compose run --rm init'))),
      ...(faults.length === 0 ? [slotFinding(newestSlot, Math.floor(clock() / 1000), running)] : []),
    ];
  } catch (error) {
    const todo = 'check that it runs, INFLUXDB_URL and INFLUXDB_ADMIN_TOKEN';
    return [part.fault(`${host}: ${describeError(error)}`, todo)];
  }
}
