import { allOperations, formatInstant, freshUntil, operations, slotStored, titleStored } from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import { route } from '@lobbystats/service-kit';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { HARBOR, NEWEST } from './network.ts';
import { FOX } from './user-responses.ts';
import { runGateway, startStubUpstream, type RunningGateway } from './running-gateway.ts';
import { sampleRequest } from './sample-request.ts';

const SERIES = operations.getOnlineSeries.path;
const MAP = operations.getOnlineUsers.path;
const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const STRONG_TAG = /^"[\w-]{27}"$/;

describe('ETag validators', () => {
  let gateway: RunningGateway;

  beforeAll(async () => {
    gateway = await runGateway({ scope: 'file' });
  });

  it.each([SERIES, MAP, GAME, '/'])('are a strong ETag of the response bytes of %s', async (path) => {
    const [first, second] = [await gateway.request(path), await gateway.request(path)];
    expect(first.headers.etag).toMatch(STRONG_TAG);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(first.headers.vary).toBe('Accept-Encoding');
  });

  it('change with the response bytes, whatever Last-Modified says', async () => {
    const before = await gateway.request(GAME);
    gateway.network.titles[0] = { ...HARBOR, publisher: 'Southlight' };
    const after = await gateway.request(GAME);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    gateway.network.titles[0] = HARBOR;
    expect((await gateway.request(GAME)).headers.etag).toBe(before.headers.etag);
  });

  it.each([
    ['the tag', (tag: string) => tag],
    ['the tag, marked weak', (tag: string) => `W/${tag}`],
    ['a list that has it', (tag: string) => `"other" , W/"another",${tag}`],
    ['anything', () => ' * '],
  ])('match If-None-Match with %s: 304 with the caching headers', async (_name, ifNoneMatch) => {
    for (const path of [SERIES, MAP, '/']) {
      const full = await gateway.request(path);
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'If-None-Match': ifNoneMatch(full.headers.etag!) };
        const answer = await gateway.request(path, { method, headers });
        expect([answer.status, answer.text]).toEqual([304, '']);
        for (const name of ['etag', 'vary', 'cache-control', 'last-modified', 'access-control-allow-origin']) {
          expect([name, answer.headers[name]]).toEqual([name, full.headers[name]]);
        }
        expect(answer.headers['content-type']).toBeUndefined();
        expect(answer.headers['content-length']).toBeUndefined();
      }
    }
  });

  it.each(['"other"', 'tag', '""', '', 'W/"', '"a","b"'])('do not match If-None-Match %j', async (ifNoneMatch) => {
    const { status } = await gateway.request(SERIES, { headers: { 'If-None-Match': ifNoneMatch } });
    expect(status).toBe(200);
  });

  it('ignore If-Modified-Since', async () => {
    const { headers } = await gateway.request(SERIES);
    expect(headers['last-modified']).toBe(new Date(NEWEST * 1000).toUTCString());
    for (const since of [headers['last-modified'], 'Fri, 31 Dec 2099 00:00:00 GMT']) {
      const { status } = await gateway.request(SERIES, { headers: { 'If-Modified-Since': since } });
      expect(status).toBe(200);
    }
  });

  it('are absent from errors, even for If-None-Match: *', async () => {
    const { status, headers } = await gateway.request(`${GAME}0`, { headers: { 'If-None-Match': '*' } });
    expect([status, headers.etag, headers['cache-control']]).toEqual([404, undefined, 'no-store']);
  });
});

describe('response metadata', () => {
  it('links the next page relative to the requested path', async () => {
    const gateway = await runGateway();
    const { path, gamePath } = operations.getMatchHistory;
    const [byTitle, byGame] = [
      path.replace(':titleId', HARBOR.titleId),
      String(gamePath).replace(':game', 'harbor%20racing'),
    ];
    for (const asked of [byTitle, byGame]) {
      const { headers } = await gateway.request(`${asked}?limit=10&offset=20&junk=1`);
      const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
      const { pathname, searchParams } = new URL(next, gateway.url + asked);
      expect(pathname).toBe(asked);
      expect(Object.fromEntries(searchParams)).toEqual({ hours: '24', limit: '10', offset: '30' });
    }
  });

  it('has the newest slot as Last-Modified, in the composed map too', async () => {
    const gateway = await runGateway();
    const { headers } = await gateway.request(MAP);
    expect(headers['last-modified']).toBe(new Date(NEWEST * 1000).toUTCString());
  });
});

async function expectFresh(gateway: RunningGateway, path: string): Promise<void> {
  expect((await gateway.request(path)).headers['cache-control']).toBe('public, max-age=300');
}

