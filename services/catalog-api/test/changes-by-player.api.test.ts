import { operations, type OperationResponse } from '@lobbystats/contracts';
import { observeBoards, times, TITLE } from './board-passes.ts';
import { runCatalog, type ApiResponse, type RunningCatalog } from './running-catalog.ts';

type Page = OperationResponse<typeof operations.listPlayerChanges>;

const OTHER = '4d530065';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observeHome({ [TITLE]: { name: 'Harbor Racing' }, [OTHER]: { name: 'Quiet Bay' } });
  const entries = times([
    ['Ember Fox', 50_000],
    ['Pike', 51_000],
  ]);
  await observeBoards(
    catalog,
    { entries },
    { titleId: OTHER, entries },
    { leaderboardId: 2, entries: times([['Still', 1]]) },
    {
      hour: 1,
      entries: times([
        ['Ember Fox', 49_000],
        ['Pike', 50_000],
      ]),
    },
    { titleId: OTHER, hour: 2, entries: times([['EMBER FOX', 1]]) },
  );
});
afterAll(() => catalog.stop());

describe('changes of a player', () => {
  it('are those of the name in any case, newest first', async () => {
    const answer = await playerChanges('ember FOX');
    expect(summaries(answer)).toEqual([`${OTHER} removed`, `${OTHER} new`, `${TITLE} updated`]);
    expect(answer.body).toMatchObject({ total: 3, limit: 50, offset: 0, hasMore: false, nextCursor: null });
    expect(summaries(await playerChanges('Ember Fox', `?titleId=${TITLE}`))).toEqual([`${TITLE} updated`]);
    expect(summaries(await playerChanges('Ember Fox', '?type=new'))).toEqual([`${OTHER} new`]);
    const records = await playerChanges('Ember Fox', '?records=only');
    expect([summaries(records), records.body]).toMatchObject([[`${OTHER} new`, `${TITLE} updated`], { total: 2 }]);
    expect(summaries(await changes('?records=only&type=updated'))).toEqual([`${TITLE} updated`]);
    expect(summaries(await playerChanges('Ember Fox', '?since=2027-01-15%2010:00:00'))).toHaveLength(2);
  });

  it('tell the entries that records have beaten', async () => {
    const { body } = await playerChanges('Ember Fox');
    const [, score, time] = (body as Page).changes.map(({ id }) => id);
    const records = await catalog.get(
      `/internal/records?ids=${(body as Page).changes.map(({ id }) => id).join(',')},999`,
    );
    const beaten = { playerName: 'Ember Fox', rating: '00:50.000', timeMs: 50_000 };
    expect(records.body).toEqual(expect.arrayContaining([score, time].map((id) => ({ id, beaten }))));
    expect(records.body).toHaveLength(2);
    expect((await catalog.get('/internal/records?ids=1,')).status).toBe(400);
  });

  it('are the same by the filter of all changes, on each page', async () => {
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = ['limit=1', ...(cursor === '' ? [] : [`cursor=${cursor}`])].join('&');
      const { body } = await playerChanges('Ember Fox', `?${query}`);
      expect(body).toMatchObject({ total: 3, limit: 1 });
      expect((await changes(`?player=Ember%20Fox&${query}`)).body).toEqual(body);
      cursor = (body as Page).nextCursor;
    }
  });

  it('are an empty list for a player without changes', async () => {
    expect(await playerChanges('still')).toMatchObject({ status: 200, body: { changes: [], total: 0 } });
    const elsewhere = await playerChanges('still', '?titleId=ffffffff');
    expect(elsewhere).toMatchObject({ status: 404, body: { error: 'Unknown title' } });
  });

  const HOSTILE = ['.*', '$where', '__proto__', '<script>', '%', 'nul \0', '\u202egnp', "' OR 1=1 --"];
  it.each(['Nobody', ...HOSTILE])('are a 404 for the unknown player %j', async (name) => {
    const unknown = { status: 404, body: { error: 'Unknown player' } };
    expect(await playerChanges(name)).toMatchObject(unknown);
    expect(await changes(`?player=${encodeURIComponent(name)}`)).toMatchObject(unknown);
  });

  it('are an error for a name of more than 200 characters, and for two names', async () => {
    const name = 'x'.repeat(201);
    expect(await playerChanges(name)).toMatchObject({ status: 404, body: { error: 'Unknown player' } });
    const tooLong = { error: 'player must be a text of at most 200 characters' };
    expect(await changes(`?player=${name}`)).toMatchObject({ status: 400, body: tooLong });
    const twice = { error: 'player must be given once' };
    expect(await changes('?player=a&player=b')).toMatchObject({ status: 400, body: twice });
  });
});

function changes(query: string): Promise<ApiResponse> {
  return catalog.get(operations.listChanges.path + query);
}

function playerChanges(name: string, query = ''): Promise<ApiResponse> {
  return catalog.get(operations.listPlayerChanges.path.replace(':player', () => encodeURIComponent(name)) + query);
}

function summaries({ body }: ApiResponse): string[] {
  return (body as Page).changes.map(({ titleId, type }) => `${titleId} ${type}`);
}
