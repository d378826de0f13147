import { nowChanged, operations } from '@lobbystats/contracts';
import { CHESS, DAY, HARBOR, NOW, RALLY, SLOT } from './observations.ts';
import { at, factDataOf, httpDate, runSeries, until, type RunningSeries } from './running-series.ts';

const PATH = operations.getNow.path;
const NOTHING = { slot: null, online: 0, lobbies: 0, registered: null, gamesWithPlayers: 0, busiestGames: [] };

let series: RunningSeries;
beforeEach(async () => {
  series = await runSeries();
});
afterEach(async () => {
  await series.stop();
});

const events = () => factDataOf(series.facts, nowChanged);

describe('now', () => {
  it('is empty before the first slot', async () => {
    const { status, body, headers } = await series.get(PATH);
    expect([status, body, headers.get('last-modified')]).toEqual([200, NOTHING, null]);
  });

  it('has the counts of the newest slot and the games with players, without titles that the catalog does not know', async () => {
    await series.name(1, { [HARBOR]: 'Harbor Racing', [RALLY]: 'Rally' });
    await series.observe({
      [NOW - SLOT]: { online: 99, registered: 1002, titles: { [RALLY]: { matches: { Ada: 1, Bob: 1 } } } },
      [NOW]: {
        online: 12,
        titles: {
          [RALLY]: { online: 3, matches: null },
          [HARBOR]: { online: 7, matches: { Cyd: 2 } },
          [CHESS]: { online: 0 },
          '0badf00d': { online: 9 },
        },
      },
    });
    const { body, headers } = await series.get(PATH);
    expect(body).toEqual({
      slot: '2027-01-15 08:00:00',
      online: 12,
      lobbies: 3,
      registered: 1002,
      gamesWithPlayers: 2,
      busiestGames: [
        { titleId: HARBOR, gameName: 'Harbor Racing', online: 7, lobbies: 1 },
        { titleId: RALLY, gameName: 'Rally', online: 3, lobbies: 2 },
      ],
    });
    expect(headers.get('last-modified')).toBe(httpDate(NOW));
  });

  it('lists five games by users online, then by lobbies, then by title ID, in at most 2 KB', async () => {
    const ids = ['00000006', '00000005', '00000004', '00000003', '00000002', '00000001'];
    const games = ids.map((id) => [id, { online: 2 ** 31 - 1, matches: id === '00000004' ? { Ada: 1 } : {} }] as const);
    await series.name(1, Object.fromEntries([...ids, '00000007'].map((id) => [id, '漢'.repeat(90)])));
    await series.observe({
      [NOW]: {
        online: 2 ** 31 - 1,
        registered: 2 ** 31 - 1,
        titles: { ...Object.fromEntries(games), '00000007': { online: 1 } },
      },
    });
    const { body, text } = await series.get(PATH);
    expect(body).toMatchObject({ gamesWithPlayers: 7 });
    expect((body as { busiestGames: { titleId: string }[] }).busiestGames.map(({ titleId }) => titleId)).toEqual([
      '00000004',
      '00000001',
      '00000002',
      '00000003',
      '00000005',
    ]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  });

  it('is empty when the newest slot has expired', async () => {
    await series.observe({ [NOW]: { online: 5 } });
    series.clock.nowMs += 30 * DAY * 1000;
    expect((await series.get(PATH)).body).toEqual(NOTHING);
  });
});

describe('now.changed', () => {
  it('has the body of the route, once for each newest live slot', async () => {
    await series.observe({ [NOW - 2 * SLOT]: { online: 1 } });
    await series.observe({ [NOW]: { online: 3, titles: { [HARBOR]: { online: 3 } } } });
    await until(() => events().length === 2);
    expect(events()[1]).toEqual((await series.get(PATH)).body);
    const { id, occurredAt, past } = series.facts.filter(({ type }) => type === nowChanged.key)[1]!;
    expect([id, occurredAt, past]).toEqual([`now.changed:simulated:${at(NOW)}`, at(NOW), false]);
  });

  it('is not published for late and backfilled slots', async () => {
    await series.observe({ [NOW]: { online: 3 } });
    await series.observe({ [NOW - SLOT]: { online: 2 } });
    series.clock.nowMs += SLOT * 1000;
    await series.observe({ [NOW + SLOT]: { online: 9 } }, { past: true });
    expect(events()).toMatchObject([{ online: 3 }]);
  });

  it('is published for a slot ahead of the clock', async () => {
    await series.observe({ [NOW + SLOT]: { online: 4 } });
    await until(() => events().length === 1);
    expect(events()).toMatchObject([{ slot: '2027-01-15 08:05:00', online: 4 }]);
  });
});