describe('Cache-Control', () => {
  const MUST_REVALIDATE = 'public, max-age=0, must-revalidate';
  let gateway: RunningGateway;

  beforeAll(async () => {
    const clock = fixedClock(formatInstant(NEWEST + 40));
    gateway = await runGateway({ env: { CACHE_BYTES: '1000000' }, overrides: { clock }, scope: 'file' });
    await gateway.bus.publish(slotStored, { slot: formatInstant(NEWEST), online: 41, lobbies: 2 });
    await eventually(() => expectFresh(gateway, MAP));
  });

  const cacheControl = async (path: string) => (await gateway.request(path)).headers['cache-control'];

  const sharedReads = allOperations.filter(
    ({ audience, method, session }) => audience === 'public' && method === 'GET' && session !== 'required',
  );

  it.each(sharedReads)('of $id has a max-age only if it changes with a slot, in each response', async (operation) => {
    const expected = freshUntil(operation.tags) === 'slot' ? 'public, max-age=300' : MUST_REVALIDATE;
    // The second comes from the cache, the third is another status.
    const [path] = sampleRequest(operation);
    expect([await cacheControl(path), await cacheControl(path)]).toEqual([expected, expected]);
    const { headers } = await gateway.request(path);
    const known = await gateway.request(path, { headers: { 'If-None-Match': headers.etag } });
    expect([known.status, known.headers['cache-control']]).toEqual([304, expected]);
  });

  it.each([
    ['/games', 'public, max-age=300'],
    ['/events', MUST_REVALIDATE],
    ['/changes', MUST_REVALIDATE],
    [`/game/${HARBOR.titleId}`, MUST_REVALIDATE],
    [`/game/${HARBOR.titleId}/leaderboard/17`, MUST_REVALIDATE],
    ['/achievements', MUST_REVALIDATE],
    [`/u/${FOX}`, MUST_REVALIDATE],
    ['/', MUST_REVALIDATE],
    ['/og/site.png', 'public, max-age=300'],
    [`/og/u/${FOX}.png`, MUST_REVALIDATE],
    ['/docs/guide', MUST_REVALIDATE],
  ])('of the page %s is that of its data', async (path, expected) => {
    expect([await cacheControl(path), await cacheControl(path)]).toEqual([expected, expected]);
  });
});

describe('max-age', () => {
  const cacheControl = (maxAge: number) => `public, max-age=${maxAge}`;
  const stored = (slot: number) => ({ slot: formatInstant(slot), online: 41, lobbies: 2 });

  it('lasts until the next slot is expected, and is 5 s while that slot is overdue', async () => {
    const clock = fixedClock(formatInstant(NEWEST + 40));
    const gateway = await runGateway({ overrides: { clock } });
    const expectMaxAge = async (maxAge: number) => {
      for (const path of [SERIES, MAP, GAME]) {
        expect((await gateway.request(path)).headers['cache-control']).toBe(cacheControl(maxAge));
      }
    };
    await expectMaxAge(5);
    await gateway.bus.publish(slotStored, stored(NEWEST - 300), { past: true });
    await gateway.bus.publish(slotStored, stored(NEWEST - 600));
    await gateway.bus.publish(slotStored, stored(NEWEST));
    await eventually(() => expectMaxAge(300));
    clock.advance(100);
    await expectMaxAge(200);
    clock.advance(200);
    await expectMaxAge(5);
  });

  it.each([
    [
      'slots are backfilled',
      SERIES,
      (bus: MessageBus) => bus.publish(slotStored, stored(NEWEST - 6000), { past: true }),
    ],
    ['a game got a name', GAME, (bus: MessageBus) => bus.publish(titleStored, { revision: 2, titles: [HARBOR] })],
  ])('is 5 s after %s inside a slot, until the next live slot', async (_change, path, publish) => {
    const clock = fixedClock(formatInstant(NEWEST + 40));
    const gateway = await runGateway({ overrides: { clock } });
    const maxAge = async () => (await gateway.request(path)).headers['cache-control'];
    await gateway.bus.publish(slotStored, stored(NEWEST));
    await eventually(async () => expect(await maxAge()).toBe(cacheControl(300)));
    await publish(gateway.bus);
    await eventually(async () => expect(await maxAge()).toBe(cacheControl(5)));
    clock.advance(300);
    await gateway.bus.publish(slotStored, stored(NEWEST + 300));
    await eventually(async () => expect(await maxAge()).toBe(cacheControl(300)));
  });

  it('is 5 s for a response that was begun before the newest slot was published', async () => {
    const clock = fixedClock(formatInstant(NEWEST + 40));
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    let isHeld = true;
    const series = await startStubUpstream([
      route(operations.getOnlineSeries, async () => {
        if (isHeld) {
          isHeld = false;
          reached.resolve(undefined);
          await released.promise;
        }
        return { body: [] };
      }),
    ]);
    const gateway = await runGateway({ overrides: { clock }, env: { SERIES_API_URL: series.url } });
    const begunBefore = gateway.request(SERIES);
    await reached.promise;
    await gateway.bus.publish(slotStored, stored(NEWEST));
    await eventually(async () => {
      expect((await gateway.request(GAME)).headers['cache-control']).toBe(cacheControl(300));
    });
    released.resolve(undefined);
    expect((await begunBefore).headers['cache-control']).toBe(cacheControl(5));
  });
});
