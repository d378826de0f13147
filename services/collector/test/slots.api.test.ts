import { SLOT_SECONDS, type ObservedMetadata } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { lobbiesOf } from '../src/domain/slot-observation.ts';
import { setStage, SLOT, sorted, truthOf, type Stage } from './running-collector.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.close());

const activeTitles = () => stage.world.observe(SLOT).titles.filter(({ sessions }) => sessions > 0);

/** Moves everybody's clock, and lets the collectors see it. */
async function at(seconds: number, ...collectors: { tick(): Promise<void> }[]): Promise<void> {
  stage.clock.nowMs = seconds * 1000;
  for (const collector of collectors) await collector.tick();
}

describe('a slot', () => {
  it('is said once, as the network was', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    await stage.pagesRead();
    await collector.tick();
    expect(stage.slots).toMatchObject([
      { id: 'slot.observed:simulated:2026-01-15T18:05:00Z', past: false, occurredAt: '2026-01-15T18:05:00Z' },
    ]);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([truthOf(stage.world, SLOT)]);
    expect(collector.status.lastSlot).toMatchObject({ slot: '2026-01-15T18:05:00Z', missing: 0 });
  });

  it('is followed by the next, and asks for no page that nobody plays', async () => {
    const collector = await stage.collector();
    await stage.until(() => stage.slots.length === 1);
    await stage.pagesRead();
    const before = await stage.requests();
    const next = SLOT + SLOT_SECONDS;
    await at(next, collector);
    await stage.until(() => stage.slots.length === 2);
    expect(stage.slots.map(({ data }) => sorted(data))[1]).toEqual(truthOf(stage.world, next));
    const active = stage.world.observe(next).titles.filter(({ sessions }) => sessions > 0);
    const after = await stage.requests();
    expect(after.total - before.total).toBe(active.length + 1);
  });

  it('is shared by replicas: every page is read once, by one of them', async () => {
    await Promise.all([stage.collector(), stage.collector(), stage.collector()]);
    await stage.until(() => stage.slots.length > 0);
    await stage.pagesRead();
    const { byPath, maxConcurrentByPath } = await stage.requests();
    const titles = stage.world.observe(SLOT).titles.length;
    expect(Object.values(byPath)).toEqual(Array<number>(titles + 1).fill(1));
    expect(new Set(Object.values(maxConcurrentByPath))).toEqual(new Set([1]));
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([truthOf(stage.world, SLOT)]);
  });

  it('lacks the titles whose pages could not be had, and has no lobby count then', async () => {
    const [lost] = activeTitles();
    await stage.faults({ path: `/games/${lost?.titleId}`, kind: 'status', status: 500 });
    const collector = await stage.collector();
    await stage.poll(async () => (await stage.store.slots.awaited(SLOT)).length === 1);
    await at(SLOT + 120, collector);
    await stage.until(() => stage.slots.length > 0);
    const truth = truthOf(stage.world, SLOT);
    const titles = truth.titles.map((title) => (title.titleId === lost?.titleId ? { ...title, matches: null } : title));
    const said = stage.slots.map(({ data }) => data);
    expect(said.map(sorted)).toEqual([{ ...truth, titles }]);
    expect(said.map(lobbiesOf)).toEqual([null]);
  });

  it('is not said at all when the homepage could not be had', async () => {
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

  it('is never collected later when nobody was there', async () => {
    stage.clock.nowMs = (SLOT + 120) * 1000;
    const collector = await stage.collector();
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(await stage.store.slots.state(SLOT)).toBeUndefined();
    expect(stage.slots).toMatchObject([{ data: { slot: '2026-01-15T18:10:00Z' } }]);
  });

  it('is collected after a clock was ahead and opened later ones in vain', async () => {
    await stage.faults({ path: '/', kind: 'status', status: 500 });
    stage.clock.nowMs = (SLOT + 2400) * 1000;
    const collector = await stage.collector();
    await at(SLOT + 2400 + 120, collector);
    await collector.tick();
    expect(await stage.store.slots.state(SLOT + 2400)).toBe('missed');
    await stage.faults();
    await at(SLOT + 1, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([truthOf(stage.world, SLOT)]);
  });

  it('is read when a network has begun it too whose clock is behind by what is tolerated', async () => {
    stage.clock.nowMs = (SLOT + 1.9) * 1000;
    await stage.faults({ path: '*', kind: 'clock-skew', ms: -2000 });
    const collector = await stage.collector({ env: { NETWORK_CLOCK_TOLERANCE_SECONDS: '2' } });
    await collector.tick();
    expect(await stage.store.slots.state(SLOT)).toBeUndefined();
    await at(SLOT + 2, collector);
    await stage.until(() => stage.slots.length > 0);
    expect(collector.status).toMatchObject({ pagesFailed: 0, lastSlot: { missing: 0 } });
  });

  it('asks for metadata as long as it lasts, though it is said already', async () => {
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

  it('is never opened behind one that was said, when the clock is set back', async () => {
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

describe('faults of the network', () => {
  const faults = [
    { path: '*', kind: 'truncate', probability: 0.5 },
    { path: '*', kind: 'markup', probability: 0.5 },
    { path: '*', kind: 'markup', severity: 'harmless' },
    { path: '*', kind: 'status', status: 503, probability: 0.5 },
    { path: '*', kind: 'close', probability: 0.5 },
    { path: '*', kind: 'content-type', probability: 0.5 },
    { path: '*', kind: 'clock-skew', ms: -600_000, probability: 0.5 },
  ];

  it.each(faults)('are ridden out within the slot, and never make a wrong number: %p', async (fault) => {
    await stage.faults(fault);
    await stage.collector();
    await stage.until(() => stage.slots.length > 0);
    expect(stage.slots.map(({ data }) => sorted(data))).toEqual([truthOf(stage.world, SLOT)]);
  });

  it('that don’t end make gaps, never a wrong number', async () => {
    await stage.faults({ path: '*', kind: 'markup', severity: 'breaking' }, { path: '/', kind: 'truncate', times: 1 });
    const collector = await stage.collector();
    await at(SLOT + 120, collector);
    await collector.tick();
    const truth = truthOf(stage.world, SLOT);
    const said = stage.slots.map(({ data }) => sorted(data));
    const honest = said.map(({ titles, ...site }) => ({
      ...site,
      titles: titles.map((title, index) => (title.matches === null ? truth.titles[index] : title)),
    }));
    expect(honest).toEqual(said.map(() => truth));
  });
});
