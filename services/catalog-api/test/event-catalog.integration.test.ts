import { AppError } from '@lobbystats/contracts/errors';
import { cleanUp } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { openSqliteCatalogStore } from '../src/open-store.ts';
import { ianaZones } from '../src/events/iana-zones.ts';
import type { Announcement } from '../src/events/event-announcement.ts';
import { EventCatalog } from '../src/events/event-catalog.ts';
import type { EventCommit, EventQueries } from '../src/events/events.queries.ts';
import { effectiveEnd } from '../src/events/event-times.ts';
import { startingAt } from './events.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;

function open() {
  const store = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  cleanUp(() => store.close());
  return { store, catalog: catalogOf(store.events) };
}

function catalogOf(store: EventQueries): EventCatalog {
  return new EventCatalog({ store, zones: ianaZones, clock: () => NOW * 1000, origin: 'simulated' });
}

/** The stored events and all published facts. */
async function stateOf({ store }: ReturnType<typeof open>) {
  const { events, seenAt, changedAt } = await store.events.readEvents();
  return { events, seenAt, changedAt, facts: await store.outbox.pending(1000) };
}

/** Announcements a few days apart, oldest first, of few events that begin some days before or after them. */
const announcements: fc.Arbitrary<Announcement[]> = fc
  .uniqueArray(fc.nat(60), { minLength: 1, maxLength: 6 })
  .chain((days) =>
    fc.tuple(
      ...days
        .sort((a, b) => b - a)
        .map((day) => {
          const seenAt = NOW - day * DAY;
          const event = fc
            .record({
              id: fc.nat(4),
              offset: fc.integer({ min: -40, max: 20 }),
              zone: fc.constantFrom('UTC', 'No/where'),
            })
            .map(({ id, offset, zone }) => startingAt(seenAt + offset * DAY, { id, event_timezone: zone }));
          return fc.array(event, { maxLength: 4 }).map((events) => ({ seenAt, events }));
        }),
    ),
  );

describe('new events', () => {
  const listOf = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => startingAt(NOW + DAY, { id: from + index + 1 }));
  const countStored = async ({ store }: ReturnType<typeof open>) => (await store.events.readEvents()).events.length;

  it('are all taken at the first start, and then up to the limit of a day', async () => {
    const opened = open();
    expect(await opened.catalog.observe({ seenAt: NOW - 900, events: listOf(0, 500) }, false)).toMatchObject({
      refused: 0,
    });
    const more = { seenAt: NOW - 600, events: listOf(0, 1000) };
    expect(await opened.catalog.observe(more, false)).toMatchObject({ changed: 150, refused: 350 });
    expect(await countStored(opened)).toBe(650);
  });

  it('stay bounded through hours of a feed with other events in each reading', async () => {
    const opened = open();
    let taken = 0;
    for (let reading = 0; reading < 16; reading += 1) {
      const events = listOf(reading * 2000, reading * 2000 + 2000);
      const { refused } = await opened.catalog.observe({ seenAt: NOW - DAY + reading * 900, events }, false);
      if (reading > 0) taken += events.length - refused;
    }
    expect(taken).toBeLessThanOrEqual(100 + 0.1 * 2000);
    expect(await countStored(opened)).toBeLessThanOrEqual(2000);
  });

  it('have bounded texts', async () => {
    const opened = open();
    const long = 'x'.repeat(300_000);
    const event = startingAt(NOW + DAY, {
      id: 7,
      title: long,
      description: long,
      banner_url: `https://a.example/${long}`,
    });
    await opened.catalog.observe({ seenAt: NOW, events: [event] }, false);
    const [stored] = (await opened.store.events.readEvents()).events;
    expect(stored?.event).toMatchObject({ title: 'x'.repeat(200), description: 'x'.repeat(5000), banner_url: '' });
  });
});

