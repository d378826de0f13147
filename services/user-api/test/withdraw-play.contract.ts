import { playtimeCredited } from '@lobbystats/contracts';
import type { UserDatabase } from '../src/database/user-database.ts';
import { withdrawPlay } from '../src/play-time/withdraw-play.ts';
import type { UserCatalog } from '../src/users/user-catalog.ts';
import { definition, definitionsOf } from './achievement-builders.ts';
import { createCatalog, DAY, NOON, playMessage, RACING, SLOT, spans, TENNIS } from './observed-users.ts';

const definitions = definitionsOf([
  definition(1, { rule: { kind: 'play-minutes', minutes: 15 } }),
  definition(2, { rule: { kind: 'play-minutes', minutes: 25 } }),
  definition(3, { rule: { kind: 'play-minutes-in-title', titleId: TENNIS, minutes: 10 } }),
]);
const clock = () => NOON * 1000;

/** Contract of the withdrawal of play time in every store. `open` returns an empty store each time. */
export function describePlayWithdrawal(adapter: string, open: () => Promise<UserDatabase>): void {
  describe(`withdrawing play time from ${adapter}`, () => {
    let database: UserDatabase;
    let catalog: UserCatalog;
    const first = NOON - 6 * SLOT;
    const played = spans({ from: first, slots: 3 }, { titleId: TENNIS, from: first + 3 * SLOT, slots: 3 });
    const withdraw = (changes: object) =>
      withdrawPlay(
        {
          ...{ fromInclusive: first + 3 * SLOT, toInclusive: first + 4 * SLOT, titleId: undefined },
          ...{ playTime: true, unlocks: true, isDryRun: false },
          ...changes,
        },
        { store: database.users, clock, origin: 'simulated' },
      );
    const stored = async () => {
      const unlocks = (await database.users.unlocksOf('emberfox')).map(({ achievementId }) => achievementId).sort();
      const { byAchievement, players } = await database.users.unlockCounts();
      const counts = [...byAchievement].filter(([, count]) => count > 0).sort();
      return { user: (await database.users.users(['emberfox'])).get('emberfox'), unlocks, counts, players };
    };
    beforeEach(async () => {
      database = await open();
      const expectedRevision = await database.users.revision();
      const commit = { expectedRevision, revision: expectedRevision + 1, definitions: definitions.all };
      await database.users.commit(commit);
      catalog = createCatalog(database.users, definitions);
      await catalog.applyPlayTime([playMessage(played)], true);
    });
    afterEach(() => database.close());

    it('takes the minutes, and the unlocks that the user has not earned otherwise', async () => {
      const lost = [{ username: 'EmberFox', minutesBefore: 30, minutesAfter: 20 }];
      const before = await stored();
      expect(await withdraw({ isDryRun: true })).toMatchObject(lost);
      expect(await stored()).toEqual(before);
      const [withdrawn] = await withdraw({});
      expect(withdrawn).toMatchObject(lost[0]!);
      expect(withdrawn?.unlocks.map(({ unlockedAt }) => unlockedAt)).toEqual([first + 4 * SLOT, first + 4 * SLOT]);
      const titles = [
        { titleId: RACING, minutes: 15, lastPlayedAt: first + 2 * SLOT },
        { titleId: TENNIS, minutes: 5, lastPlayedAt: first + 5 * SLOT },
      ];
      expect(await stored()).toMatchObject({
        user: { titles, unlocked: [1], score: 10 },
        unlocks: [1],
        counts: [[1, 1]],
      });
      expect(await withdraw({})).toEqual([]);
    });

    it('is published, and slots that are earned again count again', async () => {
      await withdraw({});
      const facts = (await database.outbox.pending(100)).filter(({ type }) => type === playtimeCredited.key);
      expect(facts.at(-1)?.data).toMatchObject({ users: [{ username: 'EmberFox', totalMinutes: 20 }] });
      await catalog.applyPlayTime([playMessage(played)], true);
      expect(await stored()).toMatchObject({ user: { unlocked: [1, 2, 3], score: 30 }, unlocks: [1, 2, 3] });
    });

    it('takes nothing of other titles, and the last unlock from the counts of players', async () => {
      await withdraw({ fromInclusive: DAY, toInclusive: NOON, titleId: TENNIS });
      expect(await stored()).toMatchObject({
        user: { titles: [{ titleId: RACING, minutes: 15 }], unlocked: [1] },
        players: 1,
      });
      await withdraw({ fromInclusive: DAY, toInclusive: NOON });
      expect(await stored()).toMatchObject({
        ...{ user: { titles: [], unlocked: [], score: 0 }, unlocks: [] },
        ...{ counts: [], players: 0 },
      });
    });

    it('takes minutes alone, or no unlock that is still earned', async () => {
      expect(await withdraw({ unlocks: false })).toMatchObject([{ minutesAfter: 20, unlocks: [] }]);
      expect(await stored()).toMatchObject({ unlocks: [1, 2, 3] });
      expect(await withdraw({ playTime: false, fromInclusive: DAY, toInclusive: NOON })).toMatchObject([
        { minutesBefore: 20, minutesAfter: 20, unlocks: [{}, {}] },
      ]);
      expect(await stored()).toMatchObject({ user: { unlocked: [1] }, unlocks: [1] });
    });
  });
}
