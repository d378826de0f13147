import { hasCode } from '@lobbystats/errors';
import { testServers } from '@lobbystats/test-kit';
import type { SeriesStore } from '../src/domain/series-store.ts';
import { storeSlots } from '../src/domain/store-slots.ts';
import { commitSlots } from './commit-slots.ts';
import { testBuckets, type TestBuckets } from './influx-buckets.ts';
import { answering, failing, holdingOne, influxProxy, type InfluxProxy } from './influx-proxy.ts';
import { HARBOR, NOW, observation, RALLY, SLOT, TODAY, type SlotSketch } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };
const PATIENCE_MS = 1500;
const RETENTION =
  '{"message":"partial write: dropped 2 points outside retention policy of duration 720h0m0s dropped=2"}';
const CONFLICT = '{"message":"partial write: field type conflict: input field \\"online\\" dropped=1"}';

const playing = (players: number): SlotSketch => ({
  online: players,
  registered: 7,
  titles: { [HARBOR]: { online: 1, matches: { Ada: players, Bob: 1 } }, [RALLY]: { matches: null } },
});

describe('an InfluxDB that fails', () => {
  let buckets: TestBuckets;
  let proxy: InfluxProxy;
  let store: SeriesStore;
  beforeEach(async () => {
    buckets = await testBuckets();
    proxy = await influxProxy(testServers().influxdb.url);
    const patience = { readMs: PATIENCE_MS, writeMs: PATIENCE_MS, overdue: { settleMs: 0, lostAfterMs: 0 } };
    store = await buckets.open({ url: proxy.url, ...patience, waitMs: 10_000 });
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
    await buckets.remove();
  });

  const isUnavailable = async (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => false,
      (error: unknown) => hasCode(error, 'unavailable'),
    );
  const commit = () => commitSlots(store, [[NOW, playing(3)]]);
  const state = () =>
    Promise.all([
      store.siteSnapshots(EVER),
      store.titlesIn(NOW),
      store.runsBetween(0, EVER.until),
      store.registered(EVER),
      store.newestLobbies(EVER),
    ]);

  const faults: [string, (which: 'writes' | 'reads') => Parameters<InfluxProxy['behave']>[0]][] = [
    ['answers 503', (which) => answering(which, 503, '{"code":"unavailable","message":"busy"}')],
    ['answers 200 with an error inside', (which) => answering(which, 200, '{"results":[{"error":"timeout"}]}')],
    ['no longer knows the token', (which) => answering(which, 401, '{"code":"unauthorized"}')],
    ['never answers', (which) => failing(which, () => undefined)],
    ['cuts connections', (which) => failing(which, (res) => res.destroy())],
    [
      'cuts its answers',
      (which) =>
        failing(which, (res) => {
          res.writeHead(200, { 'content-length': '100' }).write('{"results"');
          setImmediate(() => res.destroy());
        }),
    ],
  ];

  it.each(faults)('and %s is unavailable to writers, and loses nothing', async (_what, fault) => {
    proxy.behave(fault('writes'));
    expect(await isUnavailable(commit())).toBe(true);
    proxy.behave(() => 'pass');
    expect(await store.slotBefore(NOW + 1)).toBeNull();
    const { slots } = await commit();
    expect(await store.siteSnapshots(EVER)).toEqual([slots[0]?.site]);
  });

  it.each(faults)('and %s is unavailable to readers', async (_what, fault) => {
    await commit();
    proxy.behave(fault('reads'));
    expect(await isUnavailable(store.siteOnline(EVER))).toBe(true);
    expect(await isUnavailable(store.check())).toBe(true);
    proxy.behave(() => 'pass');
    expect(await store.siteOnline(EVER)).toEqual([[NOW, 3]]);
  });

  it('that has left out expired points has stored the others', async () => {
    proxy.behave(answering('writes', 422, RETENTION));
    await expect(commit()).resolves.toBeDefined();
    proxy.behave(answering('writes', 422, CONFLICT));
    await expect(commitSlots(store, [[NOW + SLOT, playing(1)]])).rejects.toThrow();
  });

  it('between any two writes of a commit leaves a slot that its redelivery makes whole', async () => {
    const join = () => commitSlots(store, [[NOW, playing(3)]]);
    await commitSlots(store, [
      [NOW - 2 * SLOT, playing(9)],
      [NOW + 2 * SLOT, playing(1)],
    ]);
    let allowed = 0;
    for (; ; allowed += 1) {
      let writes = 0;
      proxy.behave((req, res) => {
        if (req.url?.startsWith('/api/v2/write') !== true) return 'pass';
        writes += 1;
        if (writes <= allowed) return 'pass';
        res.writeHead(503).end();
        return undefined;
      });
      const failed = await isUnavailable(join());
      if (!failed) break;
      expect((await store.siteSnapshots(EVER)).map(({ slot }) => slot)).not.toContain(NOW);
    }
    expect(allowed).toBeGreaterThan(2);
    proxy.behave(() => 'pass');
    const run = { titleId: HARBOR, startedAt: NOW - 2 * SLOT, endedAt: NOW + 2 * SLOT, maxPlayers: 8, players: 1 };
    expect((await store.runsBetween(0, EVER.until)).toSorted((a, b) => b.peakPlayers - a.peakPlayers)).toEqual([
      { ...run, host: 'Ada', peakPlayers: 9 },
      { ...run, host: 'Bob', peakPlayers: 1 },
    ]);
    const whole = await state();
    await join();
    expect(await state()).toEqual(whole);
  });

  it('and carries out late what was given up writes nothing old over what is newer', async () => {
    const patience = { readMs: 10_000, writeMs: PATIENCE_MS, overdue: { settleMs: 0 } };
    const waiting = await buckets.open({ url: proxy.url, ...patience, waitMs: 10_000 });
    const take = (slot: number) =>
      storeSlots(waiting, [{ observation: observation(slot, playing(3)), past: true }], NOW);
    const held = holdingOne(proxy, testServers().influxdb.url);
    expect(await isUnavailable(take(NOW))).toBe(true);
    expect(await isUnavailable(take(NOW - SLOT))).toBe(true);
    await held.carryOut();
    await take(NOW - SLOT);
    await take(NOW);
    const runs = await store.runsBetween(0, EVER.until);
    expect(runs.map(({ host, startedAt, endedAt }) => [host, startedAt, endedAt]).sort()).toEqual([
      ['Ada', NOW - SLOT, NOW],
      ['Bob', NOW - SLOT, NOW],
    ]);
    await waiting.close();
  });

  it('and shows a slot that it has refused to write has not stored it', async () => {
    const take = () =>
      storeSlots(store, [{ observation: observation(NOW, { ...playing(3), registered: 7 }), past: false }], NOW);
    await take();
    const titles = [{ titleId: HARBOR, name: 'Harbor Racing' }];
    await store.putTitleNames(1, titles);
    proxy.behave(answering('writes', 500, '{"message":"engine: error writing WAL entry: no space left on device"}'));
    expect(await store.siteOnline(EVER)).toEqual([[NOW, 3]]);
    expect(await isUnavailable(take())).toBe(true);
    expect(await isUnavailable(store.putRegistered([{ day: TODAY, registered: 7, seenAt: NOW }]))).toBe(true);
    expect(await isUnavailable(store.putTitleNames(1, titles))).toBe(true);
    proxy.behave(() => 'pass');
    expect(await take()).toMatchObject({ stored: 0, repeated: 1 });
  });
});
