import { docker } from '../stack/docker.ts';
import { openOutsideHost, type OutsideHost } from '../stack/outside-host.ts';
import { compose, gateway, project } from './stack.ts';

let outside: OutsideHost;

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  outside = await openOutsideHost();
}, 300_000);
// Undefined where it could not be opened.
afterAll(() => (outside as OutsideHost | undefined)?.close());

/** Whether a container can connect to the host outside; packets that are not answered are given up. */
async function reaches(service: string): Promise<boolean> {
  const connect = `timeout 2 bash -c 'exec 3<>/dev/tcp/${outside.address}/${outside.port}' 2>/dev/null && echo yes || echo no`;
  return (await compose('exec', '-T', service, 'bash', '-c', connect)) === 'yes';
}

describe('an address outside', () => {
  // The same address, asked in the same way: without it, that the others can't reach it would prove nothing.
  it.each(['collector', 'user-api', 'reputation-api'])('is reached from %s, which has to', async (service) => {
    expect(await reaches(service)).toBe(true);
  });

  it.each(['nginx', 'gateway', 'analysts', 'influxdb', 'series-api', 'catalog-api'])(
    'is not reached from %s',
    async (service) => {
      expect(await reaches(service)).toBe(false);
    },
  );
});

describe('the public port', () => {
  const { port } = new URL(gateway);
  const publish = (host: string) =>
    docker([...project, 'up', '-d', '--wait', '--no-deps', 'nginx'], { LISTEN_HOST: host });

  afterAll(() => publish('127.0.0.1'));

  it('is reached from outside once it is published on 0.0.0.0, and not before', async () => {
    const url = `http://${outside.machine}:${port}/api/games`;
    expect(await outside.get(url)).toBe(0);
    await publish('0.0.0.0');
    expect(await outside.get(url)).toBe(200);
  });
});
