import fc from 'fast-check';
import { definition, definitionsOf } from './achievement-builders.ts';
import { testNameHash, poll, NOON, openUsers, RACING, sighting, TENNIS } from './observed-users.ts';

interface Rank {
  gamertag?: string;
  titleId?: string;
  board?: number;
  rank: number | null;
}

const createRankMessage = (revision: number, ...ranks: readonly Rank[]) => ({
  at: NOON - 60,
  revision,
  ranks: ranks.map(({ gamertag = 'Ember Fox', titleId = RACING, board = 1, rank }) => ({
    gamertag,
    titleId,
    leaderboardId: board,
    rank,
  })),
});
const standings = async ({ store }: ReturnType<typeof openUsers>) =>
  (await store.users.players(['ember fox'])).get('ember fox')?.standings;

describe('ranks', () => {
  it('keep the highest revision per leaderboard in any order and batching', async () => {
    const board = fc.record({ revision: fc.integer({ min: 1, max: 4 }), board: fc.integer({ min: 1, max: 2 }) });
    const rank = fc.option(fc.integer({ min: 1, max: 3 }));
    const messages = fc.array(fc.tuple(board, rank), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(messages, async (some) => {
        const all = some.map(([at, value]) => createRankMessage(at.revision, { board: at.board, rank: value }));
        const [one, other] = [openUsers(), openUsers()];
        await one.catalog.applyRanks(all, false);
        for (const message of all.toReversed()) await other.catalog.applyRanks([message], false);
        expect(await standings(one)).toEqual(await standings(other));
        expect(await one.catalog.applyRanks(all.toReversed(), false)).toMatchObject({ changed: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('are stored for players without a user, and redelivery changes nothing', async () => {
    const observed = openUsers();
    await observed.catalog.applyRanks(
      [createRankMessage(4, { rank: 2 }, { board: 2, rank: 7 }), createRankMessage(6, { board: 2, rank: null })],
      false,
    );
    const revision = await observed.store.users.revision();
    expect(await observed.catalog.applyRanks([createRankMessage(4, { rank: 2 })], false)).toMatchObject({ changed: 0 });
    expect(await observed.store.users.revision()).toBe(revision);
    await observed.catalog.applyRanks([{ ...createRankMessage(3, { rank: 3 }), at: NOON - 90 }], false);
    await observed.catalog.applyRanks([{ ...createRankMessage(2, { rank: 2 }), at: NOON - 30 }], false);
    expect([...((await standings(observed)) ?? [])]).toEqual([
      [
        `${RACING}:1`,
        {
          rank: 2,
          revision: 4,
          best: [
            [NOON - 90, 3],
            [NOON - 60, 2],
          ],
        },
      ],
      [`${RACING}:2`, { rank: null, revision: 6, best: [[NOON - 60, 7]] }],
    ]);
  });

  it('unlock rank and leaderboard achievements by gamertag at the time of the message', async () => {
    const { catalog, unlocks } = openUsers(
      definitionsOf([
        definition(1, { rule: { kind: 'leaderboard-rank', rank: 3 } }),
        definition(2, { rule: { kind: 'leaderboard-rank', rank: 1, titleId: TENNIS } }),
        definition(3, { rule: { kind: 'leaderboards-on', count: 2 } }),
      ]),
    );
    await catalog.applyPresence([poll(sighting())], false);
    await catalog.applyRanks([createRankMessage(1, { rank: 4 }, { rank: 1, gamertag: 'Somebody Else' })], false);
    expect(await unlocks()).toEqual([]);
    await catalog.applyRanks([createRankMessage(2, { rank: 3 })], false);
    await catalog.applyRanks([createRankMessage(3, { titleId: TENNIS, rank: 1 })], false);
    expect((await unlocks()).map(({ achievementId }) => achievementId)).toEqual([1, 2, 3]);
    expect((await unlocks())[0]).toMatchObject({ unlockedAt: NOON - 60 });
  });

  it('that are already outdated still unlock achievements', async () => {
    const { catalog, unlocks } = openUsers(
      definitionsOf([
        definition(1, { rule: { kind: 'leaderboard-rank', rank: 1 } }),
        definition(2, { rule: { kind: 'leaderboards-on', count: 2 } }),
      ]),
    );
    await catalog.applyPresence([poll(sighting())], false);
    await catalog.applyRanks([createRankMessage(2, { rank: null }, { board: 2, rank: 7 })], false);
    await catalog.applyRanks([createRankMessage(1, { rank: 1 })], false);
    expect((await unlocks()).map(({ achievementId }) => achievementId)).toEqual([1, 2]);
  });

  it('of erased gamertags are ignored', async () => {
    const observed = openUsers();
    const hashes = [testNameHash.gamertag('ember fox')];
    await observed.store.erasures.eraseUser({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    expect(await observed.catalog.applyRanks([createRankMessage(1, { rank: 1 })], false)).toMatchObject({ changed: 0 });
    expect(await standings(observed)).toBeUndefined();
  });
});
