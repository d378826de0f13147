import type { RequestListener } from 'node:http';
import { createHttpClient } from '@lobbystats/service-kit';
import { slowResponse, truncatedResponse, serveRaw } from '@lobbystats/test-kit';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { sourceForms } from '../src/sources/client/sources.node.ts';
import { createNetworkSite } from '../src/sources/client/network-site.http.ts';
import { createHttpGet } from '../src/sources/client/http-client.http.ts';
import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import { clockMarginsOf } from '../src/time/slot-times.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import type { NetworkSource, PageRequest } from '../src/network/network.ts';
import type { PageFailure } from '../src/network/page-failures.ts';
import type { Telemetry } from '../src/telemetry/telemetry.ts';
import { gamePageHtml, homepageHtml } from './page-builder.ts';
import { testParser } from './test-parser.ts';
import { silentTelemetry } from './silent-telemetry.ts';
import { localClient } from './local-leadership.ts';
import { html, NETWORK } from './mock-network.ts';

const SLOT = 1_800_000_000;
const listing = {
  registered: 9,
  online: 7,
  titles: [{ titleId: '4d530064', name: 'Halo', publisher: '', online: 3, sessions: 1, players: 2 }],
};
const home = homepageHtml(listing);
const pageRequest: PageRequest = { slot: SLOT, deadlineMs: (SLOT + 120) * 1000 };

const { parse } = testParser();

let network: nock.Scope;
let requests: MockedRequest[];
let store: CollectorStore;
let nowMs: number;
let slept: number[];
let pageOutcomes: string[];

beforeEach(() => {
  network = nock(NETWORK);
  requests = requestsTo(network);
  store = openSqliteCollectorStore('sqlite::memory:', 'simulated');
  nowMs = (SLOT + 1) * 1000;
  slept = [];
  pageOutcomes = [];
});
afterEach(() => store.close());

/** The network site of one leader, with a clock that only moves during sleeps. */
function site({ networkUrl = NETWORK, publicUrl = NETWORK, clockToleranceSeconds = 2, timeoutMs = 10_000 } = {}): Pick<
  NetworkSource,
  'homepage' | 'gamePage'
> {
  const time = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      slept.push(ms);
      nowMs += ms;
      await Promise.resolve();
    },
  };
  const telemetry: Telemetry = {
    ...silentTelemetry,
    pageRead: (page, how) => pageOutcomes.push(`${page} ${how}`),
    pageFailed: (page, _, failure) => pageOutcomes.push(`${page} ${failure.kind}`),
  };
  const axios = createHttpClient({ timeoutMs: 10_000, maxBytes: 1000, userAgent: 'Lobbystats/1 (+us)' });
  axios.interceptors.request.use((config) => ({ ...config, timeout: timeoutMs }));
  const http = createHttpGet(axios, time.now);
  const forms = sourceForms({}, { parse, networkUrl, publicUrl });
  const client = localClient({ http, forms, telemetry, time });
  return createNetworkSite({
    client,
    pages: store.pages,
    telemetry,
    forms,
    now: time.now,
    isConditional: true,
    leewaySeconds: clockMarginsOf(clockToleranceSeconds).leewaySeconds,
  });
}

const mockTwice = (path: string) => network.get(path).times(2);

function expectFailure(kind: PageFailure['kind'], message = /./): unknown {
  return expect.objectContaining({ kind, message: expect.stringMatching(message) });
}

