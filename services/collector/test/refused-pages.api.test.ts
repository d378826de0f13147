import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, SLOT_SECONDS, sourcesChecked } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import { temporaryDirectory } from '@lobbystats/test-kit';
import type { Collector, CollectorOverrides } from '../src/service.ts';
import { expectedObservation, sorted, runSlots } from './run-slots.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

const slotAt = (index: number) => SLOT + index * SLOT_SECONDS;
/** Descriptions that fit no page of the network. */
const MISFITS = {
  homepage: { page: { counters: { online: 'Nobody calls it so' } } },
  titles: { page: { matches: { columns: { host: 'Nobody calls it so' } } } },
  leaderboards: { page: { entries: { columns: { rank: 'Nobody calls it so' } } } },
  events: { url: '/feeds/events.json', reading: { each: '/nowhere', id: '/id' } },
  players: { url: '/feeds/players.json', reading: { players: { each: '/nowhere' }, next: '/next' } },
};

let stage: Stage;
let file: string;
beforeEach(async () => {
  stage = await setStage({ titles: 6, openMatches: 6, boards: 60, entries: 600 });
  file = join(temporaryDirectory(), 'sources.json');
});
afterEach(() => stage.close());

function describeSources(...misfits: (keyof typeof MISFITS)[]): void {
  writeFileSync(file, JSON.stringify(Object.fromEntries(misfits.map((source) => [source, MISFITS[source]]))));
}

const start = (overrides: CollectorOverrides = {}) =>
  stage.collector({ env: { NETWORK_SOURCES_FILE: file }, ...overrides });

/** Runs a slot to its deadline. */
async function runToDeadline(slot: number, collector: Collector): Promise<void> {
  stage.clock.nowMs = (slot + 1) * 1000;
  const failed = collector.status.pagesFailed;
  const opened = collector.tick();
  // Each page that is refused is kept before the deadline: the homepage, or those of all games.
  const { titles } = expectedObservation(stage.world, slot);
  const pages =
    (JSON.parse(readFileSync(file, 'utf8')) as Partial<typeof MISFITS>).homepage === undefined ? titles.length : 1;
  await stage.poll(() => Promise.resolve(collector.status.pagesFailed >= failed + pages));
  stage.clock.nowMs = (slot + 120) * 1000;
  await opened;
  await collector.tick();
  // Metadata is asked for until the end of the slot.
  stage.clock.nowMs = (slot + SLOT_SECONDS - 1) * 1000;
  await stage.poll(async () => /^(?:published|missed)$/.test((await stage.store.slots.state(slot)) ?? ''));
  stage.clock.nowMs = (slot + SLOT_SECONDS) * 1000;
  await stage.pagesRead();
}

const dataOf = (slot: number) =>
  stage.slots.filter(({ data }) => data.slot === formatInstant(slot)).map(({ past, data }) => ({ past, data }));

