import { operations, type OperationResponse } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route } from '@lobbystats/service-kit';
import { activity } from './day.ts';
import { catalogRoutes, network, title } from './network.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';
import { boardSuggestion, gameSuggestion, playerSuggestion, type Suggestion } from './search-page.ts';

type Activity = OperationResponse<typeof operations.getLatestActivity>;

const TITLES = ['00000001', '00000002', '00000003'].map((titleId) => title(titleId, `Citadel ${titleId}`));

/** A gateway whose catalog-api finds these names with these kinds of match. */
async function run(found: readonly (readonly [Suggestion, number])[], online: Readonly<Record<string, number>> = {}) {
  const known = network({ titles: TITLES });
  const latest: Activity = {
    slot: '2027-01-15T08:00:00Z',
    titles: Object.entries(online).map(([titleId, users]) => activity(titleId, users, [])),
  };
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(operations.findNames, async () => ({
        body: { suggestions: found.map(([suggestion, match]) => ({ ...suggestion, match })), approximate: false },
      })),
    ]),
  );
  const series = await startStubUpstream([
    route(operations.getLatestActivity, async () => {
      if (Object.keys(online).length === 0) throw new AppError('unavailable', 'down');
      return { body: latest };
    }),
  ]);
  const gateway = await runGateway({
    ...{ network: known, env: { CATALOG_API_URL: catalog.url, SERIES_API_URL: series.url } },
  });
  const suggest = async (query: string) => {
    const { status, body } = await gateway.request(`${operations.suggestNames.path}?${query}`);
    const { suggestions, count } = body as OperationResponse<typeof operations.suggestNames>;
    expect([status, count]).toEqual([200, suggestions.length]);
    return suggestions;
  };
  return { gateway, series, suggest };
}

const games = TITLES.map(({ name, titleId }) => gameSuggestion(name, titleId));
const [first, second, third] = games as [Suggestion, Suggestion, Suggestion];

describe('suggestions', () => {
  it('have the games with more users online first, among those that match alike', async () => {
    const board = boardSuggestion('Citadel run');
    const found = [
      [first, 1],
      [second, 1],
      [board, 1],
      [third, 2],
    ] as const;
    const { suggest } = await run(found, { [second.titleId!]: 9, [third.titleId!]: 40 });
    expect((await suggest('q=cit')).map(({ name }) => name)).toEqual([
      ...[second.name, first.name, 'Citadel run', third.name],
    ]);
    expect((await suggest('q=cit&limit=1')).map(({ name }) => name)).toEqual([second.name]);
  });

  it('do not say how they match', async () => {
    const { suggest } = await run([[playerSuggestion('Ember Fox'), 4]]);
    expect(await suggest('q=mber')).toEqual([playerSuggestion('Ember Fox')]);
  });

  it('do not ask who is online for each text', async () => {
    const { series, suggest } = await run(
      [
        [first, 1],
        [second, 1],
      ],
      { [first.titleId!]: 1 },
    );
    const asked = () => series.requests.filter(({ url }) => url.startsWith(operations.getLatestActivity.path)).length;
    await suggest('q=c');
    const once = asked();
    await suggest('q=ci');
    expect([once, asked()]).toEqual([1, 1]);
  });

  it('keep the order of catalog-api while nobody knows who is online', async () => {
    const { suggest } = await run([
      [first, 1],
      [second, 1],
    ]);
    expect(await suggest('q=cit')).toEqual([first, second]);
  });

  it.each([
    ['1:23.456', '1:23.456'],
    ['1:23,456', '1:23.456'],
    ['83.456', '1:23.456'],
    ['0:5', undefined],
    ['83', undefined],
    ['12:34', '12:34.000'],
  ])('begin with the search by time for the text %s', async (q, name) => {
    const { suggest } = await run([[playerSuggestion('1'), 1]]);
    const [time] = await suggest(`q=${encodeURIComponent(q)}`);
    const nowhere = { titleId: null, gameName: null, leaderboardId: null, leaderboards: null };
    expect(time).toEqual(name === undefined ? playerSuggestion('1') : { type: 'time', name, ...nowhere, entries: 0 });
  });
});
