import { formatTimestamp, operations, type Change, type OperationResponse } from '@lobbystats/contracts';
import { nextQuery, observeBoards, post, scores, seenAt, times, TITLE } from './board-passes.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

const OTHER = '4d530065';
const QUIET = '4d530066';
const NAMELESS = '4d530067';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({
    [TITLE]: { name: 'zebra Racing' },
    [OTHER]: { name: '\u{10ffff} Élan/.*' },
    [QUIET]: { name: 'Quiet Bay' },
  });
  await observeBoards(
    catalog,
    {
      entries: times([
        ['Ember Fox', 50_000],
        ['Pike', 51_000],
        ['Quill', 52_000],
      ]),
    },
    { titleId: OTHER, isTime: false, name: 'Points', entries: scores([['Ember Fox', '1,000']]) },
    { titleId: QUIET, entries: times([['Ember Fox', 1]]) },
    { titleId: NAMELESS, entries: times([['Ember Fox', 1]]) },
    {
      hour: 1,
      entries: times([
        ['Newcomer', 40_000],
        ['Pike', 49_000],
        ['Ember Fox', 50_000],
      ]),
    },
    { titleId: OTHER, hour: 2, isTime: false, name: 'Points', entries: scores([['Ember Fox', '1,001']]) },
    { titleId: NAMELESS, hour: 3, name: 'Of no name', entries: times([['Ember Fox', 2]]) },
    { hour: 4, name: 'New Pier', entries: times([['Newcomer', 40_000]]) },
  );
});
afterAll(() => catalog.stop());

const ALL =
  'Ember Fox removed,Pike removed,Ember Fox updated,Ember Fox updated,Quill removed,Pike updated,Newcomer new';

