import { formatTimestamp, operations, SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { FaultyStack } from '../faults/inject.ts';

export const SERIES_INSTANCES = ['series-api', 'series-api-2'] as const;
export const INFLUX_SERVERS = ['influxdb', 'influxdb-2'] as const;

type SeriesInstance = (typeof SERIES_INSTANCES)[number];

/** Reads what an instance has stored; undefined while its store does not respond. */
async function coverageOf(stack: FaultyStack, instance: SeriesInstance): Promise<string | undefined> {
  const program = `
    const response = await fetch('http://127.0.0.1:8080${operations.getSeriesCoverage.path}');
    console.log(response.status === 200 ? await response.text() : '');`;
  return (await runIn(stack, instance, program)) || undefined;
}

/** Fails unless both instances have stored as much. */
export async function expectEqualCoverage(stack: FaultyStack): Promise<void> {
  const [first, second] = await Promise.all(SERIES_INSTANCES.map((instance) => coverageOf(stack, instance)));
  expect(first).toMatch(/"slots":\d/);
  expect(second).toBe(first);
}

/** All points of a measurement of an instance's InfluxDB between two slots, both included: as rows with tags, by time. */
export async function pointsOf(
  stack: FaultyStack,
  instance: SeriesInstance,
  { measurement, first, last }: { measurement: string; first: EpochSeconds; last: EpochSeconds },
): Promise<string[]> {
  const bounds = `time >= '${formatTimestamp(first)}' AND time < '${formatTimestamp(last + SLOT_SECONDS)}'`;
  const statement = `SELECT * FROM ${measurement} WHERE ${bounds}`;
  const program = `
    const { readFileSync } = await import('node:fs');
    const query = new URLSearchParams({ db: 'snapshots', epoch: 's', q: ${JSON.stringify(statement)} });
    const token = readFileSync(process.env.INFLUX_TOKEN_FILE, 'utf8').trim();
    const response = await fetch(process.env.SERIES_URL + '/query?' + query, { headers: { authorization: 'Token ' + token } });
    const { results } = await response.json();
    console.log(JSON.stringify(results[0].series?.[0].values ?? []));`;
  const rows = JSON.parse(await runIn(stack, instance, program)) as unknown[];
  return rows.map((row) => JSON.stringify(row)).sort();
}

function runIn({ compose }: FaultyStack, service: string, program: string): Promise<string> {
  return compose('exec', '-T', service, 'node', '--input-type=module', '-e', program);
}
