import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { fixedClock } from '@lobbystats/test-kit';
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
