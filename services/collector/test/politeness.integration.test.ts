import { messageOf } from '@lobbystats/contracts/errors';
import { createHttpClient } from '@lobbystats/service-kit';
import { nock, requestsTo, type MockedRequest } from '@lobbystats/test-kit/nock';
import { createHttpGet } from '../src/sources/client/http-client.http.ts';
import { sourceForms } from '../src/sources/client/sources.node.ts';
import type { HttpResponse } from '../src/sources/client/http-response.ts';
import { expectDateIn } from '../src/sources/client/responses.http.ts';
import { createRobotsGate } from '../src/sources/client/robots-gate.http.ts';
import { localClient } from './local-leadership.ts';
import { NETWORK } from './mock-network.ts';

const SLOT = 1_800_000_000;

let network: nock.Scope;
let requests: MockedRequest[];
let nowMs: number;
let request: (path: string) => Promise<HttpResponse>;
let delayMs: () => number;

beforeEach(() => {
  network = nock(NETWORK);
  requests = requestsTo(network);
  nowMs = (SLOT + 1) * 1000;
  const time = { now: () => nowMs, sleep: () => Promise.resolve() };
  const axios = createHttpClient({ timeoutMs: 10_000, maxBytes: 1000, userAgent: 'Lobbystats/1 (+us)' });
  const robots = createRobotsGate('Lobbystats', time.now);
  delayMs = () => robots.delayMs();
  const forms = sourceForms(
    {},
    {
      parse: () => Promise.reject(new Error('only GET')),
      networkUrl: NETWORK,
      publicUrl: NETWORK,
    },
  );
  const client = localClient({ http: createHttpGet(axios, time.now), forms, time, robots });
  request = (path) =>
    client.get(NETWORK + path, {}, { timeoutMs: 10_000, maxBytes: 1000 }, { deadlineMs: nowMs + 120_000 });
});

const failure = (kind: string, message: RegExp): unknown =>
  expect.objectContaining({ kind, message: expect.stringMatching(message) });

describe('robots.txt of a network of others', () => {
  it('keeps disallowed pages from being requested, and is read once an hour', async () => {
    network.get('/robots.txt').times(2).reply(200, 'User-agent: *\nCrawl-delay: 10\nDisallow: /games/');
    network.get('/').times(2).reply(200, '');
    network.get('/?again').reply(200, '');
    await Promise.all([request('/'), request('/?again')]);
    await expect(request('/games/4d530064?page=2')).rejects.toEqual(
      failure('rejected', /robots\.txt disallows \/games\/4d530064$/),
    );
    expect(delayMs()).toBe(10_000);
    nowMs += 3_600_000;
    await request('/');
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/', '/?again', '/robots.txt', '/']);
  });

  it('keeps everything from being requested until it can be read; later its last content holds', async () => {
    network.get('/robots.txt').reply(503, '');
    const unreadable = failure('unavailable', /robots\.txt can't be read: status 503/);
    await expect(request('/')).rejects.toEqual(unreadable);
    await expect(request('/')).rejects.toEqual(unreadable);
    expect(requests).toHaveLength(1);
    nowMs += 31_000;
    network.get('/robots.txt').reply(404, '');
    network.get('/').times(2).reply(200, '');
    await request('/');
    nowMs += 3_600_000;
    network.get('/robots.txt').reply(500, '');
    expect((await request('/')).status).toBe(200);
  });

  it('is followed to other paths of its host, and to no other host', async () => {
    network.get('/robots.txt').reply(301, '', { Location: '/rules.txt' });
    network.get('/rules.txt').reply(200, 'User-agent: *\nDisallow: /');
    await expect(request('/')).rejects.toEqual(failure('rejected', /disallows/));
    nowMs += 3_600_000;
    network.get('/robots.txt').reply(302, '', { Location: 'http://192.0.2.1/robots.txt' });
    network.get('/').reply(200, '');
    await request('/');
  });
});

describe('Age', () => {
  const DATE = new Date((SLOT + 1) * 1000).toUTCString();
  it.each([
    ['0', DATE, true],
    ['1', DATE, true],
    ['2', DATE, false],
    ['240', undefined, false],
    ['old', DATE, true],
    [undefined, undefined, true],
  ])('%s beside the date %s: the page is of the slot: %s', (age, date, isOfSlot) => {
    const headers = new Map(Object.entries({ age, date }));
    const answer = {
      status: 200,
      header: (name: string) => headers.get(name),
      body: Buffer.of(),
      receivedMs: nowMs,
      quietMs: 0,
    };
    const check = () => {
      try {
        expectDateIn([SLOT, SLOT], answer, 0);
        return 'of the slot';
      } catch (error) {
        return messageOf(error);
      }
    };
    expect(check()).toMatch(isOfSlot ? /^of the slot$/ : /outside of the slot/);
  });
});