describe('list of changes', () => {
  it('lists changes of all games, newest first, without those of first observations', async () => {
    const answer = await changes('');
    expect(summaries(answer).toSorted()).toEqual(ALL.split(',').toSorted());
    expect(answer.body).toMatchObject({ total: 7, limit: 50, offset: 0, hasMore: false, nextCursor: null });
    expect(answer.headers.get('link')).toBeNull();
    const ids = changesOf(answer).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const instants = changesOf(answer).map(({ changedAt }) => changedAt);
    expect(instants).toEqual(instants.toSorted().reverse());
    expect(answer.headers.get('last-modified')).toBe(new Date(seenAt(4) * 1000).toUTCString());
  });

  it('shows old and new rank, rating and time of a change', async () => {
    const [updated] = changesOf(await changes(`?type=updated&titleId=${TITLE}`));
    expect(updated).toEqual({
      id: expect.any(Number),
      type: 'updated',
      titleId: TITLE,
      gameName: 'zebra Racing',
      leaderboardId: 1,
      leaderboardName: 'New Pier',
      playerName: 'Pike',
      isTime: true,
      oldRank: 2,
      newRank: 2,
      oldRating: '00:51.000',
      newRating: '00:49.000',
      oldTimeMs: 51_000,
      newTimeMs: 49_000,
      changedAt: formatTimestamp(seenAt(1)),
    });
  });

  it('shows no times for a change on a score board', async () => {
    expect(changesOf(await changes(`?titleId=${OTHER}`))).toMatchObject([
      { isTime: false, oldRating: '1,000', newRating: '1,001', oldTimeMs: null, newTimeMs: null },
    ]);
  });

  it('shows an empty game name for a title without a name', async () => {
    expect(changesOf(await changes('')).find(({ titleId }) => titleId === NAMELESS)).toMatchObject({ gameName: '' });
  });

  it.each([
    ['?type=new', 1],
    ['?type=updated', 3],
    ['?type=removed', 3],
    [`?titleId=${TITLE}`, 5],
    [`?titleId=${TITLE}&type=removed`, 3],
    [`?titleId=${QUIET}`, 0],
    ['?titleId=', 7],
    [`?titleId=${TITLE.toUpperCase()}`, 5],
    [`?titleId=${TITLE}&leaderboardId=1`, 5],
    [`?titleId=${TITLE}&leaderboardId=999`, 0],
    ['?player=', 7],
    ['?titleId=&type=new', 1],
    [`?since=${at(3)}`, 2],
    [`?since=${at(0)}Z&type=updated`, 3],
    [`?since=${at(4)}`, 0],
    ['?since=2000-01-01', 7],
    ['?since=9999-12-31%2023:59:59', 0],
    ['?offset=5', 7],
    ['?offset=100000', 7],
    ['?limit=1', 7],
    ['?__proto__=1&unknown[]=2', 7],
  ])('counts all changes that match the query "%s"', async (query, total) => {
    const answer = await changes(query);
    expect(answer).toMatchObject({ status: 200, body: { total } });
    const { offset, limit } = answer.body as { offset: number; limit: number };
    expect(changesOf(answer)).toHaveLength(Math.min(limit, Math.max(0, total - offset)));
  });

  it.each(['.*', 'zebra', 'ffffffff', NAMELESS, '__proto__', '$ne', '%00'])(
    'returns 404 for the unknown title %s',
    async (titleId) => {
      expect(await changes(`?titleId=${titleId}`)).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
    },
  );

  it.each([
    ['?limit=0', 'limit must be an integer from 1 to 500'],
    ['?limit=501', 'limit must be an integer from 1 to 500'],
    ['?limit[$gt]=&limit=a', 'limit must be an integer from 1 to 500'],
    ['?type=renamed', 'type must be one of new, updated, removed'],
    ['?type=new&type=new', 'type must be one of new, updated, removed'],
    ['?type=__proto__', 'type must be one of new, updated, removed'],
    ['?since=yesterday', 'since must be a time of the form YYYY-MM-DD or YYYY-MM-DD HH:MM:SS'],
    ['?since=2026-02-30', 'since must be a time that exists'],
    ['?cursor=', 'cursor must be one that an answer gave'],
    ['?cursor=17', 'cursor must be one that an answer gave'],
    ['?cursor=%00', 'cursor must be one that an answer gave'],
    ['?cursor=a&cursor=b', 'cursor must be given once'],
    ['?titleId=a&titleId=b', 'titleId must be a title ID'],
    ['?game=%FF', 'game must be percent-encoded UTF-8'],
    ['?game=%ED%A0%80', 'game must be percent-encoded UTF-8'],
    ['?leaderboardId=1', 'leaderboardId must be given with game or titleId'],
    [`?leaderboardId=x&titleId=${TITLE}`, 'leaderboardId must be an integer from 0 to 2147483647'],
    ['?after=-1', 'after must be an integer from 0 to 9007199254740991'],
    ['?after=9007199254740992', 'after must be an integer from 0 to 9007199254740991'],
    ['?after=1&offset=0', "after can't be given with offset"],
    ['?after=1&cursor=abc', "after can't be given with cursor"],
  ])('returns 400 for the query %s', async (query, error) => {
    expect(await changes(query)).toMatchObject({ status: 400, body: { error } });
  });

  it('rejects parameter values of thousands of characters', async () => {
    const digits = '9'.repeat(5000);
    for (const parameter of ['limit', 'offset', 'since', 'cursor', 'after', 'type']) {
      expect(await changes(`?${parameter}=${digits}`)).toMatchObject({ status: 400 });
      expect(await changes(`?${parameter}=${digits}${digits}`)).toMatchObject({ status: 414 });
    }
    expect(await changes(`?titleId=${digits}`)).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
  });

  it('returns 405 for a POST', async () => {
    const answer = await post(catalog, operations.listChanges.path, {});
    expect(answer).toMatchObject({ status: 405, body: { error: 'Method not allowed' } });
  });
});

describe('list of changes of a title', () => {
  it('returns the same changes by title ID as by game', async () => {
    expect((await titleChanges(TITLE.toUpperCase())).body).toEqual((await changes(`?titleId=${TITLE}`)).body);
  });

  it.each(['ffffffff', NAMELESS, 'nonsense', '__proto__', '%00', 'a%2Fb'])(
    'returns 404 for the unknown title %s',
    async (titleId) => {
      expect(await titleChanges(titleId)).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
    },
  );

  it('returns an empty list for a title without changes', async () => {
    const answer = await titleChanges(QUIET);
    expect(answer.body).toMatchObject({ changes: [], total: 0, hasMore: false, nextCursor: null });
    expect(answer.headers.get('last-modified')).toBeNull();
  });
});

