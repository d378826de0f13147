import { DAY_SECONDS, SLOT_SECONDS, TITLES_MAX } from '@lobbystats/contracts';
import { openSqliteCollectorStore } from '../src/collector-store.sqlite.ts';
import type { CollectorStore } from '../src/collector-store.ts';
import type { HomepageReading } from '../src/network/network.ts';
import { createTitleAdmission, type AdmitTitles } from '../src/titles/title-admission.ts';
import { silentTelemetry } from './silent-telemetry.ts';

const NOON = Date.UTC(2026, 0, 15, 12) / 1000;

let store: CollectorStore;
let admit: AdmitTitles;
let refused: number;
beforeEach(() => {
  store = openSqliteCollectorStore('sqlite::memory:', 'simulated');
  refused = 0;
  admit = createTitleAdmission(store.titles, {
    ...silentTelemetry,
    titlesRefused: (_slot, count) => (refused += count),
  });
});
afterEach(() => store.close());

describe('titles of a homepage', () => {
  it('are all admitted at the first start, up to the limit of a network', async () => {
    expect(await admitted(NOON, 0, TITLES_MAX + 10)).toBe(TITLES_MAX);
    expect(refused).toBe(10);
  });

  it('are known from then on, with or without a name', async () => {
    await admitted(NOON, 0, 40);
    expect((await store.titles.all()).size).toBe(40);
    expect(await admitted(NOON + SLOT_SECONDS, 0, 40)).toBe(40);
  });

  it('are refused and counted when absurdly many are new, while the known ones go on', async () => {
    await admitted(NOON, 0, 100);
    expect(await admitted(NOON + SLOT_SECONDS, 0, 161)).toBe(100);
    expect(refused).toBe(61);
    expect((await store.titles.all()).size).toBe(100);
    expect(await admitted(NOON + 2 * SLOT_SECONDS, 0, 160)).toBe(160);
  });

  it('do not grow faster when the new ones come a few at a time', async () => {
    await admitted(NOON, 0, 100);
    let size = 100;
    for (let slot = 1; slot <= 48; slot += 1) size = await admitted(NOON + slot * SLOT_SECONDS, 0, size + 7);
    expect(size).toBeGreaterThan(100);
    expect((await store.titles.all()).size).toBeLessThanOrEqual(160);
  });

  it('come little by little when the network lists so many day after day', async () => {
    await admitted(NOON, 0, 100);
    const midnight = NOON + DAY_SECONDS / 2;
    expect(await admitted(midnight, 0, 400)).toBe(160);
    expect(await admitted(midnight + SLOT_SECONDS, 0, 400)).toBe(160);
    expect(await admitted(midnight + DAY_SECONDS, 0, 400)).toBe(226);
  });

  it('stay bounded through hours of a homepage with other new titles in each slot, and leave nothing after the retention', async () => {
    await admitted(NOON, 0, 760);
    for (let slot = 1; slot <= 12 * 24; slot += 1) {
      const titles = [...listOf(0, 760), ...listOf(1_000_000 + slot * 750, 750)];
      await admit(NOON + slot * SLOT_SECONDS, page(titles));
    }
    expect((await store.titles.all()).size).toBeLessThanOrEqual(760 + 50 + 76);
    const later = NOON + 40 * DAY_SECONDS;
    expect(await admitted(later, 0, 760)).toBe(760);
    await store.titles.forgetUnseen(later - 30 * DAY_SECONDS);
    expect((await store.titles.all()).size).toBe(760);
  });
});

/** The number of admitted titles of a page that lists `count` titles. */
async function admitted(slot: number, first: number, count: number): Promise<number> {
  return (await admit(slot, page(listOf(first, count)))).titles.length;
}

function listOf(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (0x41560000 + first + index).toString(16).padStart(8, '0'));
}

function page(titleIds: readonly string[]): HomepageReading {
  const row = { name: '', publisher: '', productCode: '', image: '', online: 0, activity: null };
  return { registered: null, online: 0, titles: titleIds.map((titleId) => ({ titleId, ...row })) };
}
