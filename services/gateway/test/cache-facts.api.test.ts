import { boardStored, commentHidden, operations, profileUpdated, slotStored, titleStored } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { HARBOR, NEWEST } from './network.ts';
import { FOX } from './people-answers.ts';
import { asked, HIT, online, runCached, slot, statusOf } from './running-cache.ts';

const SERIES = operations.getOnlineSeries.path;
const GAME = operations.getGame.path.replace(':titleId', HARBOR.titleId);
const BY_NAME = String(operations.getGame.gamePath).replace(':game', 'harbor%20racing');
const PROFILE = operations.getProfile.path.replace(':username', FOX);
const REPUTATION = operations.getReputation.path.replace(':username', FOX);
const MUST_REVALIDATE = 'public, max-age=0, must-revalidate';

describe('a fact', () => {
  it('makes what it touches new, and leaves the rest', async () => {
    const gateway = await runCached();
    const before = await gateway.ask(SERIES);
    await gateway.ask(GAME);
    online(gateway, 99);
    expect((await gateway.ask(SERIES)).text).toBe(before.text);
    await gateway.bus.publish(slotStored, slot(NEWEST));
    await eventually(async () => expect((await gateway.ask(SERIES)).text).toContain('99'));
    expect(await statusOf(gateway, GAME)).toBe(HIT);
    expect(asked(gateway.series, SERIES)).toBe(2);
    expect(asked(gateway.catalog, GAME)).toBe(1);
  });

  it('of the past counts as well', async () => {
    const gateway = await runCached();
    await gateway.ask(SERIES);
    online(gateway, 98);
    await gateway.bus.publish(slotStored, slot(NEWEST - 6000), { past: true });
    await eventually(async () => expect((await gateway.ask(SERIES)).text).toContain('98'));
  });

  it('lets a name lead elsewhere at once', async () => {
    const gateway = await runCached();
    for (let i = 0; i < 2; i += 1) expect((await gateway.ask(BY_NAME)).body).toMatchObject({ titleId: HARBOR.titleId });
    const renamed = { ...HARBOR, name: 'Harbor' };
    gateway.known.titles[0] = renamed;
    await gateway.bus.publish(titleStored, { revision: 2, titles: [renamed] });
    await eventually(async () => expect((await gateway.ask(BY_NAME)).status).toBe(404));
  });

  it('of the operators takes away what was, though its owner is away', async () => {
    const gateway = await runCached();
    await gateway.ask(REPUTATION);
    await gateway.reputation.stop();
    expect(await gateway.ask(REPUTATION)).toMatchObject({ status: 200, headers: { 'cache-control': MUST_REVALIDATE } });
    await gateway.bus.publish(commentHidden, { raterUsername: 'Marlow', username: FOX });
    await eventually(async () => expect((await gateway.ask(REPUTATION)).status).toBe(503));
  });
});

describe('when an owner is away', () => {
  it('what was kept goes on being shown, with its age, and what was not is 503', async () => {
    const gateway = await runCached();
    const before = await gateway.ask(GAME);
    await gateway.catalog.stop();
    await gateway.bus.publish(titleStored, { revision: 2, titles: [HARBOR] });
    await eventually(async () => expect(await statusOf(gateway, GAME)).not.toBe(HIT));
    gateway.clock.advance(7000);
    await eventually(async () => {
      const after = await gateway.ask(GAME);
      expect(after).toMatchObject({ status: 200, text: before.text });
      expect(after.headers).toMatchObject({
        age: '7000',
        'cache-status': 'lobbystats; hit; ttl=-7000; detail=unavailable',
        'cache-control': 'public, max-age=0',
      });
    });
    expect((await gateway.ask(operations.listGames.path)).status).toBe(503);
  });

  it('a composition shows its last good copy', async () => {
    const gateway = await runCached();
    const before = await gateway.ask(PROFILE);
    expect(before.headers['cache-status']).toBe('lobbystats; fwd=uri-miss; stored');
    await gateway.users.stop();
    const after = await gateway.ask(PROFILE);
    expect(after).toMatchObject({ status: 200, text: before.text });
    expect(after.headers['cache-status']).toMatch(/^lobbystats; hit; ttl=-\d+; detail=unavailable$/);
  });
});

describe('what must be revalidated', () => {
  it('is asked for anew each time, so that who wrote reads what they wrote', async () => {
    const gateway = await runCached();
    const before = await gateway.ask(PROFILE);
    gateway.known.person = { ...gateway.known.person, linkedGamertag: 'Grey Owl' };
    const after = await gateway.ask(PROFILE);
    expect(after.text).not.toBe(before.text);
    expect(after.headers).toMatchObject({
      'cache-control': MUST_REVALIDATE,
      'cache-status': 'lobbystats; fwd=stale; stored',
    });
    await gateway.bus.publish(profileUpdated, { username: FOX });
    expect((await gateway.ask(PROFILE)).text).toBe(after.text);
  });
});

describe('freshness', () => {
  it('is said to the second, and is over with the slot', async () => {
    const gateway = await runCached();
    await gateway.bus.publish(slotStored, slot(NEWEST));
    await eventually(async () => {
      expect((await gateway.ask(GAME)).headers['cache-control']).toBe('public, max-age=300');
    });
    gateway.clock.advance(123);
    const hit = await gateway.ask(GAME);
    expect([hit.headers['cache-control'], hit.headers['cache-status'], hit.headers.age]).toEqual([
      'public, max-age=177',
      HIT,
      '0',
    ]);
    gateway.clock.advance(180);
    expect((await gateway.ask(GAME)).headers['cache-control']).toBe('public, max-age=5');
    expect(asked(gateway.catalog, GAME)).toBe(1);
    gateway.clock.advance(300);
    await gateway.ask(GAME);
    expect(asked(gateway.catalog, GAME)).toBe(2);
  });
});

describe('the cache', () => {
  it('has bounds: what nobody comes back for makes room', async () => {
    const gateway = await runCached({ env: { CACHE_BYTES: '20000' } });
    await gateway.ask(GAME);
    for (let days = 1; days <= 30; days += 1) {
      await gateway.ask(`${SERIES}?days=${days}`);
      expect(await statusOf(gateway, GAME)).toBe(HIT);
    }
    expect(await statusOf(gateway, `${SERIES}?days=1`)).toBe('lobbystats; fwd=uri-miss; stored');
  });

  it('goes on with boards as they change', async () => {
    const gateway = await runCached();
    const path = operations.getLeaderboard.path.replace(':titleId', HARBOR.titleId).replace(':leaderboardId', '17');
    await gateway.ask(path);
    expect(await statusOf(gateway, path)).toBe(HIT);
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
      expect(gateway.catalog.seen.length).toBeGreaterThan(0);
    });
    await eventually(async () => {
      await gateway.ask(path);
      expect(asked(gateway.catalog, path)).toBe(2);
    });
  });
});
