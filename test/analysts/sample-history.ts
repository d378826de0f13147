import { DAY_SECONDS, SLOT_SECONDS } from '@lobbystats/contracts';
import { createSimulator, type SlotObservation } from '@lobbystats/simulator';
import { slotObservation, type SlotOptions } from '@lobbystats/test-kit';
import type { SeriesStore } from '../../services/series-api/src/domain/series-store.ts';
import { storeSlots } from '../../services/series-api/src/domain/store-slots.ts';
import { testBuckets, type TestBuckets } from '../../services/series-api/test/influx-buckets.ts';

/** The four weeks that the questions of docs/analysts.md are asked of, from a Monday to a Sunday. */
const FROM = Date.parse('2026-06-01T00:00:00Z') / 1000;
const DAYS = 28;
const END = FROM + DAYS * DAY_SECONDS;

/** A small network: enough of everything to ask about, and stored within seconds. */
const WORLD = { seed: 1, titles: 40, openMatches: 24, players: 4000, boards: 0, entries: 0 };

/** What a batch of series-api's consumer has. */
const SLOTS_AT_ONCE = 256;

/** Times in which nobody collected, and one in which a title's page could not be had. */
const AWAY = [
  ['2026-06-10T03:15:00Z', '2026-06-10T04:00:00Z'],
  ['2026-06-23T18:40:00Z', '2026-06-23T18:50:00Z'],
].map(span);
const UNREAD = span(['2026-06-17T11:00:00Z', '2026-06-17T11:15:00Z']);
const UNREAD_PLACE = 3;

/**
 * Fills two buckets with four weeks of the simulated network, as series-api does: its own use case stores what a collector
 * would have observed, in order, at the clock of the last slot. The same is filled each time.
 */
export async function fillSampleHistory(): Promise<TestBuckets> {
  const place = await testBuckets();
  try {
    const store = await place.open({ clock: () => END * 1000 });
    await storeNames(store);
    for (let slot = FROM; slot < END; slot += SLOTS_AT_ONCE * SLOT_SECONDS) {
      const length = Math.min(SLOTS_AT_ONCE, (END - slot) / SLOT_SECONDS);
      const slots = Array.from({ length }, (_, index) => slot + index * SLOT_SECONDS).filter((one) => !isIn(one, AWAY));
      const batch = slots.map((one) => ({ observation: observed(one), past: true }));
      await storeSlots(store, batch, END);
    }
    await store.close();
    return place;
  } catch (error) {
    await place.remove();
    throw error;
  }
}

const { world } = createSimulator(WORLD);

async function storeNames(store: SeriesStore): Promise<void> {
  const names = [FROM, END].flatMap((slot) => world.titlesAt(slot));
  await store.putTitleNames(1, [...new Map(names.map((title) => [title.titleId, title])).values()]);
}

function observed(slot: number): ReturnType<typeof slotObservation> {
  const { registered, online, titles } = world.observe(slot);
  return slotObservation({
    slot,
    registered,
    online,
    titles: titles.map((title, place) => titleOf(slot, title, place)),
  });
}

type Title = SlotObservation['titles'][number];

function titleOf(slot: number, title: Title, place: number): NonNullable<SlotOptions['titles']>[number] {
  const isUnread = place === UNREAD_PLACE && isIn(slot, [UNREAD]);
  // As a collector reads a page that doesn't say it.
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
