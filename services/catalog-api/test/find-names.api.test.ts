import { operations, type OperationResponse } from '@lobbystats/contracts';
import { observeBoards, times, TITLE } from './board-passes.ts';
import { runCatalog, type RunningCatalog } from './running-catalog.ts';
import { HOSTILE, NAMELESS, OTHER, withQuery } from './searchable-catalog.ts';

type Names = OperationResponse<typeof operations.findNames>;

const path = operations.findNames.path;
/** The title of the leaderboards that single tests add. */
const JETTY = '0000abcd';

let catalog: RunningCatalog;
beforeAll(async () => {
  catalog = await runCatalog();
  await catalog.observe([
    { titleId: TITLE, home: { name: 'Harbor Racing', image: '', publisher: '', productCode: '' } },
    { titleId: OTHER, home: { name: 'Élan', image: '', publisher: '', productCode: '' } },
    { titleId: JETTY, home: { name: 'Jetty', image: '', publisher: '', productCode: '' } },
  ]);
  const entries = (...names: string[]) => times(names.map((name) => [name, 1000]));
  await observeBoards(
    catalog,
    { leaderboardId: 1, name: 'Racing line', entries: entries('Ember Fox', 'racer', 'Élan Vital') },
    { leaderboardId: 2, name: 'Old Pier', entries: entries('EMBER FOX', 'Harbor') },
    { titleId: OTHER, leaderboardId: 7, name: 'Night harbor', entries: entries('Racer', ...HOSTILE) },
    { titleId: NAMELESS, name: 'Racing alone', entries: entries('x') },
    { leaderboardId: 9, name: 'Racing gone', entries: entries('Racing ghost') },
    { leaderboardId: 9, hour: 1, entries: null },
  );
});
afterAll(() => catalog.stop());

