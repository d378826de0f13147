import { formatTimestamp, operations } from '@lobbystats/contracts';
import { nextQuery, observeBoards, scores, seenAt, times, TITLE } from './board-passes.ts';
import { NOW, runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

const EMPTY = '4d530065';
/** A title whose last change is the removal of its newest board. */
const GOING = '4d530066';
const HOSTILE = ['.*', '$gt', '__proto__', '%00', "'; DROP TABLE entry; --", 'nul \0 inside', '🏁', 'a/b'];

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({
    [TITLE]: { name: 'Harbor Racing' },
    [EMPTY]: { name: 'Quiet Bay' },
    [GOING]: { name: 'Rally' },
  });
  const hundred = Array.from({ length: 100 }, (_, index) => [`Player ${index + 1}`, 40_000 + index] as const);
  await observeBoards(
    catalog,
    { leaderboardId: 17, name: 'Old Pier, best lap', entries: times(hundred) },
    { leaderboardId: 3, name: 'Most points', isTime: false, entries: scores([['Ember Fox', '1,234,567']]) },
    { leaderboardId: 9, name: 'Nobody yet', entries: [] },
    { leaderboardId: 21, name: 'Odd names', hour: 1, entries: times(HOSTILE.map((name, i) => [name, i] as const)) },
    {
      leaderboardId: 22,
      name: 'Ties',
      entries: [
        { rank: 1, name: 'Twice', rating: '00:01.000', timeMs: 1000 },
        { rank: 1, name: 'Once', rating: '00:01.000', timeMs: 1000 },
        { rank: 3, name: 'TWICE', rating: '00:02.000', timeMs: 2000 },
      ],
    },
    { leaderboardId: 30, name: 'Gone', entries: times([['Ember Fox', 1]]) },
    { leaderboardId: 30, hour: 1, entries: null },
    { titleId: GOING, leaderboardId: 1, entries: [] },
    { titleId: GOING, leaderboardId: 2, hour: 1, entries: [] },
    { titleId: GOING, leaderboardId: 2, hour: 2, entries: null },
  );
});
afterAll(() => catalog.stop());

describe('statistics of a title', () => {
  it('counts boards and entries by kind, without boards that are gone', async () => {
    const { body, headers } = await stats(TITLE);
    expect(body).toEqual({
      titleId: TITLE,
      gameName: 'Harbor Racing',
      leaderboard_count: 5,
      total_entries: 112,
      time_entries: 111,
      score_entries: 1,
    });
    expect(headers.get('last-modified')).toBe(new Date(seenAt(1) * 1000).toUTCString());
  });

  it('updates Last-Modified when a board disappears', async () => {
    const lost = new Date(seenAt(2) * 1000).toUTCString();
    const { body, headers } = await stats(GOING);
    expect([body, headers.get('last-modified')]).toEqual([expect.objectContaining({ leaderboard_count: 1 }), lost]);
    const list = await catalog.get(operations.listLeaderboards.path.replace(':titleId', GOING));
    expect(list.headers.get('last-modified')).toBe(lost);
  });

  it('returns zeros for a title without boards', async () => {
    const { body, headers } = await stats(EMPTY);
    expect(body).toMatchObject({ gameName: 'Quiet Bay', leaderboard_count: 0, total_entries: 0, score_entries: 0 });
    expect(headers.get('last-modified')).toBe(new Date(NOW * 1000).toUTCString());
  });
});

describe('list of leaderboards', () => {
  it('lists the boards of a title by ID, without boards that are gone', async () => {
    const { body } = await list(TITLE);
    expect(body).toEqual(
      [
        [3, 'Most points'],
        [9, 'Nobody yet'],
        [17, 'Old Pier, best lap'],
        [21, 'Odd names'],
        [22, 'Ties'],
      ].map(([id, name]) => ({ id, name, titleId: TITLE, gameName: 'Harbor Racing' })),
    );
  });

  it('returns an empty list for a title without boards', async () => {
    expect((await list(EMPTY)).body).toEqual([]);
  });
});

