import { formatInstant, operations } from '@lobbystats/contracts';
import {
  gameOf,
  gamesOf,
  homeTitles,
  NOW,
  runCatalog,
  titlesOf,
  waitUntil,
  type RunningCatalog,
} from './running-catalog.ts';

let catalog: RunningCatalog;
beforeEach(async () => {
  catalog = await runCatalog();
});
afterEach(() => catalog.stop());

const page = { title: 'Harbor Racing: Full Tilt', publisher: 'Pier 9', releaseDate: '2001-11-15' };

describe('title metadata', () => {
  it('combines the metadata of the homepage and of the title page', async () => {
    const home = { name: 'Harbor Racing', image: 'http://127.0.0.1/1.png', productCode: 'MS-100' };
    await catalog.observeHome({ '4d530064': home });
    const known = { titleId: '4d530064', ...home };
    expect((await catalog.get(gamePath('4d530064'))).body).toEqual({
      ...known,
      title: '',
      publisher: '',
      releaseDate: '',
    });
    await catalog.observe([{ titleId: '4d530064', page }]);
    expect((await catalog.get(gamePath('4d530064'))).body).toEqual({ ...known, ...page });
  });

  it('has an empty product code where the homepage shows none', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Harbor Racing' } });
    expect(gameOf(await catalog.get(gamePath('4d530064'))).productCode).toBe('');
  });

  it('prefers the publisher of the homepage', async () => {
    await catalog.observe([{ titleId: '4d530064', page }]);
    await catalog.observeHome({ '4d530064': { name: 'Harbor Racing', publisher: 'Quay Games' } });
    expect(gameOf(await catalog.get(gamePath('4d530064'))).publisher).toBe('Quay Games');
  });

  it('finds a title by an ID in any case', async () => {
    await catalog.observeHome({ '4D53006A': { name: 'Harbor Racing' } });
    expect(gameOf(await catalog.get(gamePath('4D53006a'))).titleId).toBe('4d53006a');
  });

  it.each(['4d530064', 'ffffffff', 'nonsense', '4d53006', '__proto__', '%00', '..%2f..%2f', '%F0%9F%8F%81'])(
    'returns 404 for a title that no homepage has named: %s',
    async (titleId) => {
      await catalog.observe([{ titleId: '4d530064', page }]);
      const { status, body } = await catalog.get(gamePath(titleId));
      expect(status).toBe(404);
      expect(body).toEqual({ error: expect.any(String) });
    },
  );

  it('sets Last-Modified to the last change of the title', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Before' } });
    catalog.clock.nowMs += 60_500;
    await catalog.observeHome({ '4d530064': { name: 'After' } }, { seenAt: NOW + 60 });
    catalog.clock.nowMs += 60_000;
    await catalog.observeHome({ '4d530064': { name: 'After' } }, { seenAt: NOW + 120 });
    const { headers } = await catalog.get(gamePath('4d530064'));
    expect(headers.get('last-modified')).toBe(new Date((NOW + 60) * 1000).toUTCString());
  });
});

describe('display name of a title', () => {
  it('a changed name appears in every response and in a fact', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Before' }, '4d530065': { name: 'Other' } });
    await catalog.observeHome({ '4d530064': { name: 'After' }, '4d530065': { name: 'Other' } }, { seenAt: NOW + 1 });
    expect(gameOf(await catalog.get(gamePath('4d530064'))).name).toBe('After');
    expect(await listedNames()).toEqual(['After', 'Other']);
    await waitUntil(() => catalog.facts.length === 2);
    expect(factNames(1)).toEqual({ '4d530064': 'After' });
  });

  it('the lower title ID gets the plain name, even if it is observed later', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Foo' }, '4d530065': { name: 'foo' } });
    expect(await listedNames()).toEqual(['Foo', 'foo (4d530065)']);
    await catalog.observeHome({ '00000001': { name: 'FOO' } });
    expect(await listedNames()).toEqual(['FOO', 'Foo (4d530064)', 'foo (4d530065)']);
    await waitUntil(() => catalog.facts.length === 2);
    expect(factNames(1)).toEqual({ '00000001': 'FOO', '4d530064': 'Foo (4d530064)' });
  });

  it('a title keeps its name when another would be qualified to the same name', async () => {
    await catalog.observeHome({
      '00000001': { name: 'Foo' },
      '4d530064': { name: 'Foo' },
      ffffffff: { name: 'Foo (4d530064)' },
    });
    expect(await listedNames()).toEqual(['Foo', 'Foo (4d530064)', 'Foo (4d530064) (4d530064)']);
    expect(gameOf(await catalog.get(gamePath('ffffffff'))).name).toBe('Foo (4d530064)');
  });

  it('a name may contain special characters', async () => {
    const awkward = [
      '"quotes" & \'apostrophes\'',
      '../..',
      'A/B',
      '__proto__',
      'constructor',
      'nul \0 inside',
      '\u{10ffff} astral',
      '\uffee before astral',
    ];
    const rows = Object.fromEntries(awkward.map((name, i) => [`0000000${i}`, { name }]));
    await catalog.observeHome(rows);
    expect(await listedNames()).toEqual([...awkward.slice(0, -2), '\uffee before astral', '\u{10ffff} astral']);
    expect(Object.prototype).not.toHaveProperty('name');
  });
});