describe('EventCatalog.observe', () => {
  it('stores the same state when announcements are repeated or arrive late', async () => {
    const withEchoes = announcements.chain((all) =>
      fc.record({
        all: fc.constant(all),
        echoes: fc.tuple(...all.map((_, index) => fc.subarray(all.slice(0, index + 1)))),
      }),
    );
    await fc.assert(
      fc.asyncProperty(withEchoes, async ({ all, echoes }) => {
        const [once, often] = [open(), open()];
        for (const [index, announcement] of all.entries()) {
          await once.catalog.observe(announcement, false);
          for (const each of [announcement, ...echoes[index]!]) await often.catalog.observe(each, false);
        }
        expect(await stateOf(often)).toEqual(await stateOf(once));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps only announced and ended events, and publishes facts that add up to them', async () => {
    await fc.assert(
      fc.asyncProperty(announcements, async (all) => {
        const one = open();
        const startById = new Map<number, string>();
        for (const announcement of all) {
          await one.catalog.observe(announcement, false);
          const ids = new Set(announcement.events.map(({ id }) => id));
          const { events, facts } = await stateOf(one);
          for (const storedEvent of events) {
            expect(ids.has(storedEvent.event.id) || effectiveEnd(storedEvent) <= announcement.seenAt).toBe(true);
            expect(effectiveEnd(storedEvent) + 30 * DAY > announcement.seenAt).toBe(true);
          }
          startById.clear();
          for (const { data } of facts) {
            const { events: stored, withdrawn } = data as {
              events: { id: number; starts_at: string }[];
              withdrawn: number[];
            };
            for (const { id, starts_at } of stored) startById.set(id, starts_at);
            for (const id of withdrawn) startById.delete(id);
          }
          expect([...startById.keys()]).toEqual(expect.arrayContaining(events.map(({ event }) => event.id)));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('concurrent processes on one event store', () => {
  it('commits a concurrent announcement once and shows it in every process', async () => {
    const { store } = open();
    const replicas = [1, 2, 3].map(() => catalogOf(store.events));
    await Promise.all(replicas.map((one) => one.view()));
    const announcement = { seenAt: NOW, events: [startingAt(NOW, { id: 1 })] };
    const counts = await Promise.all(replicas.map((one) => one.observe(announcement, false)));
    expect(counts.map(({ changed }) => changed).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
    for (const one of replicas) expect((await one.view()).list(NOW)).toHaveLength(1);
    expect(await store.outbox.backlog()).toBe(1);
  });

  it('recomputes a change after a concurrent commit', async () => {
    const { store } = open();
    let interrupted = false;
    const busy: EventQueries = {
      ...store.events,
      commitEvents: async (change) => {
        if (!interrupted) {
          interrupted = true;
          await catalogOf(store.events).observe({ seenAt: NOW - 1, events: [startingAt(NOW, { id: 1 })] }, false);
        }
        return store.events.commitEvents(change);
      },
    };
    const later = { seenAt: NOW, events: [startingAt(NOW, { id: 2 })] };
    expect(await catalogOf(busy).observe(later, false)).toEqual({ changed: 2, skipped: 0, refused: 0 });
    const view = await catalogOf(store.events).view();
    expect(view.list(NOW).map(({ event }) => event.id)).toEqual([2]);
  });

  it('fails as unavailable when other commits always win', async () => {
    const { store } = open();
    const catalog = catalogOf({ ...store.events, commitEvents: () => Promise.resolve(false) });
    await expect(catalog.observe({ seenAt: NOW, events: [] }, false)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('failing event store', () => {
  it('changes nothing when the store fails, and succeeds on the next attempt', async () => {
    const { store } = open();
    const commitEvents = jest.fn((change: EventCommit) => store.events.commitEvents(change));
    commitEvents.mockRejectedValueOnce(new AppError('unavailable', 'away'));
    const catalog = catalogOf({ ...store.events, commitEvents });
    const announcement = { seenAt: NOW, events: [startingAt(NOW, { id: 1 })] };
    await expect(catalog.observe(announcement, false)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await catalog.view()).list(NOW)).toEqual([]);
    await catalog.observe(announcement, false);
    expect((await catalog.view()).list(NOW)).toHaveLength(1);
  });
});