describe('unknown title', () => {
  it.each(['ffffffff', 'nonsense', '__proto__', '%00', '4d530064%2F..', '$ne'])(
    'returns 404 on every board route for the title %s',
    async (titleId) => {
      for (const answer of [await stats(titleId), await list(titleId), await board(17, '', titleId)]) {
        expect(answer).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
      }
    },
  );
});

describe('leaderboard', () => {
  it('returns all entries in the order of the network without a limit', async () => {
    const answer = await board(17);
    const { entries, ...head } = bodyOf(answer);
    expect(head).toEqual({
      titleId: TITLE,
      gameName: 'Harbor Racing',
      leaderboardId: '17',
      name: 'Old Pier, best lap',
      total: 100,
      observed_at: formatTimestamp(seenAt(0)),
    });
    expect(entries).toHaveLength(100);
    expect(entries[0]).toEqual({
      rank: '1',
      name: 'Player 1',
      rating: '00:40.000',
      timeMs: 40_000,
      timeFormatted: '0:40.000',
      isTime: true,
    });
    expect(nextQuery(answer)).toBeUndefined();
    expect(answer.headers.get('last-modified')).toBe(new Date(seenAt(0) * 1000).toUTCString());
  });

  it('returns no times for a score board', async () => {
    expect(bodyOf(await board(3)).entries).toEqual([
      { rank: '1', name: 'Ember Fox', rating: '1,234,567', timeMs: 0, timeFormatted: '', isTime: false },
    ]);
  });

  it('preserves ranks and order of tied entries', async () => {
    const { entries } = bodyOf(await board(22));
    expect(entries.map(({ rank, name }) => [rank, name])).toEqual([
      ['1', 'Twice'],
      ['1', 'Once'],
      ['3', 'TWICE'],
    ]);
  });

  it('returns a board without entries', async () => {
    expect(bodyOf(await board(9))).toMatchObject({ entries: [], total: 0 });
    expect(bodyOf(await board(9, '?limit=1'))).toMatchObject({ entries: [], total: 0 });
  });

  it('preserves special characters in player names', async () => {
    expect(namesOf(await board(21))).toEqual(HOSTILE);
  });

  it('next links lead to each entry once', async () => {
    const names: string[] = [];
    let query: string | undefined = '?limit=30';
    while (query !== undefined) {
      const answer = await board(17, query);
      expect(bodyOf(answer).total).toBe(100);
      names.push(...namesOf(answer));
      query = nextQuery(answer);
    }
    expect(names).toEqual(namesOf(await board(17)));
  });

  it('has no next page when a page ends with the last entry', async () => {
    const answer = await board(17, '?limit=50&offset=50');
    expect(namesOf(answer)).toHaveLength(50);
    expect(nextQuery(answer)).toBeUndefined();
  });

  it('returns all entries from an offset without a limit', async () => {
    expect(namesOf(await board(17, '?offset=98'))).toEqual(['Player 99', 'Player 100']);
    expect(bodyOf(await board(17, '?offset=100000'))).toMatchObject({ entries: [], total: 100 });
  });

  it.each([0, 7, 2_147_483_647, 30, '99999999999', '1e1', '17abc', '-1', '%31%37%00', '__proto__'])(
    'returns 404 for the unknown or gone board %s',
    async (id) => {
      expect(await board(id)).toMatchObject({ status: 404, body: { error: 'Unknown leaderboard' } });
    },
  );

  it.each([
    ['?limit=0', 'limit must be an integer from 1 to 1000'],
    ['?limit=1001', 'limit must be an integer from 1 to 1000'],
    ['?limit=1&limit=1', 'limit must be an integer from 1 to 1000'],
    ['?limit[$gt]=1&offset=-1', 'offset must be an integer from 0 to 100000'],
    ['?offset=100001', 'offset must be an integer from 0 to 100000'],
    ['?around=Player%201&offset=0', "around can't be given with offset"],
    ['?around=', 'around must be a text of 1 to 200 characters'],
    ['?around=%20', 'around must be a text of 1 to 200 characters'],
    [`?around=${'x'.repeat(201)}`, 'around must be a text of 1 to 200 characters'],
    [`?around=${encodeURIComponent('🏁'.repeat(201))}`, 'around must be a text of 1 to 200 characters'],
    ['?around=a&around=b', 'around must be a text of 1 to 200 characters'],
    ['?around=%FF', 'around must be percent-encoded UTF-8'],
    ['?around=%ED%A0%80', 'around must be percent-encoded UTF-8'],
    ['?at=2026-02-30', 'at must be a date that exists'],
    ['?at=today', 'at must be a date of the form YYYY-MM-DD'],
    ['?at=2026-01-01T00:00:00', 'at must be a date of the form YYYY-MM-DD'],
    ['?at=2026-01-01&at=2026-01-01', 'at must be a date of the form YYYY-MM-DD'],
    ['?at=9999-12-31', 'at must not be in the future'],
  ])('returns 400 for %s', async (query, error) => {
    expect(await board(17, query)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('numbers of thousands of digits', () => {
  const digits = '9'.repeat(5000);

  it('returns 404 or 414 for huge numbers in a path and 400 in a query', async () => {
    expect(await board(17, '', digits)).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
    expect(await board(digits)).toMatchObject({ status: 404, body: { error: 'Unknown leaderboard' } });
    for (const parameter of ['limit', 'offset', 'at', 'around']) {
      expect(await board(17, `?${parameter}=${digits}`)).toMatchObject({ status: 400 });
    }
    expect(await board(digits + digits)).toMatchObject({ status: 414, body: { error: expect.any(String) } });
  });
});

describe('leaderboard around a player', () => {
  it('returns 25 entries with the player in the middle by default', async () => {
    const answer = await board(17, '?around=Player%2050');
    const names = namesOf(answer);
    expect(names).toHaveLength(25);
    expect(names.indexOf('Player 50')).toBe(12);
    expect(bodyOf(answer).total).toBe(100);
    expect(nextQuery(answer)).toBeUndefined();
  });

  it.each([
    ['?around=Player%201&limit=3', ['Player 1', 'Player 2', 'Player 3']],
    ['?around=PLAYER%20100&limit=3', ['Player 98', 'Player 99', 'Player 100']],
    ['?around=%20player%2050+&limit=3', ['Player 49', 'Player 50', 'Player 51']],
    ['?around=Player%2050&limit=1', ['Player 50']],
  ])('moves the page inwards at the ends of the board: %s', async (query, expected) => {
    expect(namesOf(await board(17, query))).toEqual(expected);
  });

  it('centres on the first entry of a player with two entries', async () => {
    expect(namesOf(await board(22, '?around=twice&limit=1'))).toEqual(['Twice']);
  });

  it.each(HOSTILE)('finds the player with the literal name %j', async (name) => {
    const query = `?around=${encodeURIComponent(name)}&limit=1`;
    expect(namesOf(await board(21, query))).toEqual([name]);
    expect(await board(17, query)).toMatchObject({ status: 404, body: { error: 'Unknown player' } });
  });
});

function stats(titleId: string): Promise<ApiResponse> {
  return catalog.get(operations.getTitleStats.path.replace(':titleId', titleId));
}

function list(titleId: string): Promise<ApiResponse> {
  return catalog.get(operations.listLeaderboards.path.replace(':titleId', titleId));
}

function board(id: number | string, query = '', titleId = TITLE): Promise<ApiResponse> {
  const path = operations.getLeaderboard.path.replace(':titleId', titleId).replace(':leaderboardId', String(id));
  return catalog.get(path + query);
}

interface Board {
  entries: { rank: string; name: string }[];
  total: number;
}

function bodyOf({ body }: ApiResponse): Board {
  return body as Board;
}

function namesOf(answer: ApiResponse): string[] {
  return bodyOf(answer).entries.map(({ name }) => name);
}
