import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { cleanUp, fixedClock } from '@lobbystats/test-kit';
import { runSystem } from './run-system.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
const world = { titles: 2, openMatches: 2, boards: 0, entries: 0 };

describe('standalone metrics', () => {
  it.each([
    ['on loopback when HOST is another address', {}, '127.0.0.1', '127.0.0.2'],
    ['on METRICS_HOST', { METRICS_HOST: '127.0.0.3' }, '127.0.0.3', '127.0.0.1'],
  ])('are served %s, and on no other address', async (_where, settings, host, other) => {
    const port = await freePort();
    const env = { HOST: '127.0.0.2', METRICS_PORT: String(port), ...settings };
    const { url } = await runSystem({ clock, world, env });
    expect(new URL(url).hostname).toBe('127.0.0.2');
    const text = await (await fetch(`http://${host}:${port}/metrics`)).text();
    expect(text).toContain('service="gateway"');
    await expect(fetch(`http://${other}:${port}/metrics`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('are left out with a warning when their port is in use, and the system runs', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    cleanUp(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { url, log } = await runSystem({ clock, world, env: { METRICS_PORT: String(port) } });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(log.filter((line) => line.includes('metrics are not served'))).toEqual([
      expect.stringContaining(`port ${port} is in use: set METRICS_PORT, or to 0`),
    ]);
  });
});

/** A port that is free on every address. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
