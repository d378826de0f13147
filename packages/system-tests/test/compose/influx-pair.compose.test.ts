import { formatTimestamp, slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { createSimulator } from '@lobbystats/simulator';
import { eventually } from '@lobbystats/test-kit';
import { killed, partitioned, paused, whileFaulty } from '../faults/inject.ts';
import { waitUntil } from '../faults/wait.ts';
import { SeriesLoad } from '../cluster/series-load.ts';
import { expectEqualCoverage, INFLUX_SERVERS, pointsOf, SERIES_INSTANCES } from '../cluster/stored-series.ts';
import { simulatedSlots } from '../standalone/expect-series.ts';
import { composeArgs, gatewayUrl, stack } from './stack.ts';

/** CLUSTER_DRILL=long injects more and longer faults. */
const isLong = process.env['CLUSTER_DRILL'] === 'long';
const FAULT_MS = isLong ? 30_000 : 10_000;
const FAILOVER_MS = 5000;
/** An instance restarts, and retries its messages after at most half a minute. */
const RETURN_MS = 240_000;
const BACKFILL_MS = 900_000;

/** Only the stack of docker-compose.cluster.yml has two InfluxDB servers. */
const isCluster = composeArgs.some((argument) => argument.endsWith('docker-compose.cluster.yml'));
const faults = INFLUX_SERVERS.flatMap((server) =>
  [killed, paused, partitioned].map((fault) => ({ server, fault, name: fault.name })),
);
const short = faults.filter(({ server, fault }) => (server === 'influxdb' ? fault === killed : fault === paused));
/** InfluxDB keeps a removed run as a point without an end. */
const REMAINING_RUNS = '(SELECT * FROM match_run WHERE endedAt > 0)';
const { world } = createSimulator();

(isCluster ? describe : describe.skip)('two InfluxDB servers', () => {
  const began = slotOf(Math.floor(Date.now() / 1000));
  let load: SeriesLoad;

  beforeAll(async () => {
    await eventually(() => expectEqualCoverage(stack), { timeoutMs: BACKFILL_MS, everyMs: 2000 });
    load = await SeriesLoad.start(gatewayUrl);
  });
  afterAll(() => load.stop());

  it.each(isLong ? faults : short)('reads go on while $server is $name', async ({ server, fault, name }) => {
    const from = performance.now();
    await whileFaulty(stack, fault(server), () => waitUntil(Date.now() + FAULT_MS));
    const healed = performance.now();
    await eventually(() => expectEqualCoverage(stack), { timeoutMs: RETURN_MS, everyMs: 1000 });
    const uncachedMs = Math.round(load.uncachedReads.longestMs(from));
    const cachedMs = Math.round(load.cachedReads.longestMs(from));
    const returnedMs = Math.round(performance.now() - healed);
    const failed = load.uncachedReads.failuresSince(from).length;
    const measured = { server, fault: name, uncachedMs, cachedMs, failed, returnedMs };
    process.stdout.write(`${JSON.stringify(measured)}\n`);
    expect(load.cachedReads.failuresSince(from)).toEqual([]);
    expect(uncachedMs).toBeLessThan(FAILOVER_MS);
  });

  it('no read goes back to an older slot', () => {
    expect(load.regressions).toEqual([]);
  });

  it('both have every slot once, as the network was, and the same matches', async () => {
    const last = Math.min(...(await newestSlots()));
    expect(last).toBeGreaterThanOrEqual(began);
    const truth = simulatedSlots(world, began, last);
    const span = { first: began, last };
    for (const instance of SERIES_INSTANCES) {
      const sites = await pointsOf(stack, instance, { ...span, measurement: 'site' });
      const found = sites.map((row) => formatTimestamp((JSON.parse(row) as number[])[0] ?? 0));
      expect(found).toEqual([...truth.keys()]);
    }
    for (const measurement of ['site', 'title', 'match', REMAINING_RUNS]) {
      const [first, second] = await Promise.all(
        SERIES_INSTANCES.map((instance) => pointsOf(stack, instance, { ...span, measurement })),
      );
      expect(first?.length).toBeGreaterThan(0);
      expect(second).toEqual(first);
    }
  });
});

async function newestSlots(): Promise<EpochSeconds[]> {
  return Promise.all(
    SERIES_INSTANCES.map(async (instance) => {
      const now = Math.floor(Date.now() / 1000);
      const rows = await pointsOf(stack, instance, { measurement: 'site', first: now - 3600, last: now });
      return (JSON.parse(rows.at(-1) ?? '[0]') as number[])[0] ?? 0;
    }),
  );
}