describe('createNetworkSite', () => {
  it('requests HTML with our User-Agent and resolves icons against the public URL', async () => {
    network.get('/').reply(...html(home));
    const reading = await site({ publicUrl: 'https://network.example' }).homepage(pageRequest);
    expect(reading.titles).toMatchObject([{ image: 'https://network.example/icons/4d530064.svg' }]);
    expect(requests).toMatchObject([
      { method: 'GET', url: '/', headers: { 'user-agent': 'Lobbystats/1 (+us)', accept: 'text/html' } },
    ]);
    expect(pageOutcomes).toEqual(['home read']);
  });

  it.each([
    ['an ETag', { ETag: '"1"' }, { 'if-none-match': '"1"' }],
    [
      'a date',
      { 'Last-Modified': 'Fri, 15 Jan 2027 07:00:00 GMT', Date: 'Fri, 15 Jan 2027 08:00:00 GMT' },
      { 'if-modified-since': 'Fri, 15 Jan 2027 07:00:00 GMT' },
    ],
  ])(
    'sends a conditional request after %s, and lets the next leader reuse the reading on 304',
    async (_, responseHeaders, asked) => {
      network.get('/').reply(...html(home, responseHeaders));
      const first = await site().homepage(pageRequest);
      network.get('/').reply(304);
      expect(await site().homepage(pageRequest)).toEqual(first);
      expect(requests[1]?.headers).toMatchObject(asked);
      expect(pageOutcomes).toEqual(['home read', 'home unchanged']);
    },
  );

  it.each([
    ['a second old', { 'Last-Modified': 'Fri, 15 Jan 2027 07:59:59 GMT', Date: 'Fri, 15 Jan 2027 08:00:00 GMT' }],
    ['of unknown age', { 'Last-Modified': 'Fri, 15 Jan 2027 07:00:00 GMT' }],
  ])('sends no If-Modified-Since when a Last-Modified without ETag is %s', async (_, responseHeaders) => {
    mockTwice('/').reply(...html(home, responseHeaders));
    for (const leader of [site(), site()]) await leader.homepage(pageRequest);
    expect(requests[1]?.headers).not.toHaveProperty('if-modified-since');
    expect(pageOutcomes).toEqual(['home read', 'home read']);
    mockTwice('/').reply(...html(home, { ...responseHeaders, ETag: '"1"' }));
    for (const leader of [site(), site()]) await leader.homepage(pageRequest);
    expect(requests[3]?.headers).toHaveProperty('if-modified-since', responseHeaders['Last-Modified']);
  });

  it('does not store the validators of a page that could not be parsed', async () => {
    network.get('/').reply(...html(home.slice(0, -20), { ETag: '"whole"' }));
    await expect(site().homepage(pageRequest)).rejects.toEqual(expectFailure('unparseable'));
    network.get('/').reply(...html(home, { ETag: '"whole"' }));
    await site().homepage(pageRequest);
    expect(requests[1]?.headers).not.toHaveProperty('if-none-match');
  });

  it('discards the cached reading when the public URL changes', async () => {
    mockTwice('/').reply(...html(home, { ETag: '"1"' }));
    await site().homepage(pageRequest);
    await site({ publicUrl: 'https://network.example' }).homepage(pageRequest);
    expect(requests[1]?.headers).not.toHaveProperty('if-none-match');
  });

  it.each([
    ['an unconditional 304', 'rejected', html('', {}, 304)],
    ['a redirect', 'rejected', html('', { Location: 'http://192.0.2.1/' }, 302)],
    ['status 404', 'rejected', html(home, {}, 404)],
    ['status 500', 'unavailable', html(home, {}, 500)],
    ['status 429', 'unavailable', html(home, {}, 429)],
    ['another content type', 'unparseable', html(home, { 'Content-Type': 'text/plain' })],
    ['another charset', 'unparseable', html(home, { 'Content-Type': 'text/html; charset=utf-16' })],
    ['an oversized body', 'unparseable', html(home + ' '.repeat(16 * 1024 * 1024))],
  ] as const)('rejects with a page failure for %s', async (_, kind, answer) => {
    network.get('/').reply(...answer);
    await expect(site().homepage(pageRequest)).rejects.toEqual(expectFailure(kind));
    expect(pageOutcomes).toEqual([`home ${kind}`]);
    expect(requests).toHaveLength(1);
  });

  it.each<[string, number, RequestListener]>([
    ['does not respond in time', 50, () => undefined],
    ['drips', 50, slowResponse],
    ['hangs up', 10_000, (request) => request.destroy()],
    ['closes after half a response', 10_000, truncatedResponse(home)],
  ])('rejects as unavailable when the network %s', async (_, timeoutMs, listener) => {
    const broken = site({ networkUrl: await serveRaw(listener), timeoutMs });
    await expect(broken.homepage(pageRequest)).rejects.toEqual(expectFailure('unavailable'));
    expect(pageOutcomes).toEqual(['home unavailable']);
  });

  it('reports the beginning and end of an unreadable page in one line', async () => {
    network.get('/').reply(...html(`<h1>Database\nerror</h1>${'x'.repeat(1000)}`));
    const failure = await site()
      .homepage(pageRequest)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'it ends before </html>' });
    expect(failure).toMatchObject({ sample: expect.stringMatching(/^<h1>Database error<\/h1>x+ … x+$/) });
  });

  it.each([
    ['Fri, 15 Jan 2027 08:00:00 GMT', 0, true],
    ['Fri, 15 Jan 2027 08:04:59 GMT', 0, true],
    ['Fri, 15 Jan 2027 07:59:59 GMT', 0, false],
    ['Fri, 15 Jan 2027 07:59:59 GMT', 5, false],
    ['Fri, 15 Jan 2027 07:59:59 GMT', 6, true],
    ['Fri, 15 Jan 2027 07:59:58 GMT', 6, false],
    ['Fri, 15 Jan 2027 08:10:00 GMT', 0, false],
    ['Fri, 15 Jan 2027 08:10:00 GMT', 700, true],
    ['yesterday', 0, true],
  ])('accepts a page dated %s with a clock tolerance of %d s: %s', async (Date, clockToleranceSeconds, isOfSlot) => {
    network.get('/').reply(...html(home, { Date }));
    const outcome = await site({ clockToleranceSeconds })
      .homepage(pageRequest)
      .then(
        () => true,
        (error: unknown) => error,
      );
    expect(outcome).toEqual(isOfSlot ? true : expectFailure('wrong-date', /outside of the slot/));
  });

  it.each([
    ['seconds', '30'],
    ['a date', 'Fri, 15 Jan 2027 08:00:31 GMT'],
  ])('waits for Retry-After in %s before the next request', async (_, retryAfter) => {
    const polite = site();
    network.get('/').reply(...html('', { 'Retry-After': retryAfter }, 503));
    await expect(polite.homepage(pageRequest)).rejects.toEqual(expectFailure('unavailable'));
    network.get('/').reply(...html(home));
    await polite.homepage(pageRequest);
    expect(slept).toContain(30_000);
  });

  it('sends no request when Retry-After ends after the deadline', async () => {
    const polite = site();
    network.get('/').reply(...html('', { 'Retry-After': '100000000' }, 429));
    await expect(polite.homepage(pageRequest)).rejects.toEqual(expectFailure('unavailable'));
    await expect(polite.homepage(pageRequest)).rejects.toEqual(expectFailure('rate-limited'));
    expect(requests).toHaveLength(1);
    nowMs += 3_600_000;
    network.get('/').reply(...html(home));
    const slot = SLOT + 3600;
    await polite.homepage({ slot, deadlineMs: (slot + 120) * 1000 });
  });

  it('sends no request after the deadline', async () => {
    nowMs = pageRequest.deadlineMs;
    await expect(site().homepage(pageRequest)).rejects.toEqual(expectFailure('late'));
    expect(requests).toHaveLength(0);
  });

  it('shares one request of a slot between concurrent readers, and asks once at a time for a page', async () => {
    const page = html(gamePageHtml({ title: 'Halo', publisher: '', matches: [] }));
    // Responds once all requests have arrived.
    mockTwice('/games/4d530064').reply(() => new Promise((resolve) => void setImmediate(() => resolve(page))));
    const game = { ...pageRequest, matches: true };
    const own = site();
    const outcomes = await Promise.allSettled([
      own.gamePage('4d530064', game),
      own.gamePage('4d530064', { ...game, matches: false }),
      own.gamePage('4d530064', { ...game, slot: SLOT + 300 }),
    ]);
    expect(requests).toHaveLength(1);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { kind: 'busy' } },
    ]);
    await own.gamePage('4d530064', game);
  });

  it('rejects a game page without matches only when matches are requested', async () => {
    const [before = ''] = gamePageHtml({ title: 'Halo', publisher: '', matches: [] }).split('<table');
    mockTwice('/games/4d530064').reply(...html(`${before}</main></body></html>`));
    const own = site();
    await expect(own.gamePage('4d530064', { ...pageRequest, matches: true })).rejects.toEqual(
      expectFailure('unparseable'),
    );
    const reading = await own.gamePage('4d530064', { ...pageRequest, matches: false });
    expect(reading).toMatchObject({ matches: null, metadata: { title: 'Halo' } });
  });
});
