import { createMetrics, serveMetrics, silentLogger, type Metrics } from '@lobbystats/service-kit';
import { cleanUp, getJson } from '@lobbystats/test-kit';

async function serve(...metrics: Metrics[]): Promise<string> {
  const server = await serveMetrics({ host: '127.0.0.1', port: 0, metrics, logger: silentLogger() });
  cleanUp(() => server.close());
  return server.url;
}

async function read(...metrics: Metrics[]): Promise<string[]> {
  const { body, status } = await getJson<string>(`${await serve(...metrics)}/metrics`);
  expect(status).toBe(200);
  return body.split('\n');
}

describe('metrics', () => {
  it('of several services are labelled by service, with each family once', async () => {
    const [one, two] = [createMetrics('series-api'), createMetrics('catalog-api')];
    for (const metrics of [one, two]) {
      metrics.counter('slots_total', 'Slots stored', ['kind']).inc({ kind: 'live' }, 2);
      metrics.histogram('write_seconds', 'Time to write', [], [0.1, 1]).observe(0.5);
    }
    one.gauge('depth', 'Messages waiting').set(7);
    const lines = await read(one, two);
    expect(lines.filter((line) => line.startsWith('lobbystats_slots_total{')).sort()).toEqual([
      'lobbystats_slots_total{kind="live",service="catalog-api"} 2',
      'lobbystats_slots_total{kind="live",service="series-api"} 2',
    ]);
    expect(lines).toContain('lobbystats_depth{service="series-api"} 7');
    expect(lines).toContain('lobbystats_write_seconds_bucket{le="1",service="catalog-api"} 1');
    const families = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(families).size).toBe(families.length);
  });

  it('of the process appear once', async () => {
    const lines = await read(createMetrics('a'), createMetrics('b'));
    expect(lines.filter((line) => line.startsWith('process_cpu_seconds_total'))).toHaveLength(1);
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_seconds '))).toBe(true);
  });

  it('are the same in repeated scrapes', async () => {
    const metrics = createMetrics('a');
    metrics.counter('things_total', 'Things').inc();
    const url = await serve(metrics);
    for (let i = 0; i < 3; i += 1) {
      expect((await getJson<string>(`${url}/metrics`)).body).toContain('lobbystats_things_total{service="a"} 1\n');
    }
  });

  it('are the only resource of the metrics port', async () => {
    const url = await serve(createMetrics('a'));
    expect(await getJson(`${url}/nowhere`)).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await getJson(`${url}/metrics`, { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await getJson(`${url}/metrics`, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  it('fail to start on a port in use and name the setting to change', async () => {
    const { port } = new URL(await serve());
    const again = serveMetrics({ host: '127.0.0.1', port: Number(port), metrics: [], logger: silentLogger() });
    await expect(again).rejects.toThrow(`port ${port} is in use: set METRICS_PORT`);
  });

  it('fail to start on a foreign address and name the setting to change', async () => {
    const elsewhere = serveMetrics({ host: '192.0.2.1', port: 0, metrics: [], logger: silentLogger() });
    await expect(elsewhere).rejects.toThrow('192.0.2.1 is no address of this machine: set METRICS_HOST');
  });
});