describe('pages of changes', () => {
  it.each(['', '&type=updated', `&titleId=${TITLE}`])(
    'cursor pages contain each change once, with a constant total, for the filter "%s"',
    async (filter) => {
      const all = await changes(`?limit=500${filter}`);
      const ids: number[] = [];
      let cursor: string | null = null;
      do {
        const answer = await changes(`?limit=2${filter}${cursor === null ? '' : `&cursor=${cursor}`}`);
        const { total, hasMore, nextCursor } = answer.body as Page;
        ids.push(...idsOf(answer));
        expect(total).toBe(idsOf(all).length);
        expect(hasMore).toBe(ids.length < total);
        expect(nextCursor === null).toBe(!hasMore);
        cursor = nextCursor;
      } while (cursor !== null);
      expect(ids).toEqual(idsOf(all));
    },
  );

  it('next links lead to each change once', async () => {
    const ids: number[] = [];
    let query: string | undefined = '?limit=3';
    while (query !== undefined) {
      const answer = await changes(query);
      ids.push(...idsOf(answer));
      query = nextQuery(answer);
    }
    expect(ids).toEqual(idsOf(await changes('')));
  });

  it('applies an offset relative to the cursor', async () => {
    const ids = idsOf(await changes(''));
    const { nextCursor } = (await changes('?limit=2')).body as Page;
    const answer = await changes(`?limit=2&offset=1&cursor=${nextCursor}`);
    expect(idsOf(answer)).toEqual(ids.slice(3, 5));
    expect(answer.body).toMatchObject({ offset: 1, total: 7, hasMore: true });
  });

  it('pages after an ID ascend, count only later changes, and have no gaps', async () => {
    const upwards = idsOf(await changes('')).reverse();
    const [first = 0, second = 0] = upwards;
    const answer = await changes(`?after=${first}&limit=2`);
    expect(idsOf(answer)).toEqual(upwards.slice(1, 3));
    expect(answer.body).toMatchObject({ total: 6, offset: 0, hasMore: true });
    const { nextCursor } = answer.body as Page;
    const next = await changes(`?cursor=${nextCursor}&limit=500`);
    expect(idsOf(next)).toEqual(upwards.slice(3));
    expect(next.body).toMatchObject({ total: 4, hasMore: false, nextCursor: null });
    expect(idsOf(await changes(`?after=${second}&type=new`))).toEqual([]);
    expect((await changes('?after=0')).body).toMatchObject({ total: 7, hasMore: false });
    expect((await changes('?after=9007199254740991')).body).toMatchObject({ changes: [], total: 0, hasMore: false });
  });
});

describe('list of games with changes', () => {
  it('lists names in code-point order, without games that have no changes or no name', async () => {
    const { body } = await catalog.get(operations.listChangedGames.path);
    expect(body).toEqual(['zebra Racing', '\u{10ffff} Élan/.*']);
  });
});

type Page = OperationResponse<typeof operations.listChanges>;

function at(hour: number): string {
  return formatTimestamp(seenAt(hour)).replace(' ', 'T');
}

function changes(query: string): Promise<ApiResponse> {
  return catalog.get(operations.listChanges.path + query);
}

function titleChanges(titleId: string): Promise<ApiResponse> {
  return catalog.get(operations.listTitleChanges.path.replace(':titleId', titleId));
}

function changesOf({ body }: ApiResponse): Change[] {
  return (body as Page).changes;
}

function idsOf(answer: ApiResponse): number[] {
  return changesOf(answer).map(({ id }) => id);
}

function summaries(answer: ApiResponse): string[] {
  return changesOf(answer).map(({ playerName, type }) => `${playerName} ${type}`);
}
