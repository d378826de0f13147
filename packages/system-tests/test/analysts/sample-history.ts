import { DAY_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator, type SlotObservation } from '@lobbystats/simulator';
import { slotObservation, type SlotOptions } from '@lobbystats/test-kit';
import type { SeriesStore } from '@lobbystats/series-api/series-store';
import { storeSlots } from '@lobbystats/series-api/store-slots';
import { createTestBuckets, type TestBuckets } from '@lobbystats/series-api/influx-buckets';

/** The four weeks of data for docs/analysts.md, from a Monday to a Sunday. */
const FROM = Date.parse('2026-06-01T00:00:00Z') / 1000;
const DAYS = 28;
const END = FROM + DAYS * DAY_SECONDS;

/** A small network that is stored within seconds. */
const WORLD = { seed: 1, titles: 40, openMatches: 24, players: 4000, boards: 0, entries: 0 };

/** Batch size of the series-api consumer. */
const SLOTS_AT_ONCE = 256;

/** Collector outages. */
const COLLECTOR_OUTAGES = [
  ['2026-06-10T03:15:00Z', '2026-06-10T04:00:00Z'],
  ['2026-06-23T18:40:00Z', '2026-06-23T18:50:00Z'],
].map(span);
const FAILED_PAGE_SPAN = span(['2026-06-17T11:00:00Z', '2026-06-17T11:15:00Z']);
const FAILED_PAGE_INDEX = 3;

/**
 * Stores four weeks of simulated slots in two buckets with the use case of series-api.
 * The data is the same each time.
 */
export async function fillSampleHistory(): Promise<TestBuckets> {
  const testBuckets = await createTestBuckets();
  try {
    const store = await testBuckets.open({ clock: () => END * 1000 });
    await storeNames(store);
    for (let slot = FROM; slot < END; slot += SLOTS_AT_ONCE * SLOT_SECONDS) {
      const length = Math.min(SLOTS_AT_ONCE, (END - slot) / SLOT_SECONDS);
      const slots = Array.from({ length }, (_, index) => slot + index * SLOT_SECONDS).filter(
        (one) => !isIn(one, COLLECTOR_OUTAGES),
      );
      const batch = slots.map((one) => ({ observation: observationOf(one), past: true }));
      await storeSlots(store, batch, END);
    }
    await store.close();
    return testBuckets;
  } catch (error) {
    await testBuckets.remove();
    throw error;
  }
}

const { world } = createSimulator(WORLD);

async function storeNames(store: SeriesStore): Promise<void> {
  const names = [FROM, END].flatMap((slot) => world.titlesAt(slot));
  await store.putTitleNames(1, [...new Map(names.map((title) => [title.titleId, title])).values()]);
}

function observationOf(slot: number): ReturnType<typeof slotObservation> {
  const { registered, online, titles } = world.observe(slot);
  return slotObservation({
    slot,
    registered,
    online,
    titles: titles.map((title, index) => titleOf(slot, title, index)),
  });
}

type Title = SlotObservation['titles'][number];

function titleOf(slot: number, title: Title, index: number): NonNullable<SlotOptions['titles']>[number] {
  const isUnread = index === FAILED_PAGE_INDEX && isIn(slot, [FAILED_PAGE_SPAN]);
  // As a collector reads a page without this number.
  const matches = title.matches.map((match) => ({ ...match, maxPlayers: match.maxPlayers ?? 0 }));
  return { ...title, matches: isUnread ? null : matches };
}

interface Span {
  fromInclusive: number;
  toExclusive: number;
}

function span([from = '', to = '']: string[]): Span {
  return { fromInclusive: Date.parse(from) / 1000, toExclusive: Date.parse(to) / 1000 };
}

function isIn(slot: number, spans: readonly Span[]): boolean {
  return spans.some(({ fromInclusive, toExclusive }) => slot >= fromInclusive && slot < toExclusive);
}
