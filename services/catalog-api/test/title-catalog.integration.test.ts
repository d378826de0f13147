import type { GameMetadata, ObservedMetadata } from '@lobbystats/contracts';
import fc from 'fast-check';
import { openSqliteCatalogStore, type CatalogStore } from '../src/open-store.ts';
import type { TitleObservation } from '../src/titles/apply-observations.ts';
import { TitleCatalog, TITLES_PER_FACT } from '../src/titles/title-catalog.ts';
import type { TitleQueries } from '../src/titles/titles.queries.ts';

const NOW = 1_800_000_000;
let nowMs = NOW * 1000;
let store: CatalogStore;
let catalog: TitleCatalog;

beforeEach(() => {
  nowMs = NOW * 1000;
  ({ store, catalog } = open());
});
afterEach(() => store.close());

describe('TitleCatalog.observe', () => {
  it('gives the same titles for any order and repetition of observations', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ observations, delivered }) => {
        const inOrder = await stateAfter(observations);
        const shuffled = await stateAfter(delivered);
        expect(shuffled).toEqual(inOrder);
      }),
      { numRuns: 60 },
    );
  });

  it('publishes facts that reproduce the titles when applied by revision', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ delivered }) => {
        const one = open();
        for (const observation of delivered) await one.catalog.observe([observation], false);
        const publishedTitles = new Map<string, GameMetadata>();
        for (const { titles } of await factsIn(one.store)) {
          for (const title of titles) publishedTitles.set(title.titleId, title);
        }
        expect([...publishedTitles.values()].sort(byId)).toEqual((await one.catalog.view()).all().titles);
        await one.store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('replaces lone surrogates in names with U+FFFD', async () => {
    const restarted = titleCatalogWith(store.titles);
    await catalog.observe([home(NOW, { '4d530064': 'lone \ud83c surrogate' })], false);
    await restarted.observe([home(NOW + 1, { '4d530064': 'lone \ud83c surrogate' })], false);
    expect((await restarted.view()).get('4d530064')?.title.name).toBe('lone \ufffd surrogate');
    expect(await store.outbox.backlog()).toBe(1);
  });
});

describe('title facts', () => {
  it('splits facts by number of titles', async () => {
    const many = Object.fromEntries(
      Array.from({ length: TITLES_PER_FACT + 1 }, (_, i) => [i.toString(16).padStart(8, '0'), `Game ${i}`]),
    );
    await catalog.observe([home(NOW, many)], false);
    const facts = await factsIn(store);
    expect(facts.map(({ titles }) => titles.length)).toEqual([TITLES_PER_FACT, 1]);
    expect(facts[1]?.revision).toBeGreaterThan(facts[0]?.revision ?? Infinity);
    expect((await store.titles.read()).revision).toBe(facts[1]?.revision);
  });

  it('truncates very long texts and splits facts by size', async () => {
    const long = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [i.toString(16).padStart(8, '0'), `${i} ${'\0'.repeat(50_000)}`]),
    );
    await catalog.observe([home(NOW, long)], false);
    const facts = await factsIn(store);
    expect(facts.flatMap(({ titles }) => titles)).toHaveLength(200);
    expect(Math.max(...facts.map(({ titles }) => JSON.stringify(titles).length))).toBeLessThan(1_100_000);
  });

  it('increases revisions when the clock goes back and in a new store', async () => {
    await catalog.observe([home(NOW, { '4d530064': 'One' })], false);
    nowMs -= 600_000;
    await catalog.observe([home(NOW + 1, { '4d530064': 'Two' })], false);
    const [first, second] = await factsIn(store);
    expect(second?.revision).toBe((first?.revision ?? 0) + 1);
    nowMs += 601_000;
    const reopened = open();
    await reopened.catalog.observe([home(NOW, { '4d530064': 'One' })], false);
    expect((await factsIn(reopened.store))[0]?.revision).toBeGreaterThan(second?.revision ?? Infinity);
    await reopened.store.close();
  });
});

describe('concurrent processes on one title store', () => {
  it('shows the commits of every process and loses none', async () => {
    const other = titleCatalogWith(store.titles);
    await other.view();
    await Promise.all([
      catalog.observe([home(NOW, { '00000001': 'One' })], false),
      other.observe([home(NOW, { '00000002': 'Two' })], false),
    ]);
    for (const one of [catalog, other]) {
      expect((await one.view()).all().titles.map(({ name }) => name)).toEqual(['One', 'Two']);
    }
  });

  it('fails as unavailable when other commits always win', async () => {
    const busy: TitleQueries = Object.assign(Object.create(null), {
      ...facade(store.titles),
      commit: async () => false,
    });
    const observing = titleCatalogWith(busy).observe([home(NOW, { '00000001': 'One' })], false);
    await expect(observing).rejects.toMatchObject({ code: 'unavailable' });
  });
});

function open(): { store: CatalogStore; catalog: TitleCatalog } {
  const opened = openSqliteCatalogStore('sqlite::memory:', 'simulated');
  return { store: opened, catalog: titleCatalogWith(opened.titles) };
}

function titleCatalogWith(titles: TitleQueries): TitleCatalog {
  return new TitleCatalog({ store: titles, clock: () => nowMs, origin: 'simulated' });
}

/** Pending facts with their titles. */
async function factsIn({ outbox }: CatalogStore) {
  const facts = await outbox.pending(1000);
  return facts.map(({ data, ...fact }) => ({ ...fact, ...(data as { revision: number; titles: GameMetadata[] }) }));
}

function facade(of: TitleQueries): Pick<TitleQueries, 'revision' | 'read'> {
  return { revision: () => of.revision(), read: () => of.read() };
}

function home(seenAt: number, byId: Record<string, string>, fields: { publisher?: string } = {}): TitleObservation {
  const titles = Object.entries(byId).map(([titleId, name]) => ({
    titleId,
    home: { name, image: '/icon.png', publisher: 'Pier 9', productCode: '', ...fields },
  }));
  return { seenAt, titles };
}

async function stateAfter(observations: readonly TitleObservation[]) {
  const one = open();
  for (const observation of observations) await one.catalog.observe([observation], false);
  const { records } = await one.store.titles.read();
  const state = {
    parts: records.map(({ titleId, home: homePart, page }) => ({ titleId, homePart, page })).sort(byId),
    shown: (await one.catalog.view()).all().titles,
  };
  await one.store.close();
  return state;
}

function byId(a: { titleId: string }, b: { titleId: string }): number {
  return a.titleId < b.titleId ? -1 : 1;
}

const names = fc.constantFrom('Foo', 'FOO', 'Foo (00000002)', 'Bar', '__proto__', ' ', '🏁');
const texts = fc.constantFrom('', 'A', 'B');
const parts = fc.record({
  titleId: fc.constantFrom('00000001', '00000002', '00000003'),
  home: fc.option(fc.record({ name: names, image: texts, publisher: texts }), { nil: undefined }),
  page: fc.option(fc.record({ title: texts, publisher: texts, releaseDate: fc.constantFrom('', '2001-11-15') }), {
    nil: undefined,
  }),
}) as fc.Arbitrary<ObservedMetadata>;

/** Observations with few distinct times, delivered in any order, some repeatedly. */
const histories = fc
  .array(fc.record({ seenAt: fc.integer({ min: NOW - 3, max: NOW }), titles: fc.array(parts, { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((observations) =>
    fc.record({
      observations: fc.constant(observations),
      delivered: fc
        .tuple(fc.shuffledSubarray(observations, { minLength: observations.length }), fc.shuffledSubarray(observations))
        .map(([all, again]) => [...all, ...again]),
    }),
  );