describe('pages that their description refuses', () => {
  it('complete their slots once the description fits, without a restart', async () => {
    describeSources('titles');
    const collector = await start();
    for (const index of [0, 1]) await runToDeadline(slotAt(index), collector);
    await stage.until(() => stage.slots.length === 2);
    expect(stage.slots.every(({ data }) => data.titles.some(({ matches }) => matches === null))).toBe(true);
    describeSources();
    await runSlots(stage, { from: slotAt(2), to: slotAt(3) }, collector);
    await stage.until(() => stage.slots.length === 5);
    for (const index of [0, 1]) {
      const [
        ,
        {
          past,
          data: { replaces, ...data },
        },
      ] = dataOf(slotAt(index)) as [unknown, ReturnType<typeof dataOf>[0] & { data: { replaces?: string } }];
      expect({ past, replaces }).toEqual({ past: true, replaces: formatInstant(slotAt(2) + 1) });
      expect(sorted(data)).toEqual(expectedObservation(stage.world, slotAt(index)));
    }
    await runSlots(stage, { from: slotAt(3), to: slotAt(4) }, collector);
    expect(dataOf(slotAt(0))).toHaveLength(2);
  });

  it('are published by a collector that starts with a description that fits', async () => {
    describeSources('homepage');
    const first = await start();
    await runToDeadline(SLOT, first);
    expect(await stage.store.slots.state(SLOT)).toBe('missed');
    await first.stop();
    describeSources();
    await runSlots(stage, { from: slotAt(1), to: slotAt(2) }, await start());
    await stage.until(() => stage.slots.length === 2);
    const [{ past, data }] = dataOf(SLOT) as [ReturnType<typeof dataOf>[0]];
    const { titles, ...site } = expectedObservation(stage.world, SLOT);
    expect({ past, data: sorted(data) }).toMatchObject({ past: true, data: site });
    expect(data.titles).toHaveLength(titles.length);
  });

  it('are published if they are feeds or leaderboards of one page', async () => {
    describeSources('leaderboards', 'events', 'players');
    const collector = await start();
    await runSlots(stage, { from: slotAt(0), to: slotAt(2) }, collector);
    expect([...stage.boards, ...stage.events, ...stage.players]).toEqual([]);
    describeSources();
    // In the next pass: within one, leaderboards are read again.
    await runSlots(stage, { from: slotAt(12), to: slotAt(13) }, collector);
    const isPast = ({ past }: { past: boolean }) => past;
    await stage.until(() => [stage.boards, stage.events, stage.players].every((messages) => messages.some(isPast)));
    const times = [0, 1].map((index) => formatInstant(slotAt(index)));
    expect(stage.players.filter(isPast).map(({ data }) => data.seenAt)).toEqual(times);
    for (const { data } of stage.boards.filter(isPast)) {
      expect(times).toContain(data.seenAt);
      expect(data.board?.entries.length).toBeGreaterThan(0);
    }
  });

  it('are forgotten after a day, and read by no description that fits them as little', async () => {
    describeSources('titles');
    const collector = await start();
    await runToDeadline(SLOT, collector);
    describeSources('titles', 'events');
    await runToDeadline(slotAt(1), collector);
    expect((await stage.store.kept.due('another', slotAt(2))).length).toBeGreaterThan(1);
    expect(stage.slots).toHaveLength(2);
    await runToDeadline(slotAt(290), collector);
    expect((await stage.store.kept.due('another', slotAt(291)))[0]?.slot).toBe(slotAt(290));
  });

  it('leave the sources as they were while the file is none', async () => {
    describeSources();
    const collector = await start();
    writeFileSync(file, '{ "titles": ');
    await runSlots(stage, { from: slotAt(1), to: slotAt(2) }, collector);
    expect(dataOf(slotAt(1)).map(({ data }) => sorted(data))).toEqual([expectedObservation(stage.world, slotAt(1))]);
  });
});

describe('a source that is refused in two slots', () => {
  it('is told with what was found, until it is read again', async () => {
    const published = jest.spyOn(stage.bus, 'publish');
    const metrics = createMetrics('collector');
    describeSources('titles');
    const collector = await start({ metrics });
    await runToDeadline(slotAt(0), collector);
    expect(collector.status.refusedSources).toEqual([]);
    await runToDeadline(slotAt(1), collector);
    const refused = [
      { source: 'titles', since: formatInstant(SLOT), reason: expect.stringContaining('NETWORK_SOURCES_FILE') },
    ];
    expect(collector.status.refusedSources).toEqual(refused);
    expect(await metrics.registry.metrics()).toMatch(/^lobbystats_network_source_refused\{source="titles".*\} 1$/m);
    describeSources();
    await runSlots(stage, { from: slotAt(2), to: slotAt(3) }, collector);
    const told = published.mock.calls.flatMap(([type, data]) =>
      type.key === sourcesChecked.key ? [(data as typeof sourcesChecked.example).refused] : [],
    );
    expect(told).toEqual([[], refused, []]);
    expect(await metrics.registry.metrics()).not.toContain('network_source_refused{');
  });
});
