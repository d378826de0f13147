import { operations, TITLES_PER_PAGE } from '@lobbystats/contracts';
import { cleanUp } from '@lobbystats/test-kit';
import { gamesOf, NOW, runCatalog, titlesOf, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({
    '00000005': { name: 'alpha' },
    '00000001': { name: 'Zebra 100% Café' },
    '00000002': { name: '_under\\score_' },
    '00000003': { name: 'O\'Neill \0 "Quoted"' },
    '00000004': { name: 'Élan 🏁' },
  });
  catalog.clock.nowMs += 60_000;
  const page = { title: 'The ALPHABET: Full Title', publisher: '', releaseDate: '' } as const;
  await catalog.observe([{ titleId: '00000004', page }], { seenAt: NOW + 60 });
});
afterAll(() => catalog.stop());

describe('list of games', () => {
  it('lists all games by name in code-point order', async () => {
    const answer = await list('');
    expect(answer.body).toMatchObject({ total: 5, limit: 1000, offset: 0, hasMore: false });
    expect(ids(answer)).toEqual(['00000003', '00000001', '00000002', '00000005', '00000004']);
  });

  it('returns pages of games without gaps or duplicates', async () => {
    const seen: string[] = [];
    let query: string | undefined = '?limit=2';
    while (query !== undefined) {
      const answer: ApiResponse = await list(query);
      seen.push(...ids(answer));
      expect(answer.body).toMatchObject({ total: 5, limit: 2, hasMore: seen.length < 5 });
      query = /^<(\?[^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(['00000003', '00000001', '00000002', '00000005', '00000004']);
  });

  it('has no next page when a page ends with the last game', async () => {
    const { body, headers } = await list('?limit=2&offset=3');
    expect(body).toMatchObject({ total: 5, hasMore: false });
    expect(headers.get('link')).toBeNull();
  });

  it('returns no games for an offset beyond the end', async () => {
    expect((await list('?offset=100000')).body).toMatchObject({ games: [], total: 5, hasMore: false });
  });

  it.each([
    ['ALPHA', ['00000005', '00000004']],
    ['  alphab ', ['00000004']],
    ['cafe\u0301', ['00000001']],
    ['%', ['00000001']],
    ['_', ['00000002']],
    ['\\', ['00000002']],
    ["'", ['00000003']],
    ['"quoted"', ['00000003']],
    ['\0', ['00000003']],
    ['🏁', ['00000004']],
    ['*', []],
    ['00000001', ['00000001']],
    ['alphabe', ['00000004']],
    ['CAFE', ['00000001']],
    ['__proto__', []],
    [' ', ['00000003', '00000001', '00000002', '00000005', '00000004']],
  ])('finds games with %j in their name or title', async (q, expected) => {
    const answer = await list(`?q=${encodeURIComponent(q)}`);
    expect(ids(answer)).toEqual(expected);
    expect(answer.body).toMatchObject({ total: expected.length });
  });

  it('sets Last-Modified to the latest change of the listed games', async () => {
    const modified = async (query: string) => (await list(query)).headers.get('last-modified');
    expect(await modified('')).toBe(new Date((NOW + 60) * 1000).toUTCString());
    expect(await modified('?q=zebra')).toBe(new Date(NOW * 1000).toUTCString());
    expect(await modified('?q=nothing')).toBeNull();
  });

  it.each([
    ['?limit=0', 'limit must be an integer from 1 to 1000'],
    ['?limit=1001', 'limit must be an integer from 1 to 1000'],
    ['?limit=-1', 'limit must be an integer from 1 to 1000'],
    ['?limit=1e2', 'limit must be an integer from 1 to 1000'],
    ['?limit=', 'limit must be an integer from 1 to 1000'],
    ['?limit=1&limit=1', 'limit must be an integer from 1 to 1000'],
    ['?limit[$gt]=1&limit=x', 'limit must be an integer from 1 to 1000'],
    ['?limit=99999999999999999999', 'limit must be an integer from 1 to 1000'],
    ['?offset=100001', 'offset must be an integer from 0 to 100000'],
    ['?offset=%00', 'offset must be an integer from 0 to 100000'],
    ['?q=a&q=b', 'q must be given once'],
    [`?q=${'x'.repeat(101)}`, 'q must be at most 100 characters'],
  ])('returns 400 for %s', async (query, error) => {
    const { status, body } = await list(query);
    expect({ status, body }).toEqual({ status: 400, body: { error } });
  });

  it.each(['?q=%', '?q=%FF'])('returns 400 for %s, which is not percent-encoded UTF-8', async (query) => {
    const { status, body } = await list(query);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });

  it('ignores unknown parameters', async () => {
    expect((await list('?__proto__=1&toString=2&unknown[]=3')).body).toMatchObject({ total: 5 });
  });
});

describe('list of titles for other services', () => {
  it('lists every title, ordered by ID', async () => {
    const titles = titlesOf(await catalog.get(operations.listTitles.path));
    expect(titles.map(({ titleId }) => titleId)).toEqual(['00000001', '00000002', '00000003', '00000004', '00000005']);
    expect(titles[3]).toMatchObject({ name: 'Élan 🏁', title: 'The ALPHABET: Full Title' });
  });

  it('lists more titles than a response has in pages', async () => {
    const ids = Array.from({ length: TITLES_PER_PAGE + 1 }, (_, i) => (0x41560000 + i).toString(16));
    // The other tests count the games of the shared one.
    const larger = await runCatalog();
    cleanUp(() => larger.stop());
    await larger.observeHome(Object.fromEntries(ids.map((id) => [id, { name: id }])));
    const first = await larger.get(operations.listTitles.path);
    expect(titlesOf(first)).toHaveLength(TITLES_PER_PAGE);
    const { next } = first.body as { next: string };
    expect(next).toBe(titlesOf(first).at(-1)?.titleId);
    const second = await larger.get(`${operations.listTitles.path}?after=${next}`);
    expect(titlesOf(second).map(({ titleId }) => titleId)).toEqual(ids.slice(-1));
    expect(second.body).not.toHaveProperty('next');
  });
});

function list(query: string): Promise<ApiResponse> {
  return catalog.get(operations.listGames.path + query);
}

function ids(answer: ApiResponse): string[] {
  return gamesOf(answer).map(({ titleId }) => titleId);
}
