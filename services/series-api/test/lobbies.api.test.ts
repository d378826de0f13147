import { matchId, operations } from '@lobbystats/contracts';
import { CHESS, HARBOR, HOUR, NOW, RALLY, SLOT } from './observations.ts';
import { at, httpDate, runSeries, type RunningSeries } from './running-series.ts';

const PATH = operations.listLobbies.path;

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
  await series.name(1, { [HARBOR]: 'Harbor Racing', [RALLY]: 'Rally' });
});
afterEach(async () => {
  await series.stop();
});

const stamp = (instant: number) => at(instant).replace('T', ' ').replace('Z', '');
const read = async (query = '') => {
  const { body } = await series.get(PATH + query);
  return body as { slot: string; lobbies: { hostName: string }[]; total: number; hasMore: boolean };
};
const hosts = async (query = '') => (await read(query)).lobbies.map(({ hostName }) => hostName);

describe('open lobbies', () => {
  it('are none before the first slot', async () => {
    expect(await read()).toEqual({ slot: null, lobbies: [], total: 0, limit: 100, offset: 0, hasMore: false });
  });

  it('are those of the newest slot, with their game, players and begin, most players first', async () => {
    await series.observe({
      [NOW - 2 * SLOT]: { titles: { [HARBOR]: { matches: { Ada: 1, Gone: 7 } } } },
      [NOW - SLOT]: { titles: { [HARBOR]: { matches: { Ada: 2 } } } },
      [NOW]: { titles: { [HARBOR]: { matches: { Ada: 3 } }, [RALLY]: { matches: { Bob: 5 } } } },
    });
    const { body, headers } = await series.get(PATH);
    const idOf = (titleId: string, host: string, startedAt: number) => ({ id: matchId({ titleId, host, startedAt }) });
    const lobby = { maxPlayers: 8, timestamp: stamp(NOW) };
    expect(body).toEqual({
      slot: stamp(NOW),
      lobbies: [
        {
          ...idOf(RALLY, 'Bob', NOW),
          titleId: RALLY,
          gameName: 'Rally',
          hostName: 'Bob',
          currentPlayers: 5,
          openedAt: stamp(NOW),
          ...lobby,
        },
        {
          ...idOf(HARBOR, 'Ada', NOW - 2 * SLOT),
          ...{ titleId: HARBOR, gameName: 'Harbor Racing', hostName: 'Ada', currentPlayers: 3 },
          ...{ openedAt: stamp(NOW - 2 * SLOT), ...lobby },
        },
      ],
      ...{ total: 2, limit: 100, offset: 0, hasMore: false },
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('include those of a page that could not be read, for an hour', async () => {
    await series.observe({
      [NOW - HOUR]: { titles: { [RALLY]: { matches: { Old: 1 } } } },
      [NOW - HOUR + SLOT]: { titles: { [HARBOR]: { matches: { Ada: 2 } } } },
      [NOW]: { titles: { [HARBOR]: { online: 2, matches: null }, [RALLY]: { matches: {} } } },
    });
    expect((await read()).lobbies).toMatchObject([{ hostName: 'Ada', timestamp: stamp(NOW - HOUR + SLOT) }]);
    series.clock.nowMs += 2 * SLOT * 1000;
    await series.observe({ [NOW + 2 * SLOT]: { titles: { [HARBOR]: { online: 2, matches: null } } } });
    expect(await read()).toMatchObject({ slot: stamp(NOW + 2 * SLOT), lobbies: [] });
  });

  it('tell apart hosts that differ in case alone, and one host in two games', async () => {
    await series.observe({
      [NOW]: { titles: { [HARBOR]: { matches: { ada: 1, Ada: 2 } }, [RALLY]: { matches: { Ada: 3 } } } },
    });
    expect((await read()).lobbies).toMatchObject([
      { titleId: RALLY, currentPlayers: 3 },
      { titleId: HARBOR, hostName: 'Ada', currentPlayers: 2 },
      { titleId: HARBOR, hostName: 'ada', currentPlayers: 1 },
    ]);
  });

  it('leave out games that the catalog does not know', async () => {
    await series.observe({ [NOW]: { titles: { [CHESS]: { matches: { Ada: 1 } } } } });
    expect(await read()).toMatchObject({ lobbies: [], total: 0 });
  });

  it('can be of one game, opened last first, and in pages', async () => {
    await series.observe({
      [NOW - SLOT]: { titles: { [HARBOR]: { matches: { Ada: 9 } } } },
      [NOW]: { titles: { [HARBOR]: { matches: { Ada: 9, Cyd: 1 } }, [RALLY]: { matches: { Bob: 5 } } } },
    });
    expect(await hosts(`?titleId=${HARBOR.toUpperCase()}`)).toEqual(['Ada', 'Cyd']);
    expect(await hosts('?titleId=')).toHaveLength(3);
    expect((await hosts('?sort=newest')).at(-1)).toBe('Ada');
    expect(await read('?limit=1&offset=1')).toMatchObject({ lobbies: [{ hostName: 'Bob' }], total: 3, hasMore: true });
    const { headers } = await series.get(`${PATH}?limit=1&offset=1`);
    expect(headers.get('link')).toContain('offset=2');
    expect(await read('?offset=50')).toMatchObject({ lobbies: [], total: 3, hasMore: false });
  });
});
