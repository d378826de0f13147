import { openOutsideHost, type OutsideHost } from '../stack/outside-host.ts';
import { compose, gatewayUrl, recreateProxy } from './stack.ts';

let outside: OutsideHost;

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  outside = await openOutsideHost();
});
// Undefined when it could not be opened.
afterAll(() => (outside as OutsideHost | undefined)?.close());

/** Whether a container can connect to the outside host within 2 s. */
async function canConnect(service: string): Promise<boolean> {
  const connect = `timeout 2 bash -c 'exec 3<>/dev/tcp/${outside.address}/${outside.port}' 2>/dev/null && echo yes || echo no`;
  return (await compose('exec', '-T', service, 'bash', '-c', connect)) === 'yes';
}

describe('external address', () => {
  // Positive control for the test below.
  it.each(['collector', 'user-api', 'reputation-api'])('is reachable from %s', async (service) => {
    expect(await canConnect(service)).toBe(true);
  });

  it.each(['nginx', 'gateway', 'analysts', 'influxdb', 'series-api', 'catalog-api'])(
    'is not reachable from %s',
    async (service) => {
      expect(await canConnect(service)).toBe(false);
    },
  );
});

describe('public port', () => {
  const { port } = new URL(gatewayUrl);
  const publish = (host: string) => recreateProxy({ LISTEN_HOST: host });

  afterAll(() => publish('127.0.0.1'));

  it('is reachable from outside only when published on 0.0.0.0', async () => {
    const url = `http://${outside.machine}:${port}/api/games`;
    expect(await outside.get(url)).toBe(0);
    await publish('0.0.0.0');
    expect(await outside.get(url)).toBe(200);
  });
});
