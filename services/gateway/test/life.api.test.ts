import { join } from 'node:path';
import { operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { route, silentLogger } from '@lobbystats/service-kit';
import { cleanUp, eventually, memoryBus, temporaryDirectory } from '@lobbystats/test-kit';
import { createGateway, readGatewayConfig } from '../src/service.ts';
import { ask } from './ask.ts';
import { catalogRoutes, network } from './network.ts';
import { freeUrl, NOWHERE, runGateway, startBadOwner, startOwner } from './running-gateway.ts';

const SERIES = operations.getOnlineSeries.path;
const portOf = (url: string) => new URL(url).port;

async function gatewayOf(env: Record<string, string> = {}) {
  const bus = await memoryBus();
  const config = readGatewayConfig({ PORT: '0', METRICS_PORT: '0', STOP_TIMEOUT_MS: '2000', ...env });
  const gateway = await createGateway(config, { bus, logger: silentLogger() });
  cleanUp(() => gateway.stop());
  return { gateway, bus };
}

describe('a gateway that stops', () => {
  it('answers what it has been asked, and nobody after that', async () => {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const series = await startOwner([
      route(operations.getOnlineSeries, async () => {
        reached.resolve(undefined);
        await released.promise;
        return { body: [] };
      }),
    ]);
    const gateway = await runGateway({ env: { SERIES_API_URL: series.url } });
    const inFlight = gateway.ask(SERIES);
    await reached.promise;
    const stopped = gateway.stop();
    await eventually(() => expect(gateway.ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' }));
    released.resolve(undefined);
    expect((await inFlight).status).toBe(200);
    await stopped;
    await expect(gateway.bus.check()).resolves.toBeUndefined();
  });

  it('cuts off what is not answered in time', async () => {
    const reached = Promise.withResolvers<undefined>();
    const SERIES_API_URL = await startBadOwner(() => {
      reached.resolve(undefined);
    });
    const gateway = await runGateway({ env: { SERIES_API_URL, STOP_TIMEOUT_MS: '100', OWNER_TIMEOUT_MS: '60000' } });
    const cutOff = gateway.ask(SERIES).catch((error: unknown) => error);
    await reached.promise;
    await gateway.stop();
    expect(await cutOff).toMatchObject({ code: 'ECONNRESET' });
  });

  it('may stop while it starts, also when catalog-api hangs', async () => {
    const reached = Promise.withResolvers<undefined>();
    const CATALOG_API_URL = await startBadOwner(() => {
      reached.resolve(undefined);
    });
    const { gateway } = await gatewayOf({ CATALOG_API_URL, OWNER_TIMEOUT_MS: '60000' });
    const started = gateway.start();
    await reached.promise;
    await gateway.stop();
    await started;
    await expect(ask(gateway.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('may stop at once, without a start, and twice', async () => {
    const { gateway: started } = await gatewayOf({ CATALOG_API_URL: NOWHERE });
    const starting = started.start();
    await Promise.all([started.stop(), started.stop()]);
    await starting;
    await expect(ask(started.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const { gateway: idle } = await gatewayOf();
    await expect(idle.stop()).resolves.toBeUndefined();
  });

  it('closes the bus that it opened', async () => {
    const url = `memory:${join(temporaryDirectory(), 'bus.sqlite')}`;
    const config = readGatewayConfig({ PORT: '0', METRICS_PORT: '0', BUS_URL: url, CATALOG_API_URL: NOWHERE });
    const gateway = await createGateway(config, { logger: silentLogger() });
    await gateway.start();
    await gateway.stop();
    const bus = await openBus({ url, origin: 'simulated' });
    await expect(bus.close()).resolves.toBeUndefined();
  });
});

describe('a gateway that starts', () => {
  it('lets nobody in before it knows the titles', async () => {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    const catalog = await startOwner([
      route(operations.listTitles, async () => {
        reached.resolve(undefined);
        await released.promise;
        return { body: { revision: 1, titles: [] } };
      }),
    ]);
    const url = await freeUrl();
    const { gateway } = await gatewayOf({ PORT: portOf(url), CATALOG_API_URL: catalog.url });
    const started = gateway.start();
    await reached.promise;
    await expect(ask(url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    released.resolve(undefined);
    await started;
    expect((await ask(url, '/readyz')).status).toBe(200);
  });

  it('answers while catalog-api keeps it waiting for the titles', async () => {
    const CATALOG_API_URL = await startBadOwner(() => undefined);
    const { gateway } = await gatewayOf({ CATALOG_API_URL, OWNER_TIMEOUT_MS: '60000' });
    const started = gateway.start();
    await eventually(async () => expect((await ask(gateway.url(), '/healthz')).status).toBe(200));
    await gateway.stop();
    await started;
  });

  it('says which setting to change when its port is taken, and leaves nothing running', async () => {
    const known = network();
    const catalog = await startOwner(catalogRoutes(known));
    const other = await runGateway();
    const { gateway } = await gatewayOf({ PORT: portOf(other.url), CATALOG_API_URL: catalog.url });
    await expect(gateway.start()).rejects.toThrow(`port ${portOf(other.url)} is in use: set PORT`);
    await expect(gateway.stop()).resolves.toBeUndefined();
    expect((await other.ask('/readyz')).status).toBe(200);
  });

  it('leaves nothing running when the port of its metrics is taken', async () => {
    const other = await runGateway();
    const { gateway } = await gatewayOf({ METRICS_PORT: portOf(other.url), CATALOG_API_URL: NOWHERE });
    await expect(gateway.start()).rejects.toThrow(`port ${portOf(other.url)} is in use: set METRICS_PORT`);
    await expect(ask(gateway.url(), '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['on loopback when HOST is another address', {}, '127.0.0.1', '127.0.0.2'],
    ['on METRICS_HOST', { METRICS_HOST: '127.0.0.3' }, '127.0.0.3', '127.0.0.1'],
  ])('serves its metrics %s, and on no other address', async (_where, env, host, other) => {
    const port = portOf(await freeUrl());
    const gateway = await runGateway({ env: { HOST: '127.0.0.2', METRICS_PORT: port, ...env } });
    expect((await ask(gateway.url, '/healthz')).status).toBe(200);
    expect((await ask(`http://${host}:${port}`, '/metrics')).status).toBe(200);
    await expect(ask(`http://${other}:${port}`, '/metrics')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('has its metrics on a port of their own, and not on the public one', async () => {
    const metricsUrl = await freeUrl();
    const gateway = await runGateway({ env: { METRICS_PORT: portOf(metricsUrl) } });
    await gateway.ask(SERIES);
    const { text } = await ask(metricsUrl, '/metrics');
    expect(text).toMatch(/lobbystats_http_request_duration_seconds_count\{[^}]*operation="getOnlineSeries"/);
    expect((await gateway.ask('/metrics')).status).toBe(404);
  });
});

describe('the configuration', () => {
  it('has defaults for everything', () => {
    expect(readGatewayConfig({})).toMatchObject({
      PORT: 8080,
      SERIES_API_URL: 'http://127.0.0.1:8081',
      CATALOG_API_URL: 'http://127.0.0.1:8082',
      USER_API_URL: 'http://127.0.0.1:8083',
      REPUTATION_API_URL: 'http://127.0.0.1:8084',
      OWNER_TIMEOUT_MS: 5000,
      NETWORK_PUBLIC_URL: 'http://127.0.0.1:8090',
    });
  });

  it('lets browsers have icons from where the network is, unless they find it elsewhere', () => {
    const NETWORK_URL = 'https://network.example/home';
    const NETWORK_PUBLIC_URL = 'https://icons.example';
    expect(readGatewayConfig({ NETWORK_URL })).toMatchObject({ NETWORK_PUBLIC_URL: NETWORK_URL });
    expect(readGatewayConfig({ NETWORK_URL, NETWORK_PUBLIC_URL })).toMatchObject({ NETWORK_PUBLIC_URL });
  });

  it('is refused with all its faults at once', () => {
    const env = {
      SERIES_API_URL: 'amqp://x',
      CATALOG_API_URL: 'nonsense',
      OWNER_TIMEOUT_MS: '5s',
      NETWORK_PUBLIC_URL: 'javascript:1',
    };
    const faults = Object.keys(env).map((name): unknown => expect.stringContaining(name));
    expect(() => readGatewayConfig(env)).toThrow(expect.objectContaining({ faults }));
  });
});
