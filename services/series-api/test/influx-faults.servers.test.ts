import { hasCode } from '@lobbystats/contracts/errors';
import { testServers } from '@lobbystats/test-kit';
import type { SeriesStore } from '../src/open-store.ts';
import { storeSlots } from '../src/ingest/store-slots.ts';
import { commitSlots } from './commit-slots.ts';
import { createTestBuckets, type TestBuckets } from '../testing/influx-buckets.ts';
import { respondingWith, failing, holdFirstWrite, influxProxy, type InfluxProxy } from './influx-proxy.ts';
import { HARBOR, NOW, observation, RALLY, SLOT, TODAY, type SlotSketch } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };
const TIMEOUT_MS = 5000;
const RETENTION =
  '{"message":"partial write: dropped 2 points outside retention policy of duration 720h0m0s dropped=2"}';
const CONFLICT = '{"message":"partial write: field type conflict: input field \\"online\\" dropped=1"}';

const playing = (players: number): SlotSketch => ({
  online: players,
  registered: 7,
  titles: { [HARBOR]: { online: 1, matches: { Ada: players, Bob: 1 } }, [RALLY]: { matches: null } },
});

describe('failing InfluxDB', () => {
  let buckets: TestBuckets;
  let proxy: InfluxProxy;
  let store: SeriesStore;
  beforeEach(async () => {
    buckets = await createTestBuckets();
    proxy = await influxProxy(testServers().influxdb.url);
    const patience = { readMs: TIMEOUT_MS, writeMs: TIMEOUT_MS, overdue: { settleMs: 0, lostAfterMs: 0 } };
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
      store.newestLobbies([HARBOR], EVER),
    ]);

  const faults: [string, (which: 'writes' | 'reads') => Parameters<InfluxProxy['setBehaviour']>[0]][] = [
    ['answers 503', (which) => respondingWith(which, 503, '{"code":"unavailable","message":"busy"}')],
    ['answers 200 with an error inside', (which) => respondingWith(which, 200, '{"results":[{"error":"timeout"}]}')],
    ['no longer knows the token', (which) => respondingWith(which, 401, '{"code":"unauthorized"}')],
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

  it.each(faults)('when InfluxDB %s, a write is unavailable and succeeds after recovery', async (_what, fault) => {
    proxy.setBehaviour(fault('writes'));
    expect(await isUnavailable(commit())).toBe(true);
    proxy.setBehaviour(() => 'pass');
    expect(await store.slotBefore(NOW + 1)).toBeNull();
    const { slots } = await commit();
    expect(await store.siteSnapshots(EVER)).toEqual([slots[0]?.site]);
  });

  it.each(faults)(
    'when InfluxDB %s, reads and the health check are unavailable until recovery',
    async (_what, fault) => {
      await commit();
      proxy.setBehaviour(fault('reads'));
      expect(await isUnavailable(store.siteOnline(EVER))).toBe(true);
      expect(await isUnavailable(store.check())).toBe(true);
      proxy.setBehaviour(() => 'pass');
      expect(await store.siteOnline(EVER)).toEqual([[NOW, 3]]);
    },
  );

  it('a write succeeds when InfluxDB drops only expired points, and fails on a field conflict', async () => {
    proxy.setBehaviour(respondingWith('writes', 422, RETENTION));
    await expect(commit()).resolves.toBeDefined();
    proxy.setBehaviour(respondingWith('writes', 422, CONFLICT));
    await expect(commitSlots(store, [[NOW + SLOT, playing(1)]])).rejects.toThrow();
  });

  it('redelivery completes a slot after a failure between any two writes of its commit', async () => {
    const join = () => commitSlots(store, [[NOW, playing(3)]]);
    // The slot between the two without hosts makes one match of two: the second is removed.
    const empty: SlotSketch = { online: 1, registered: 7, titles: { [HARBOR]: { online: 1, matches: {} } } };
    await commitSlots(store, [
      [NOW - 2 * SLOT, playing(9)],
      [NOW - SLOT, empty],
      [NOW + SLOT, empty],
      [NOW + 2 * SLOT, playing(1)],
    ]);
    let allowed = 0;
    for (; ; allowed += 1) {
      let writes = 0;
      proxy.setBehaviour((req, res) => {
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
    proxy.setBehaviour(() => 'pass');
    const run = { titleId: HARBOR, startedAt: NOW - 2 * SLOT, endedAt: NOW + 2 * SLOT, maxPlayers: 8, players: 1 };
    expect((await store.runsBetween(0, EVER.until)).toSorted((a, b) => b.peakPlayers - a.peakPlayers)).toEqual([
      { ...run, host: 'Ada', peakPlayers: 9 },
      { ...run, host: 'Bob', peakPlayers: 1 },
    ]);
    const whole = await state();
    await join();
    expect(await state()).toEqual(whole);
  });

  it('a timed-out write that is executed late does not overwrite newer data', async () => {
    const patience = { readMs: 10_000, writeMs: TIMEOUT_MS, overdue: { settleMs: 0 } };
    const waiting = await buckets.open({ url: proxy.url, ...patience, waitMs: 10_000 });
    const take = (slot: number) =>
      storeSlots(waiting, [{ observation: observation(slot, playing(3)), past: true }], NOW);
    const held = holdFirstWrite(proxy, testServers().influxdb.url);
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

  it('a readable slot whose write failed is not treated as stored', async () => {
    const take = () =>
      storeSlots(store, [{ observation: observation(NOW, { ...playing(3), registered: 7 }), past: false }], NOW);
    await take();
    const titles = [{ titleId: HARBOR, name: 'Harbor Racing' }];
    await store.putTitleNames(1, titles);
    proxy.setBehaviour(
      respondingWith('writes', 500, '{"message":"engine: error writing WAL entry: no space left on device"}'),
    );
    expect(await store.siteOnline(EVER)).toEqual([[NOW, 3]]);
    expect(await isUnavailable(take())).toBe(true);
    expect(await isUnavailable(store.putRegistered([{ day: TODAY, registered: 7, seenAt: NOW }]))).toBe(true);
    expect(await isUnavailable(store.putTitleNames(1, titles))).toBe(true);
    proxy.setBehaviour(() => 'pass');
    expect(await take()).toMatchObject({ stored: 0, repeated: 1 });
  });
});
