import { backfillProgressed, operations, slotStored, sourcesChecked, type BackfillPart } from '@lobbystats/contracts';
import { eventually } from '@lobbystats/test-kit';
import { HARBOR } from './network.ts';
import { readPage } from './page-text.ts';
import { runWithEvents } from './running-events.ts';
import { runGateway, type RunningGateway } from './running-gateway.ts';

const CACHE_BYTES = String(1024 * 1024);

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = await runGateway({ env: { CACHE_BYTES } });
});

const publish = (...parts: BackfillPart[]) =>
  Promise.all(parts.map((part) => gateway.bus.publish(backfillProgressed, part)));
const statusOf = async (of: RunningGateway) => {
  const { status, body } = await of.request(operations.getStatus.path);
  expect(status).toBe(200);
  return operations.getStatus.response.parse(body);
};
type Status = Awaited<ReturnType<typeof statusOf>>;
const expectStatus = (expected: Partial<Status>, of = gateway) =>
  eventually(async () => expect(await statusOf(of)).toMatchObject(expected));

const snapshots = { part: 'snapshots', done: 1031, total: 8640 } as const;
const leaderboards = { part: 'leaderboards', done: 12, total: 168 } as const;

describe('GET /api/status', () => {
  it('knows no backfill before the collector announces one', async () => {
    expect(await statusOf(gateway)).toEqual({
      isBackfilling: false,
      backfill: [],
      missingSources: [],
      refusedSources: [],
      network: { state: 'up', since: null, newestSlot: null },
    });
  });

  it('shows the newest progress of each part', async () => {
    await publish(leaderboards, snapshots);
    await expectStatus({ isBackfilling: true, backfill: [snapshots, leaderboards] });
    await publish({ ...snapshots, done: 1319 });
    await expectStatus({ isBackfilling: true, backfill: [{ ...snapshots, done: 1319 }, leaderboards] });
  });

  it('tells that the network does not answer, on every page', async () => {
    const stripOf = async (path: string) => (await readPage(gateway, path)).texts('#outage');
    await gateway.bus.publish(slotStored, { slot: '2026-01-31T14:10:00Z', online: 3, lobbies: null });
    for (const failingSince of ['2026-01-31T14:15:00Z', '2026-01-31T14:20:00Z'])
      await gateway.bus.publish(sourcesChecked, { missing: [], failingSince });
    const newestSlot = '2026-01-31 14:10:00';
    await expectStatus({ network: { state: 'failing', since: '2026-01-31 14:15:00', newestSlot } });
    for (const path of ['/', '/games', `/game/${HARBOR.titleId}`, '/live'])
      expect(await stripOf(path)).toEqual(['The network has not answered since 31 Jan 2026, 14:15 UTC.']);
    await gateway.bus.publish(sourcesChecked, { missing: [], failingSince: null });
    await expectStatus({ network: { state: 'up', since: null, newestSlot } });
    for (const path of ['/', '/games']) await eventually(async () => expect(await stripOf(path)).toEqual([]));
  });

  it('tells on every page which pages are not understood, and by what line they would be', async () => {
    const reason = 'no heading "Host". Line for NETWORK_SOURCES_FILE: "titles": {}';
    const refused = (['homepage', 'titles'] as const).map((source) => ({
      source,
      since: '2026-01-31T14:15:00Z',
      reason,
    }));
    const failingSince = '2026-01-31T14:15:00Z';
    await gateway.bus.publish(sourcesChecked, { missing: [], refused, failingSince });
    await expectStatus({ refusedSources: refused.map((each) => ({ ...each, since: '2026-01-31 14:15:00' })) });
    const page = await readPage(gateway, '/games');
    expect(page.texts('#refused p')).toEqual([
      `The network’s homepage can’t be read since 31 Jan 2026, 14:15 UTC: ${reason}`,
      `The network’s pages of games, with open matches can’t be read since 31 Jan 2026, 14:15 UTC: ${reason}`,
    ]);
    expect(page.texts('#outage')).toEqual([]);
    await gateway.bus.publish(sourcesChecked, { missing: [], failingSince: null });
    await eventually(async () => expect((await readPage(gateway, '/games')).texts('#refused')).toEqual([]));
  });

  it('shows the backfill on every page', async () => {
    await publish(snapshots);
    for (const path of ['/', '/games', '/changes'])
      await eventually(async () => expect((await readPage(gateway, path)).texts('#backfill progress')).toHaveLength(1));
  });

  it('is finished when all parts are', async () => {
    const parts = [snapshots, leaderboards].map((part) => ({ ...part, done: part.total }));
    await publish(...parts);
    await expectStatus({ isBackfilling: false, backfill: parts });
  });

  it('is known to a gateway that starts later', async () => {
    await publish(snapshots);
    const later = await runGateway({ overrides: { bus: gateway.bus } });
    await expectStatus({ isBackfilling: true, backfill: [snapshots] }, later);
  });

  it('shows what the network lacks, until it is there again', async () => {
    const [missing] = sourcesChecked.example.missing;
    await gateway.bus.publish(sourcesChecked, { missing: [missing!] });
    await expectStatus({ missingSources: [{ ...missing!, since: '2026-01-31 18:05:02' }] });
    const page = await readPage(gateway, '/network');
    expect(page.texts('.missing-sources li')).toEqual([
      'The network offers no list of the users online, since 31 Jan 2026, 18:05 UTC (status 404).',
    ]);
    await gateway.bus.publish(sourcesChecked, { missing: [] });
    await expectStatus({ missingSources: [] });
  });

  it('is the reason why lists are empty, on every page that has them', async () => {
    gateway = await runWithEvents([], { env: { CACHE_BYTES } });
    const emptyOn = async (path: string) => (await readPage(gateway, path)).texts('.empty');
    for (const path of ['/', '/events']) {
      expect((await emptyOn(path)).join()).toMatch(/No event/);
      expect((await emptyOn(path)).join()).not.toContain('The network offers');
    }
    const since = '2026-01-31T18:05:02Z';
    await gateway.bus.publish(sourcesChecked, { missing: [{ source: 'events', since, reason: 'status 404' }] });
    for (const path of ['/', '/events', '/events?status=past&offset=25']) {
      await eventually(async () => expect(await emptyOn(path)).toContain('The network offers no list of events'));
      expect((await emptyOn(path)).join()).not.toMatch(/No event/);
    }
  });

  it('must be revalidated by clients', async () => {
    const { headers } = await gateway.request(operations.getStatus.path);
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const again = { headers: { 'If-None-Match': String(headers.etag) } };
    expect((await gateway.request(operations.getStatus.path, again)).status).toBe(304);
    await publish(snapshots);
    await eventually(async () => expect((await gateway.request(operations.getStatus.path, again)).status).toBe(200));
  });
});
