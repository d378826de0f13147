import { SLOT_MATCHES_MAX, SLOT_SECONDS, slotOf, type ObservedMetadata } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { lobbiesOf } from '../src/network/slot-observation.ts';
import { html, mockPage, NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';
import { sorted, expectedObservation } from './run-slots.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const activeTitles = () => stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions > 0);

/** Moves the shared clock and runs a tick of each collector. */
async function at(seconds: number, ...collectors: { tick(): Promise<void> }[]): Promise<void> {
  stage.clock.nowMs = seconds * 1000;
  for (const collector of collectors) await collector.tick();
}

describe('a withdrawal that an operator has asked for', () => {
  it('is published once by the leading collector, which forgets its titles', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    await stage.pagesRead();
    const [titleId = ''] = [...(await stage.store.titles.all()).keys()];
    const slot = '2026-01-15T18:00:00Z';
    const withdrawal = { withdrawnAt: slot, slots: { from: slot, to: slot }, titleIds: [titleId] };
    await stage.store.withdrawals.add(withdrawal);
    await collector.tick();
    await collector.tick();
    await stage.until(() => stage.withdrawals.length > 0);
    expect(stage.withdrawals).toMatchObject([{ data: withdrawal, occurredAt: slot, past: true }]);
    expect(await stage.store.titles.get(titleId)).toBeUndefined();
    expect(await stage.store.withdrawals.pending()).toEqual(new Map());
  });
});

