import { recentUnlockOf, unlockFactData } from '../src/definitions/achievement-mask.ts';
import { game, hidden, hiddenGame, NOW, plain } from './achievement-cases.ts';

describe('unlock facts', () => {
  const unlocks = Array.from({ length: 1201 }, (_, n) => ({
    username: `P${n % 400}`,
    definition: [plain, game, hidden, hiddenGame][n % 4]!,
    unlockedAt: NOW + (n % 7) * 300,
  }));

  it('contain all unlocks, oldest first, at most 500 in one fact', () => {
    const facts = unlockFactData(unlocks);
    expect(facts.map((fact) => fact.unlocks.length)).toEqual([500, 500, 201]);
    const publishedUnlocks = facts.flatMap((fact) => fact.unlocks);
    expect(publishedUnlocks.map(({ unlockedAt }) => unlockedAt)).toEqual(
      publishedUnlocks.map(({ unlockedAt }) => unlockedAt).sort(),
    );
    expect(new Set(publishedUnlocks.map((one) => JSON.stringify(one)))).toEqual(
      new Set(unlocks.map((one) => JSON.stringify(recentUnlockOf(one)))),
    );
  });

  it('are the same for any order of unlocks, and none without unlocks', () => {
    expect(unlockFactData(unlocks.toReversed())).toEqual(unlockFactData(unlocks));
    expect(unlockFactData([])).toEqual([]);
  });
});
