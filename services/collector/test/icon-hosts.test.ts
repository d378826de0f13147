import { createNetworkIcons } from '../src/polls/icons.http.ts';
import { sourceForms } from '../src/sources/client/sources.node.ts';
import type { HttpClient } from '../src/sources/client/http-client.http.ts';
import type { HttpResponse } from '../src/sources/client/http-response.ts';
import { PageFailure } from '../src/network/page-failures.ts';
import { localClient } from './local-leadership.ts';
import { silentTelemetry } from './silent-telemetry.ts';

/** An HTTP client that notes its requests. */
function httpOf(status: number, header: HttpResponse['header'] = () => undefined) {
  const requests: string[] = [];
  const http: HttpClient = (url) => {
    requests.push(url);
    return Promise.resolve({ status, header, body: Buffer.from('image'), receivedMs: 0, quietMs: 0 });
  };
  return { http, requests };
}

function iconsOf(own: ReturnType<typeof httpOf>, others: ReturnType<typeof httpOf>) {
  const NETWORK = 'http://network.example';
  const time = { now: () => 0, sleep: () => Promise.resolve() };
  const forms = sourceForms(
    {},
    {
      parse: () => Promise.reject(new Error('no page')),
      networkUrl: NETWORK,
      publicUrl: NETWORK,
    },
  );
  return createNetworkIcons({
    client: localClient({ http: own.http, publicHttp: others.http, forms, time }),
    parse: (() => Promise.resolve({ image: 'made' })) as never,
    hosts: { networkUrl: NETWORK, publicUrl: NETWORK },
    pages: {
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(),
      deleteStoredBefore: () => Promise.resolve(),
    },
    telemetry: silentTelemetry,
    now: time.now,
  });
}

it('icons of other hosts of the network are requested by the client that connects to public addresses alone', async () => {
  const [own, others] = [httpOf(200), httpOf(200)];
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
  const own = httpOf(302, (name) => (name === 'location' ? 'http://169.254.169.254/' : undefined));
  const icon = iconsOf(own, httpOf(200)).icon('http://network.example/1.png', 1);
  await expect(icon).rejects.toBeInstanceOf(PageFailure);
  expect(own.requests).toHaveLength(1);
});
