import { allQueues, provisionRabbitMq } from '@lobbystats/service-kit/bus';
import { importLines, influxBuckets } from '@lobbystats/series-api/admin';
import { testServers } from '@lobbystats/test-kit';
import type { Servers } from '../../src/operator/command/deployment.ts';
import { fillSeries } from '../../src/operator/servers/fill-series.ts';
import { influxAdmins } from '../../src/operator/servers/servers.ts';
import { createTestDeployment } from './test-deployment.ts';

describe('filling one of two InfluxDB servers', () => {
  let one: Servers;
  let two: Servers;
  beforeAll(async () => {
    ({ servers: one } = await createTestDeployment());
    // One server under two names: the command refuses before it copies.
    const urls = one.influxdb.urls.flatMap((url) => [url, url.replace('127.0.0.1', 'localhost')]);
    two = { ...one, influxdb: { ...one.influxdb, urls } };
  });
  const fill = (servers: Servers, force = false) =>
    fillSeries(servers, { index: 1, force, clock: Date.now, reportProgress: () => undefined });

  it('is refused where there is one server', async () => {
    await expect(fill(one)).rejects.toThrow('INFLUXDB_URL must have two URLs');
  });

  it('is refused before the second queue exists, which collects the slots that it misses', async () => {
    await expect(fill(two)).rejects.toThrow('there is no queue series-api-2: run the init job first');
  });

  it('is refused when the server has data, and when the other one has no slots', async () => {
    const { managementUrl } = testServers().rabbitmq;
    const { vhost } = two.rabbitmq;
    await provisionRabbitMq({ managementUrl, vhost, queues: allQueues, users: {}, log: () => undefined });
    await expect(fill(two)).rejects.toThrow('has 0 slots');
    const [admin] = influxAdmins(two);
    const bucket = { bucket: influxBuckets.daily, kind: 'daily', nowMs: Date.now() } as const;
    await importLines(admin!, bucket, ['site_daily registered=5i 1700000000000000000']);
    await expect(fill(two)).rejects.toThrow('--force permanently replaces it');
    await expect(fill(two, true)).rejects.toThrow('has 0 slots');
  });
});
