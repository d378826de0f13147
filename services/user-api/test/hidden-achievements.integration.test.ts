import fc from 'fast-check';
import { unlockFactData } from '../src/achievements/achievement-mask.ts';
import { definition, definitionsOf, GAME, SITE } from './achievement-builders.ts';
import { NOW, usersWith } from './achievement-cases.ts';

describe('hidden achievement', () => {
  const secret = (id: number) => ({ key: `zq-key-${id}`, name: `Zq Name ${id}`, description: `Zq text ${id}` });
  const isSecret = /zq/i;

  it('is not revealed in facts, in lists, or to users who have not earned it', async () => {
    const anyOne = fc.record({
      isHidden: fc.boolean(),
      ofGame: fc.boolean(),
      earned: fc.boolean(),
      isGone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyOne, { minLength: 1, maxLength: 8 }), async (drafts) => {
        const all = drafts.map(({ isHidden, ofGame }, index) =>
          definition(index + 1, { isHidden, group: ofGame ? GAME : SITE, ...(isHidden ? secret(index + 1) : {}) }),
        );
        const earned = all.filter((_, index) => drafts[index]?.earned);
        const definitions = definitionsOf(all.filter((_, index) => drafts[index]?.isGone !== true));
        const removed = all.filter((_, index) => drafts[index]?.isGone);
        const times = Object.fromEntries(earned.map(({ id }) => [id, NOW - id]));
        const { achievements } = await usersWith({ Owner: times, Other: {} }, { definitions, removed });

        const facts = unlockFactData(earned.map((one) => ({ username: 'Owner', definition: one, unlockedAt: NOW })));
        const open = [
          (await achievements.ofUser('Other')).body,
          await achievements.newUnlocks('other', NOW),
          (await achievements.catalog()).body,
          (await achievements.leaderboard(100)).body,
          (await achievements.recent({ limit: 100 })).body,
          facts,
        ];
        expect(JSON.stringify(open)).not.toMatch(isSecret);

        const own = (await achievements.ofUser('Owner')).body;
        const locked = own.groups.flatMap((group) => group.achievements.filter((achievement) => !achievement.earned));
        expect(JSON.stringify(locked)).not.toMatch(isSecret);
        expect(JSON.stringify(locked)).not.toContain('revealed_');
        for (const achievement of own.achievements) {
          expect('revealed_name' in achievement).toBe(achievement.is_hidden);
          expect(isSecret.test(achievement.name)).toBe(achievement.is_hidden);
        }
      }),
      { numRuns: 40 },
    );
  });
});
