import { join } from 'node:path';
import { fixedClock, serveRaw, temporaryDirectory } from '@lobbystats/test-kit';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { run } from '@lobbystats/cli/run-captured';

const clock = fixedClock('2026-01-31T12:00:05Z');
const DATE = '2026-01-30';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const REFUSED: Answer = { status: 503, headers: { 'Retry-After': '0' }, body: { error: 'Try again soon' } };
const UNKNOWN: Answer = { status: 404, body: { error: 'Unknown leaderboard' } };

const pageOf = (body: object, next?: string): Answer => ({
  body,
  ...(next !== undefined && { headers: { Link: `<${next}>; rel="next"` } }),
});
const entry = (rank: number) => ({ name: `Fox ${rank}`, rank, rating: `${rank}`, isTime: rank === 1, timeMs: 49_300 });
const change = (id: number, changedAt: string) => ({
  ...{ id, changedAt, type: 'new', titleId: '4d530064', gameName: 'Harbor Racing', leaderboardId: 17 },
  ...{ leaderboardName: 'Best lap', playerName: 'Fox', isTime: false, oldRank: null, newRank: id },
  ...{ oldRating: null, newRating: '1', oldTimeMs: null, newTimeMs: null },
});

/** Answers of an API with one game, by the beginning of the URL; the longest one counts. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/api/service-stats/': { body: [] },
  '/api/games?': pageOf({ games: [] }, '?limit=500&offset=500'),
  '/api/games?limit=500&offset=500': { body: { games: [{ titleId: '4d530064', name: 'Harbor Racing' }] } },
  '/api/title/4d530064/online-users/history': { body: { history: [] } },
  '/api/title/4d530064/matches/history': { body: { matches: [] } },
  '/api/title/4d530064/leaderboards': { body: [16, 17].map((id) => ({ id, name: `Board ${id}` })) },
  '/api/title/4d530064/leaderboard/16': UNKNOWN,
  '/api/title/4d530064/leaderboard/17': pageOf({ entries: [entry(1)] }, '?offset=1000'),
  '/api/title/4d530064/leaderboard/17?offset=1000': { body: { entries: [entry(2)] } },
  '/api/changes?': pageOf({ changes: [change(1, `${DATE} 00:00:00`)] }, '?cursor=next'),
  '/api/changes?cursor=next': {
    body: { changes: [change(2, `${DATE} 23:59:59`), change(3, '2026-01-31 00:00:00')] },
  },
};

interface Fault {
  /** Beginning of the URLs. */
  readonly of: string;
  readonly answer: Answer;
  readonly times: number;
}

async function startApi(fault?: Fault): Promise<string> {
  let faults = 0;
  return serveRaw(({ url = '' }, res) => {
    const [longest = ''] = Object.keys(ANSWERS)
      .filter((path) => url.startsWith(path))
      .toSorted((one, other) => other.length - one.length);
    const isFaulty = fault !== undefined && url.startsWith(fault.of) && faults < fault.times;
    if (isFaulty) faults += 1;
    const { status = 200, headers = {}, body } = isFaulty ? fault.answer : (ANSWERS[longest] ?? UNKNOWN);
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
}

async function exportFrom(GATEWAY_URL: string) {
  const directory = temporaryDirectory();
  const { code, error } = await run(['export', '--out', directory, '--date', DATE], { GATEWAY_URL }, clock);
  const read = async (dataset: string) =>
    parquetReadObjects({ file: await asyncBufferFromFile(join(directory, dataset, `${DATE}.parquet`)) });
  return { code, error, read };
}

describe('export of a day', () => {
  it('has the rows of all pages, without leaderboards that were found later and changes of the next day', async () => {
    const { code, error, read } = await exportFrom(await startApi());
    expect([code, error]).toEqual([0, '']);
    const leaderboard = { title_id: '4d530064', game: 'Harbor Racing', leaderboard_id: 17, leaderboard: 'Board 17' };
    expect(await read('leaderboards')).toEqual([
      { ...leaderboard, rank: 1, player: 'Fox 1', rating: '1', time_ms: 49_300 },
      { ...leaderboard, rank: 2, player: 'Fox 2', rating: '2', time_ms: null },
    ]);
    expect((await read('changes')).map(({ id }) => id as bigint)).toEqual([1n, 2n]);
  });

  it.each(['/api/service-stats/', '/api/title/4d530064/leaderboard/17?offset', '/api/changes?cursor'])(
    'repeats requests that the API refuses for now: %s',
    async (of) => {
      const { code, error, read } = await exportFrom(await startApi({ of, answer: REFUSED, times: 3 }));
      expect([code, error]).toEqual([0, '']);
      expect(await read('changes')).toHaveLength(2);
    },
  );

  it('fails with one line: the URL, the message of the API and what to check', async () => {
    const broken = { of: '/api/changes', answer: { status: 500, body: { error: 'Internal error' } }, times: 1 };
    expect(await exportFrom(await startApi(broken))).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^export: http:[/][/].*Internal error.*; check GATEWAY_URL.*\n$/),
    });
  });
});