describe('collecting a slot', () => {
  it('publishes a slot once, with the state of the network', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    await stage.pagesRead();
    await collector.tick();
    expect(stage.slots).toMatchObject([
      { id: 'slot.observed:simulated:2026-01-15T18:05:00Z', past: false, occurredAt: '2026-01-15T18:05:00Z' },
    ]);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([expectedObservation(stage.world, SLOT)]);
    expect(collector.status.lastSlot).toMatchObject({ slot: '2026-01-15T18:05:00Z', missing: 0 });
  });

  it('requests only pages of active titles in the next slot', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length === 1);
    await stage.pagesRead();
    const before = await stage.requests();
    const next = SLOT + SLOT_SECONDS;
    await at(next, collector);
    await stage.until(() => stage.slots.length === 2);
    expect(stage.slots.map(({ data }) => sorted(data))[1]).toEqual(expectedObservation(stage.world, next));
    const active = stage.world.observe(next).titles.filter(({ sessions }) => sessions > 0);
    const after = await stage.requests();
    expect(after.total - before.total).toBe(active.length + 1);
  });

  it('shares the pages of a slot between replicas, each read once', async () => {
    await Promise.all([stage.collector(), stage.collector(), stage.collector()]);
    await stage.until(() => stage.slots.length > 0);
    await stage.pagesRead();
    const { byPath, maxConcurrentByPath } = await stage.requests();
    const titles = stage.world.observe(SLOT).titles.length;
    expect(Object.values(byPath)).toEqual(Array<number>(titles + 1).fill(1));
    expect(new Set(Object.values(maxConcurrentByPath))).toEqual(new Set([1]));
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([expectedObservation(stage.world, SLOT)]);
  });

  it('publishes null matches and no lobby count when a title page is unavailable', async () => {
    const [lost] = activeTitles();
    await stage.faults({ path: `/games/${lost?.titleId}`, kind: 'status', status: 500 });
    const collector = await stage.collector();
    await stage.poll(async () => (await stage.store.slots.awaitedTitles(SLOT)).length === 1);
    await at(SLOT + 120, collector);
    await stage.until(() => stage.slots.length > 0);
    const truth = expectedObservation(stage.world, SLOT);
    const titles = truth.titles.map((title) => (title.titleId === lost?.titleId ? { ...title, matches: null } : title));
    const observations = stage.slots.map(({ data }) => data);
    expect(observations.map(sorted)).toEqual([{ ...truth, titles }]);
    expect(observations.map(lobbiesOf)).toEqual([null]);
  });

  it('publishes null matches, and raises an alert, when a title has absurdly many', async () => {
    const [crowded] = activeTitles();
    mockPage(`/games/${crowded?.titleId}`, stage.url, async (request) => {
      const body = await fetch(request.url.replace(NETWORK, stage.url)).then((response) => response.text());
      const rows = '<tr><td>Crowd</td><td class="text-right">1/2</td></tr>'.repeat(SLOT_MATCHES_MAX);
      return html(body.replace('</tbody>', `${rows}</tbody>`));
    });
    const metrics = createMetrics('collector');
    await stage.collector({ metrics, env: { NETWORK_URL: NETWORK } });
    await stage.until(() => stage.slots.length > 0);
    const truth = expectedObservation(stage.world, SLOT);
    const titles = truth.titles.map((title) =>
      title.titleId === crowded?.titleId ? { ...title, matches: null } : title,
    );
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([{ ...truth, titles }]);
    expect(await metrics.registry.metrics()).toMatch(/lobbystats_matches_refused_total\{[^}]*\} 100\d\d/);
  });

  it('publishes no slot when the homepage is unreadable until the deadline', async () => {
    await stage.faults({ path: '/', kind: 'truncate', ends: 'cleanly' });
    const collector = await stage.collector();
    await at(SLOT + 120, collector);
    await collector.tick();
    expect(await stage.store.slots.state(SLOT)).toBe('missed');
    expect(stage.slots).toEqual([]);
    await stage.faults();
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(stage.slots).toMatchObject([{ data: { slot: '2026-01-15T18:10:00Z' } }]);
  });

  it('publishes a count far from those of the last hour once a later reading confirms it', async () => {
    let online = '';
    mockPage('/', stage.url, async (request) => {
      const body = await fetch(request.url.replace(NETWORK, stage.url)).then((response) => response.text());
      const shown = stage.world.observe(slotOf(stage.clock.nowMs / 1000)).online.toLocaleString('en');
      return html(online === '' ? body : body.replaceAll(`>${shown}<`, `>${online}<`));
    });
    const collector = await stage.collector({ env: { NETWORK_URL: NETWORK } });
    for (let slot = 1; slot <= 3; slot += 1) {
      await stage.until(() => stage.slots.length === slot);
      if (slot < 3) await at(SLOT + slot * SLOT_SECONDS, collector);
    }
    online = '99,999';
    const failed = collector.status.pagesFailed;
    const opened = at(SLOT + 3 * SLOT_SECONDS, collector);
    await stage.poll(() => Promise.resolve(collector.status.pagesFailed > failed));
    expect(stage.slots).toHaveLength(3);
    stage.clock.nowMs += 30_000;
    await opened;
    await stage.until(() => stage.slots.length === 4);
    expect(stage.slots[3]).toMatchObject({ data: { slot: '2026-01-15T18:20:00Z', online: 99_999 } });
  });

  it('never collects a slot after its deadline when no collector was running', async () => {
    stage.clock.nowMs = (SLOT + 120) * 1000;
    const collector = await stage.collector();
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(await stage.store.slots.state(SLOT)).toBeUndefined();
    expect(stage.slots).toMatchObject([{ data: { slot: '2026-01-15T18:10:00Z' } }]);
  });

  it('collects the current slot after a clock that was ahead opened later slots', async () => {
    await stage.faults({ path: '/', kind: 'status', status: 500 });
    stage.clock.nowMs = (SLOT + 2400) * 1000;
    const collector = await stage.collector();
    await at(SLOT + 2400 + 120, collector);
    await collector.tick();
    expect(await stage.store.slots.state(SLOT + 2400)).toBe('missed');
    await stage.faults();
    await at(SLOT + 1, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([expectedObservation(stage.world, SLOT)]);
  });

  it('starts reading after NETWORK_CLOCK_TOLERANCE_SECONDS when the network clock is behind', async () => {
    stage.clock.nowMs = (SLOT + 1.9) * 1000;
    await stage.faults({ path: '*', kind: 'clock-skew', ms: -2000 });
    const collector = await stage.collector({ env: { NETWORK_CLOCK_TOLERANCE_SECONDS: '2' } });
    await collector.tick();
    expect(await stage.store.slots.state(SLOT)).toBeUndefined();
    await at(SLOT + 2, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(collector.status).toMatchObject({ pagesFailed: 0, lastSlot: { missing: 0 } });
  });

  it('retries metadata until the end of the slot after the slot is published', async () => {
    const [idle] = stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions === 0);
    await stage.faults({ path: `/games/${idle?.titleId}`, kind: 'status', status: 500 });
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    await at(SLOT + 120, collector);
    const before = (await stage.requests()).total;
    await stage.poll(async () => (await stage.requests()).total > before + 1);
    await stage.faults();
    const saysMore = ({ titleId, page }: ObservedMetadata) => titleId === idle?.titleId && page !== undefined;
    await stage.until(() => stage.titles.some(({ data }) => data.titles.some(saysMore)));
    expect(stage.slots).toHaveLength(1);
  });

  it('opens no slot before a published one when the clock is set back', async () => {
    const metrics = createMetrics('collector');
    const collector = await stage.collector({ metrics });
    await stage.until(() => stage.slots.length === 1);
    await at(SLOT - 600, collector, collector);
    await at(SLOT, collector);
    expect(await stage.store.slots.state(SLOT - 600)).toBeUndefined();
    expect(await metrics.registry.metrics()).toMatch(/^lobbystats_slots_total\{outcome="skipped",.*\} 1$/m);
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.slots.length === 2);
    expect(stage.slots[1]).toMatchObject({ data: { slot: '2026-01-15T18:10:00Z' } });
  });
});

describe('network faults', () => {
  const faults = [
    { path: '*', kind: 'truncate', probability: 0.5 },
    { path: '*', kind: 'markup', probability: 0.5 },
    { path: '*', kind: 'markup', severity: 'harmless' },
    { path: '*', kind: 'status', status: 503, probability: 0.5 },
    { path: '*', kind: 'close', probability: 0.5 },
    { path: '*', kind: 'content-type', probability: 0.5 },
    { path: '*', kind: 'clock-skew', ms: -600_000, probability: 0.5 },
  ];

  it.each(faults)('do not change the published slot when transient: %p', async (fault) => {
    await stage.faults(fault);
    await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([expectedObservation(stage.world, SLOT)]);
  });

  it('cause missing titles but no wrong number when permanent', async () => {
    await stage.faults({ path: '*', kind: 'markup', severity: 'breaking' }, { path: '/', kind: 'truncate', times: 1 });
    const collector = await stage.collector();
    await at(SLOT + 120, collector);
    await collector.tick();
    const truth = expectedObservation(stage.world, SLOT);
    const observations = stage.slots.map(({ data }) => sorted(data));
    const honest = observations.map(({ titles, ...site }) => ({
      ...site,
      titles: titles.map((title, index) => (title.matches === null ? truth.titles[index] : title)),
    }));
    expect(honest).toEqual(observations.map(() => truth));
  });
});
