import { boardStored, commentHidden, operations, profileUpdated, slotStored, titleStored } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { HARBOR, NEWEST } from './network.ts';
import { FOX } from './user-responses.ts';
import { requestCount, HIT, setOnline, runCached, slotData, cacheStatus } from './running-cache.ts';

const SERIES = operations.getOnlineSeries.path;
const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const BY_NAME = String(operations.getGame.gamePath).replace(':game', 'harbor%20racing');
const PROFILE = operations.getProfile.path.replace(':username', FOX);
const REPUTATION = operations.getReputation.path.replace(':username', FOX);
const MUST_REVALIDATE = 'public, max-age=0, must-revalidate';

describe('cache invalidation by a fact', () => {
  it('refetches the tagged entries and leaves all others cached', async () => {
    const gateway = await runCached();
    const before = await gateway.request(SERIES);
    await gateway.request(GAME);
    setOnline(gateway, 99);
    expect((await gateway.request(SERIES)).text).toBe(before.text);
    await gateway.bus.publish(slotStored, slotData(NEWEST));
    await eventually(async () => expect((await gateway.request(SERIES)).text).toContain('99'));
    expect(await cacheStatus(gateway, GAME)).toBe(HIT);
    expect(requestCount(gateway.series, SERIES)).toBe(2);
    expect(requestCount(gateway.catalog, GAME)).toBe(1);
  });

  it('invalidates entries for backfilled facts too', async () => {
    const gateway = await runCached();
    await gateway.request(SERIES);
    setOnline(gateway, 98);
    await gateway.bus.publish(slotStored, slotData(NEWEST - 6000), { past: true });
    await eventually(async () => expect((await gateway.request(SERIES)).text).toContain('98'));
  });

  it('makes a renamed game unreachable by its old name at once', async () => {
    const gateway = await runCached();
    for (let i = 0; i < 2; i += 1)
      expect((await gateway.request(BY_NAME)).body).toMatchObject({ titleId: HARBOR.titleId });
    const renamed = { ...HARBOR, name: 'Harbor' };
    gateway.network.titles[0] = renamed;
    await gateway.bus.publish(titleStored, { revision: 2, titles: [renamed] });
    await eventually(async () => expect((await gateway.request(BY_NAME)).status).toBe(404));
  });

  it('purges an entry when a comment is hidden, even while its upstream is down', async () => {
    const gateway = await runCached();
    await gateway.request(REPUTATION);
    await gateway.reputation.stop();
    expect(await gateway.request(REPUTATION)).toMatchObject({
      status: 200,
      headers: { 'cache-control': MUST_REVALIDATE },
    });
    await gateway.bus.publish(commentHidden, { raterUsername: 'Marlow', username: FOX });
    await eventually(async () => expect((await gateway.request(REPUTATION)).status).toBe(503));
  });
});

describe('upstream outage', () => {
  it('cached entries are served stale with their age, and uncached paths are answered with 503', async () => {
    const gateway = await runCached();
    const before = await gateway.request(GAME);
    await gateway.catalog.stop();
    await gateway.bus.publish(titleStored, { revision: 2, titles: [HARBOR] });
    await eventually(async () => expect(await cacheStatus(gateway, GAME)).not.toBe(HIT));
    gateway.clock.advance(7000);
    await eventually(async () => {
      const after = await gateway.request(GAME);
      expect(after).toMatchObject({ status: 200, text: before.text });
      expect(after.headers).toMatchObject({
        age: '7000',
        'cache-status': 'lobbystats; hit; ttl=-7000; detail=unavailable',
        'cache-control': 'public, max-age=0',
      });
    });
    expect((await gateway.request(operations.listGames.path)).status).toBe(503);
  });

  it('a composed response is served stale when one of its upstreams is down', async () => {
    const gateway = await runCached();
    const before = await gateway.request(PROFILE);
    expect(before.headers['cache-status']).toBe('lobbystats; fwd=uri-miss; stored');
    await gateway.users.stop();
    const after = await gateway.request(PROFILE);
    expect(after).toMatchObject({ status: 200, text: before.text });
    expect(after.headers['cache-status']).toMatch(/^lobbystats; hit; ttl=-\d+; detail=unavailable$/);
  });
});

describe('response that must be revalidated', () => {
  it('is fetched again on each request, so that a user reads their own write', async () => {
    const gateway = await runCached();
    const before = await gateway.request(PROFILE);
    gateway.network.user = { ...gateway.network.user, linkedGamertag: 'Grey Owl' };
    const after = await gateway.request(PROFILE);
    expect(after.text).not.toBe(before.text);
    expect(after.headers).toMatchObject({
      'cache-control': MUST_REVALIDATE,
      'cache-status': 'lobbystats; fwd=stale; stored',
    });
    await gateway.bus.publish(profileUpdated, { username: FOX });
    expect((await gateway.request(PROFILE)).text).toBe(after.text);
  });
});

describe('freshness', () => {
  it('max-age counts down to the end of the slot, after which the entry is fetched again', async () => {
    const gateway = await runCached();
    await gateway.bus.publish(slotStored, slotData(NEWEST));
    await eventually(async () => {
      expect((await gateway.request(GAME)).headers['cache-control']).toBe('public, max-age=300');
    });
    gateway.clock.advance(123);
    const hit = await gateway.request(GAME);
    expect([hit.headers['cache-control'], hit.headers['cache-status'], hit.headers.age]).toEqual([
      'public, max-age=177',
      HIT,
      '0',
    ]);
    gateway.clock.advance(180);
    expect((await gateway.request(GAME)).headers['cache-control']).toBe('public, max-age=5');
    expect(requestCount(gateway.catalog, GAME)).toBe(1);
    gateway.clock.advance(300);
    await gateway.request(GAME);
    expect(requestCount(gateway.catalog, GAME)).toBe(2);
  });
});

describe('response cache size and keys', () => {
  it('evicts entries that are not requested again when it reaches CACHE_BYTES', async () => {
    const gateway = await runCached({ env: { CACHE_BYTES: '20000' } });
    await gateway.request(GAME);
    for (let days = 1; days <= 30; days += 1) {
      await gateway.request(`${SERIES}?days=${days}`);
      expect(await cacheStatus(gateway, GAME)).toBe(HIT);
    }
    expect(await cacheStatus(gateway, `${SERIES}?days=1`)).toBe('lobbystats; fwd=uri-miss; stored');
  });

  it('refetches a leaderboard when a board.stored fact names it', async () => {
    const gateway = await runCached();
    const path = operations.getLeaderboard.path.replace(':titleId', HARBOR.titleId).replace(':leaderboardId', '17');
    await gateway.request(path);
    expect(await cacheStatus(gateway, path)).toBe(HIT);
    const board = {
      titleId: HARBOR.titleId,
      leaderboardId: 17,
      name: 'x',
      isTime: true,
      version: 2,
      entries: 1,
      gone: false,
    };
    await gateway.bus.publish(boardStored, { boards: [board] });
    await eventually(() => {
      expect(gateway.catalog.requests.length).toBeGreaterThan(0);
    });
    await eventually(async () => {
      await gateway.request(path);
      expect(requestCount(gateway.catalog, path)).toBe(2);
    });
  });
});
