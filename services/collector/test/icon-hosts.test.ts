import { createNetworkIcons } from '../src/icons/icons.http.ts';
import type { RateLimitedClient } from '../src/network/rate-limited-client.http.ts';
import { PageFailure } from '../src/network/page-failures.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** A client that notes its requests. */
function clientOf(status: number, header: (name: string) => string | undefined = () => undefined) {
  const requests: string[] = [];
  const client: RateLimitedClient = {
    takeTurn: () =>
      Promise.resolve({
        get: (url) => {
          requests.push(url);
          return Promise.resolve({ status, header, body: Buffer.from('image'), receivedMs: 0 });
        },
        end: () => undefined,
      }),
  };
  return { client, requests };
}

function iconsOf(own: ReturnType<typeof clientOf>, others: ReturnType<typeof clientOf>) {
  return createNetworkIcons({
    client: own.client,
    publicClient: others.client,
    parse: (() => Promise.resolve({ image: 'made' })) as never,
    hosts: { networkUrl: 'http://network.example', publicUrl: 'http://network.example' },
    pages: {
      claim: () => Promise.resolve(true),
      release: () => Promise.resolve(),
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(),
      deleteUnclaimedSince: () => Promise.resolve(),
    },
    leases: () => ({ holder: 'me', nowMs: 0, untilMs: 1 }),
    telemetry: silentTelemetry,
  });
}

it('icons of other hosts of the network are requested by the client that connects to public addresses alone', async () => {
  const [own, others] = [clientOf(200), clientOf(200)];
  const icons = iconsOf(own, others);
  expect(await icons.icon('http://network.example/1.png', 1)).toBe('made');
  expect(await icons.icon('http://cdn.network.example/2.png', 1)).toBe('made');
  expect(await icons.icon('http://elsewhere.example/3.png', 1)).toBeUndefined();
  expect([own.requests, others.requests]).toEqual([
    ['http://network.example/1.png'],
    ['http://cdn.network.example/2.png'],
  ]);
});

it('a redirect of an icon is not followed', async () => {
  const own = clientOf(302, (name) => (name === 'location' ? 'http://169.254.169.254/' : undefined));
  const icon = iconsOf(own, clientOf(200)).icon('http://network.example/1.png', 1);
  await expect(icon).rejects.toBeInstanceOf(PageFailure);
  expect(own.requests).toHaveLength(1);
});