describe('names', () => {
  it('are games, leaderboards and players, the best match first, then by number of entries', async () => {
    expect(await texts('rac')).toEqual(['leaderboard Racing line', 'player racer', 'game Harbor Racing']);
    expect(await texts('harbor')).toEqual(['player Harbor', 'game Harbor Racing', 'leaderboard Night harbor']);
    expect(await texts('ember fo')).toEqual(['player Ember Fox']);
  });

  it('have the title of a game, and the title and number of a leaderboard', async () => {
    expect(await suggest({ q: 'HARBOR' })).toMatchObject({
      status: 200,
      body: {
        suggestions: [
          { type: 'player', name: 'Harbor', titleId: null, gameName: null, leaderboardId: null, entries: 1 },
          { titleId: TITLE, gameName: 'Harbor Racing', leaderboardId: null, leaderboards: null, entries: 5 },
          { titleId: OTHER, gameName: 'Élan', leaderboardId: 7, leaderboards: null, entries: 11 },
        ],
      },
    });
  });

  it('are of one type alone where that is asked for', async () => {
    expect(await texts('rac', { type: 'player' })).toEqual(['player racer']);
    expect(await texts('rac', { type: 'game' })).toEqual(['game Harbor Racing']);
    expect(await texts('rac', { type: 'leaderboard' })).toEqual(['leaderboard Racing line']);
    expect(await texts('acin', { type: 'player' })).toEqual([]);
    expect((await suggest({ q: 'rac', type: 'time' })).status).toBe(400);
  });

  it('of one type are found behind many of another', async () => {
    expect(await texts('r', { type: 'player', limit: '1' })).toEqual(['player racer']);
  });

  it.each(['elan', 'ÉLAN', 'e\u0301lan', ' Elan '])('ignore case and accents: %s', async (q) => {
    expect(await texts(q)).toEqual(['game Élan', 'player Élan Vital']);
  });

  it('have at most as many elements as the limit', async () => {
    expect(await texts('rac', { limit: '2' })).toEqual(['leaderboard Racing line', 'player racer']);
    expect(await texts('rac', { limit: '1' })).toEqual(['leaderboard Racing line']);
  });

  it.each(HOSTILE)('find the literal name %j', async (name) => {
    expect(await texts(name)).toContain(`player ${name}`);
  });

  it.each(['nobody', "'; DROP TABLE entry --", '<script>', '$where', '\u202eabc', '\u0301', '(z+)+$'])(
    'are empty for %j, which begins no word',
    async (q) => {
      expect(await suggest({ q })).toMatchObject({ status: 200, body: { suggestions: [] } });
    },
  );

  it.each([
    ['line racing', ['leaderboard Racing line']],
    ['harbor line', ['leaderboard Racing line']],
    ['racing old', ['leaderboard Old Pier']],
    ['har rac', ['game Harbor Racing']],
    ['elan night', ['leaderboard Night harbor']],
    ['fox ember', ['player Ember Fox']],
    ['harbor nobody', []],
  ])('have all words of %j, those of a leaderboard also in its game', async (q, expected) => {
    expect(await texts(q)).toEqual(expected);
  });

  it.each(['arbo', 'RBOR', 'rböř'])('have %j inside a word, after names that begin with it', async (q) => {
    expect(await texts(q)).toEqual(['game Harbor Racing', 'leaderboard Night harbor', 'player Harbor']);
  });

  it.each([
    ['habror', ['game Harbor Racing', 'leaderboard Night harbor', 'player Harbor']],
    ['hzrbor', ['game Harbor Racing', 'leaderboard Night harbor', 'player Harbor']],
    ['embrfox', ['player Ember Fox']],
    ['xmberfox', ['player Ember Fox']],
    ['Ember Foz', ['player Ember Fox']],
    ['jety', ['game Jetty']],
  ])('are those one letter away from %j, which is in no name', async (q, expected) => {
    expect((await texts(q)).toSorted()).toEqual(expected.toSorted());
    expect(await suggest({ q })).toMatchObject({ body: { approximate: true } });
  });

  it('are near ones only where none matches', async () => {
    expect(await suggest({ q: 'harbor' })).toMatchObject({ body: { approximate: false } });
    expect(await suggest({ q: 'nobody' })).toMatchObject({ body: { suggestions: [], approximate: false } });
    expect(await texts('habror', { type: 'player' })).toEqual(['player Harbor']);
    expect(await texts('embrfox', { type: 'game' })).toEqual([]);
  });

  it.each(['🎮', '_', '🎮 '])('of games have a text without letters: %s', async (q) => {
    await catalog.observe([
      { titleId: '0000abce', home: { name: '🎮 100%_Party', image: '', publisher: '', productCode: '' } },
    ]);
    expect(await texts(q)).toEqual(['game 🎮 100%_Party']);
  });

  it('have three letters of a word at least', async () => {
    expect(await texts('ar')).toEqual([]);
    expect(await texts('ndo')).toEqual([]);
  });

  it('are found by title ID, whole or from four of its digits on', async () => {
    for (const q of [TITLE.toUpperCase(), TITLE, TITLE.slice(0, 7)])
      expect(await texts(q)).toContain('game Harbor Racing');
    expect((await texts(TITLE))[0]).toBe('game Harbor Racing');
    expect(await texts(TITLE.slice(0, 3))).toEqual([]);
  });

  it('count leaderboards of a player, not entries', async () => {
    await observeBoards(catalog, {
      ...{ titleId: JETTY, leaderboardId: 11, name: 'Twice' },
      entries: times([
        ['Kettle', 1000],
        ['Kettle', 1001],
      ]),
    });
    expect(await suggest({ q: 'kettle' })).toMatchObject({ body: { suggestions: [{ entries: 2, leaderboards: 1 }] } });
  });

  it('follow the leaderboards', async () => {
    const board = { titleId: JETTY, leaderboardId: 12 };
    await observeBoards(catalog, { ...board, name: 'Mole', entries: times([['Walnut', 1]]) });
    expect(await texts('walnut')).toEqual(['player Walnut']);
    await observeBoards(catalog, { ...board, hour: 1, name: 'Quay', entries: times([['Yew', 1]]) });
    expect(await texts('yew')).toEqual(['player Yew']);
    expect(await texts('qu')).toEqual(['leaderboard Quay']);
    expect([await texts('mole'), await texts('walnut')]).toEqual([[], []]);
  });

  it.each([
    ['', 'q must be a text of 1 to 100 characters'],
    ['?q=', 'q must be a text of 1 to 100 characters'],
    ['?q=%20', 'q must be a text of 1 to 100 characters'],
    [`?q=${'x'.repeat(101)}`, 'q must be a text of 1 to 100 characters'],
    ['?q=a&q=b', 'q must be a text of 1 to 100 characters'],
    ['?q=%FF', 'q must be percent-encoded UTF-8'],
    ['?q=a&limit=51', 'limit must be an integer from 1 to 50'],
    ['?q=a&limit=0', 'limit must be an integer from 1 to 50'],
  ])('are a 400 for the query %s', async (query, error) => {
    expect(await catalog.get(path + query)).toMatchObject({ status: 400, body: { error } });
  });
});

function suggest(query: Record<string, string>) {
  return catalog.get(withQuery(path, query));
}

async function texts(q: string, query: Record<string, string> = {}): Promise<string[]> {
  const { body } = await suggest({ q, ...query });
  return (body as Names).suggestions.map(({ type, name }) => `${type} ${name}`);
}
