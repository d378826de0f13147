import fc from 'fast-check';
import { definition, definitionsOf } from './achievement-builders.ts';
import { hashOfTests, look, NOON, openPeople, RACING, sighting, TENNIS } from './observed-people.ts';

interface Rank {
  gamertag?: string;
  titleId?: string;
  board?: number;
  rank: number | null;
}

const told = (revision: number, ...ranks: readonly Rank[]) => ({
  at: NOON - 60,
  revision,
  ranks: ranks.map(({ gamertag = 'Ember Fox', titleId = RACING, board = 1, rank }) => ({
    gamertag,
    titleId,
    leaderboardId: board,
    rank,
  })),
});
const standings = async ({ store }: ReturnType<typeof openPeople>) =>
  (await store.users.players(['ember fox'])).get('ember fox')?.standings;

describe('ranks', () => {
  it('are of each board that of the highest revision, in any order and batches', async () => {
    const board = fc.record({ revision: fc.integer({ min: 1, max: 4 }), board: fc.integer({ min: 1, max: 2 }) });
    const rank = fc.option(fc.integer({ min: 1, max: 3 }));
    const messages = fc.array(fc.tuple(board, rank), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(messages, async (some) => {
        const all = some.map(([at, value]) => told(at.revision, { board: at.board, rank: value }));
        const [one, other] = [openPeople(), openPeople()];
        await one.people.rank(all, false);
        for (const message of all.toReversed()) await other.people.rank([message], false);
        expect(await standings(one)).toEqual(await standings(other));
        expect(await one.people.rank(all.toReversed(), false)).toMatchObject({ changed: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('are kept, whoever they belong to, and told again change nothing', async () => {
    const observed = openPeople();
    await observed.people.rank([told(4, { rank: 2 }, { board: 2, rank: 7 }), told(6, { board: 2, rank: null })], false);
    const revision = await observed.store.users.revision();
    expect(await observed.people.rank([told(3, { rank: 1 }), told(4, { rank: 2 })], false)).toMatchObject({
      changed: 0,
    });
    expect(await observed.store.users.revision()).toBe(revision);
    expect([...((await standings(observed)) ?? [])]).toEqual([
      [`${RACING}:1`, { rank: 2, revision: 4 }],
      [`${RACING}:2`, { rank: null, revision: 6 }],
    ]);
  });

  it('unlock what asks for a rank or for boards, by the feed’s gamertag, at the time of the message', async () => {
    const { people, unlocks } = openPeople(
      definitionsOf([
        definition(1, { rule: { kind: 'leaderboard-rank', rank: 3 } }),
        definition(2, { rule: { kind: 'leaderboard-rank', rank: 1, titleId: TENNIS } }),
        definition(3, { rule: { kind: 'leaderboards-on', count: 2 } }),
      ]),
    );
    await people.observePlayers([look(sighting())], false);
    await people.rank([told(1, { rank: 4 }, { rank: 1, gamertag: 'Somebody Else' })], false);
    expect(await unlocks()).toEqual([]);
    await people.rank([told(2, { rank: 3 })], false);
    await people.rank([told(3, { titleId: TENNIS, rank: 1 })], false);
    expect((await unlocks()).map(({ achievementId }) => achievementId)).toEqual([1, 2, 3]);
    expect((await unlocks())[0]).toMatchObject({ unlockedAt: NOON - 60 });
  });

  it('that are over already when they come count for what asks for a rank', async () => {
    const rule = { kind: 'leaderboard-rank', rank: 1 } as const;
    const best = definitionsOf([
      definition(1, { rule }),
      definition(2, { rule: { kind: 'leaderboards-on', count: 2 } }),
    ]);
    for (const batches of [[[1, 2]], [[2], [1]]]) {
      const { people, unlocks } = openPeople(best);
      await people.observePlayers([look(sighting())], false);
      for (const batch of batches) {
        const messages = batch.map((revision) =>
          told(revision, revision === 1 ? { rank: 1 } : { rank: null }, { board: revision, rank: 9 - revision }),
        );
        await people.rank(messages, false);
      }
      expect((await unlocks()).map(({ achievementId }) => achievementId)).toContain(1);
    }
  });

  it('of forgotten gamertags are nobody’s', async () => {
    const observed = openPeople();
    const hashes = [hashOfTests.gamertag('ember fox')];
    await observed.store.profiles.forget({ userKey: 'emberfox', playerKey: 'ember fox', hashes, facts: [] });
    expect(await observed.people.rank([told(1, { rank: 1 })], false)).toMatchObject({ changed: 0 });
    expect(await standings(observed)).toBeUndefined();
  });
});