describe('titles that the homepage no longer has', () => {
  const RETENTION = 30 * 86_400;
  const seenAt = NOW - 40 * 86_400;

  it('are in no list after 30 days, and come back when it has them again', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Rally' }, '54540001': { name: 'Harbor' } }, { seenAt });
    await catalog.observeHome({ '54540001': { name: 'Harbor' } }, { seenAt: seenAt + RETENTION });
    expect(await listedNames()).toEqual(['Harbor', 'Rally']);
    await catalog.observeHome({ '54540001': { name: 'Harbor' } }, { seenAt: seenAt + RETENTION + 1 });
    expect(await listedNames()).toEqual(['Harbor']);
    expect(titlesOf(await catalog.get(operations.listTitles.path)).map(({ titleId }) => titleId)).toEqual(['54540001']);
    expect((await catalog.get(gamePath('4d530064'))).status).toBe(404);
    await waitUntil(() => catalog.facts.length === 2);
    expect(catalog.facts.at(-1)?.data).toMatchObject({ titles: [], retired: ['4d530064'] });
    await catalog.observeHome({ '4d530064': { name: 'Rally' } }, { seenAt: NOW });
    expect(await listedNames()).toEqual(['Harbor', 'Rally']);
    await waitUntil(() => catalog.facts.length === 3);
    expect(catalog.facts.at(-1)?.data).toMatchObject({ titles: [{ name: 'Rally' }] });
  });

  it('all remain when the network is not reachable for longer', async () => {
    const rows = { '4d530064': { name: 'Rally' }, '54540001': { name: 'Harbor' } };
    await catalog.observeHome(rows, { seenAt });
    catalog.clock.nowMs += RETENTION * 10_000;
    expect(await listedNames()).toEqual(['Harbor', 'Rally']);
    await catalog.observeHome(rows, { seenAt: NOW });
    expect(await listedNames()).toEqual(['Harbor', 'Rally']);
  });

  it('release their name to another title', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Rally' } }, { seenAt });
    await catalog.observeHome({ '54540001': { name: 'Rally' } }, { seenAt: NOW });
    expect(await listedNames()).toEqual(['Rally']);
  });
});

describe('title facts', () => {
  it('publishes the titles of a first homepage in one fact', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => [(i + 1).toString(16).padStart(8, '0'), { name: `Game ${i}` }]);
    await catalog.observeHome(Object.fromEntries(rows), { seenAt: NOW - 7 });
    await waitUntil(() => catalog.facts.length === 1);
    const [fact] = catalog.facts;
    expect(fact?.data.titles).toEqual(titlesOf(await catalog.get(operations.listTitles.path)));
    expect(fact?.data.titles).toHaveLength(200);
    expect(fact).toMatchObject({
      id: `title.stored:simulated:${fact?.data.revision}`,
      type: 'title.stored',
      occurredAt: formatInstant(NOW - 7),
      past: false,
    });
  });

  it('publishes nothing for repeated, late or unchanged observations', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Foo' } });
    await catalog.observeHome({ '4d530064': { name: 'Foo' } });
    await catalog.observeHome({ '4d530064': { name: 'Late' } }, { seenAt: NOW - 1 });
    await catalog.observeHome({ '4d530064': { name: 'Foo' } }, { seenAt: NOW + 1 });
    await catalog.observeHome({ '4d530064': { name: 'Bar' } }, { seenAt: NOW + 2 });
    await waitUntil(() => catalog.facts.length >= 2);
    expect([factNames(0), factNames(1)]).toEqual([{ '4d530064': 'Foo' }, { '4d530064': 'Bar' }]);
  });

  it('marks facts of a backfilled observation as past', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Foo' } }, { past: true });
    await catalog.observe([{ titleId: '4d530064', page }]);
    await waitUntil(() => catalog.facts.length === 2);
    expect(catalog.facts.map(({ past }) => past)).toEqual([true, false]);
  });
});

describe('observation from the far future', () => {
  it('ignores an observation a year ahead of the clock', async () => {
    await catalog.observeHome({ '4d530064': { name: 'Now' } });
    await catalog.observe(homeTitles({ '4d530064': { name: 'Future' } }), { seenAt: NOW + 365 * 86_400 });
    expect(await listedNames()).toEqual(['Now']);
  });
});

function gamePath(titleId: string): string {
  return operations.getGame.path.replace(':titleId', titleId);
}

async function listedNames(): Promise<string[]> {
  return gamesOf(await catalog.get(operations.listGames.path)).map(({ name }) => name);
}

function factNames(index: number): Record<string, string> {
  const titles = catalog.facts[index]?.data.titles ?? [];
  return Object.fromEntries(titles.map(({ titleId, name }) => [titleId, name]));
}
