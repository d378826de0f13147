import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/service-kit/bus';
import { route, silentLogger } from '@lobbystats/service-kit';
import { cleanUp, eventually, memoryBus, temporaryDirectory } from '@lobbystats/test-kit';
import { sendRequest } from '@lobbystats/test-kit/send-request';
import { gatewayService } from '../src/service.ts';
import { catalogRoutes, network } from './network.ts';
import { freeUrl, UNREACHABLE_URL, runGateway, startRawUpstream, startStubUpstream } from './running-gateway.ts';

const SERIES = operations.getOnlineSeries.path;
const portOf = (url: string) => new URL(url).port;

async function createTestGateway(env: Record<string, string> = {}, upstreamTimeoutMs = 5000) {
  const bus = await memoryBus();
  const config = { ...gatewayService.readConfig({ PORT: '0', METRICS_PORT: '0', ...env }), upstreamTimeoutMs };
  const gateway = await gatewayService.create(config, { bus, logger: silentLogger(), stopTimeoutMs: 2000 });
  cleanUp(() => gateway.stop());
  return { gateway, bus };
}

describe('gateway shutdown', () => {
  it('completes requests in flight and refuses new connections', async () => {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const series = await startStubUpstream([
      route(operations.getOnlineSeries, async () => {
        reached.resolve(undefined);
        await released.promise;
        return { body: [] };
      }),
    ]);
    const gateway = await runGateway({ env: { SERIES_API_URL: series.url } });
    const inFlight = gateway.request(SERIES);
    await reached.promise;
    const stopped = gateway.stop();
    await eventually(() => expect(gateway.request('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' }));
    released.resolve(undefined);
    expect((await inFlight).status).toBe(200);
    await stopped;
    await expect(gateway.bus.check()).resolves.toBeUndefined();
  });

  it('aborts requests that are not answered until the timeout of the stop', async () => {
    const reached = Promise.withResolvers<undefined>();
    const SERIES_API_URL = await startRawUpstream(() => {
      reached.resolve(undefined);
    });
    const gateway = await runGateway({
      env: { SERIES_API_URL },
      upstreamTimeoutMs: 60_000,
      overrides: { stopTimeoutMs: 100 },
    });
    const cutOff = gateway.request(SERIES).catch((error: unknown) => error);
    await reached.promise;
    await gateway.stop();
    expect(await cutOff).toMatchObject({ code: 'ECONNRESET' });
  });

  it('completes during start while catalog-api hangs', async () => {
    const reached = Promise.withResolvers<undefined>();
    const CATALOG_API_URL = await startRawUpstream(() => {
      reached.resolve(undefined);
    });
    const { gateway } = await createTestGateway({ CATALOG_API_URL }, 60_000);
    const started = gateway.start();
    await reached.promise;
    await gateway.stop();
    await started;
    await expect(sendRequest(gateway.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is idempotent, and works right after start or without one', async () => {
    const { gateway: started } = await createTestGateway({ CATALOG_API_URL: UNREACHABLE_URL });
    const starting = started.start();
    await Promise.all([started.stop(), started.stop()]);
    await starting;
    await expect(sendRequest(started.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const { gateway: idle } = await createTestGateway();
    await expect(idle.stop()).resolves.toBeUndefined();
  });

  it('closes the bus that the gateway opened', async () => {
    const url = `memory:${join(temporaryDirectory(), 'bus.sqlite')}`;
    const config = gatewayService.readConfig({
      PORT: '0',
      METRICS_PORT: '0',
      BUS_URL: url,
      CATALOG_API_URL: UNREACHABLE_URL,
    });
    const gateway = await gatewayService.create(config, { logger: silentLogger() });
    await gateway.start();
    await gateway.stop();
    const bus = await openBus({ url, origin: 'simulated' });
    await expect(bus.close()).resolves.toBeUndefined();
  });
});

describe('gateway start', () => {
  it('listens only after the titles are loaded', async () => {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const catalog = await startStubUpstream([
      route(operations.listTitles, async () => {
        reached.resolve(undefined);
        await released.promise;
        return { body: { revision: 1, titles: [] } };
      }),
    ]);
    const url = await freeUrl();
    const { gateway } = await createTestGateway({ PORT: portOf(url), CATALOG_API_URL: catalog.url });
    const started = gateway.start();
    await reached.promise;
    await expect(sendRequest(url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    released.resolve(undefined);
    await started;
    expect((await sendRequest(url, '/readyz')).status).toBe(200);
  });

  it('listens when catalog-api does not deliver the titles in time', async () => {
    const CATALOG_API_URL = await startRawUpstream(() => undefined);
    const { gateway } = await createTestGateway({ CATALOG_API_URL }, 60_000);
    const started = gateway.start();
    await eventually(async () => expect((await sendRequest(gateway.url(), '/healthz')).status).toBe(200));
    await gateway.stop();
    await started;
  });

  it('names the setting to change when its port is taken, and leaves nothing running', async () => {
    const known = network();
    const catalog = await startStubUpstream(catalogRoutes(known));
    const other = await runGateway();
    const { gateway } = await createTestGateway({ PORT: portOf(other.url), CATALOG_API_URL: catalog.url });
    await expect(gateway.start()).rejects.toThrow(`port ${portOf(other.url)} is in use: set PORT`);
    await expect(gateway.stop()).resolves.toBeUndefined();
    expect((await other.request('/readyz')).status).toBe(200);
  });

  it('leaves nothing running when its metrics port is taken', async () => {
    const other = await runGateway();
    const { gateway } = await createTestGateway({ METRICS_PORT: portOf(other.url), CATALOG_API_URL: UNREACHABLE_URL });
    await expect(gateway.start()).rejects.toThrow(`port ${portOf(other.url)} is in use: set METRICS_PORT`);
    await expect(sendRequest(gateway.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['on loopback when HOST is another address', {}, '127.0.0.1', '127.0.0.2'],
    ['on METRICS_HOST', { METRICS_HOST: '127.0.0.3' }, '127.0.0.3', '127.0.0.1'],
  ])('serves metrics %s, and on no other address', async (_where, env, host, other) => {
    const port = portOf(await freeUrl());
    const gateway = await runGateway({ env: { HOST: '127.0.0.2', METRICS_PORT: port, ...env } });
    expect((await sendRequest(gateway.url, '/healthz')).status).toBe(200);
    expect((await sendRequest(`http://${host}:${port}`, '/metrics')).status).toBe(200);
    await expect(sendRequest(`http://${other}:${port}`, '/metrics')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('serves metrics on their own port, and not on the public one', async () => {
    const metricsUrl = await freeUrl();
    const gateway = await runGateway({ env: { METRICS_PORT: portOf(metricsUrl) } });
    await gateway.request(SERIES);
    const { text } = await sendRequest(metricsUrl, '/metrics');
    expect(text).toMatch(/lobbystats_http_request_duration_seconds_count\{[^}]*operation="getOnlineSeries"/);
    expect((await gateway.request('/metrics')).status).toBe(404);
  });
});

describe('gateway configuration', () => {
  it('has a default for every setting', () => {
    expect(gatewayService.readConfig({})).toMatchObject({
      PORT: 8080,
      SERIES_API_URL: 'http://127.0.0.1:8081',
      CATALOG_API_URL: 'http://127.0.0.1:8082',
      USER_API_URL: 'http://127.0.0.1:8083',
      REPUTATION_API_URL: 'http://127.0.0.1:8084',
      AUTH_PUBLIC_URL: 'http://127.0.0.1:8090',
    });
  });

  it('defaults AUTH_PUBLIC_URL to AUTH_URL', () => {
    const AUTH_URL = 'https://auth.internal';
    const AUTH_PUBLIC_URL = 'https://auth.example';
    expect(gatewayService.readConfig({ AUTH_URL })).toMatchObject({ AUTH_PUBLIC_URL: AUTH_URL });
    expect(gatewayService.readConfig({ AUTH_URL, AUTH_PUBLIC_URL })).toMatchObject({ AUTH_PUBLIC_URL });
  });

  it.each(['https://stats.example/site', 'https://stats.example/?x=1'])('refuses %s as PUBLIC_URL', (PUBLIC_URL) => {
    expect(() => gatewayService.readConfig({ PUBLIC_URL })).toThrow(
      'PUBLIC_URL must have no path: the site does not work below one',
    );
    expect(gatewayService.readConfig({ PUBLIC_URL: 'https://Stats.example:443/' })).toMatchObject({});
  });

  it('reports all invalid settings at once', () => {
    const env = {
      SERIES_API_URL: 'amqp://x',
      CATALOG_API_URL: 'nonsense',
      AUTH_PUBLIC_URL: 'javascript:1',
    };
    const faults = Object.keys(env).map((name): unknown => expect.stringContaining(name));
    expect(() => gatewayService.readConfig(env)).toThrow(expect.objectContaining({ faults }));
  });
});
