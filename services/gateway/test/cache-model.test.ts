import { hasCode } from '@lobbystats/errors';
import fc from 'fast-check';
import { CacheWorld, TAGS, tagsOf, type Asked, type Step } from './cache-world.ts';

const HIT = 'lobbystats; hit';
const MAX_BYTES = 3500;

const tag = fc.constantFrom(...TAGS);
const which = fc.constantFrom('first' as const, 'last' as const);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), of: fc.nat(4) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('land' as const), which }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), which }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), tag }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('tell' as const), tag }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('hide' as const), tag }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 999, 3001, 400_000) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('unfollow' as const, 'follow' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
);

/** Whether what somebody was told is at least as new as something. */
function isAsNewAs({ key, told }: Asked, versions: Asked['truth']): boolean {
  return told !== undefined && tagsOf(key).every((one) => told.versions[one] >= versions[one]);
}

function expectTrue(asked: Asked): void {
  const { key, keeping, truth, hidden, told, refused } = asked;
  if (told === undefined) {
    expect(hasCode(refused, 'unavailable')).toBe(true);
    return;
  }
  const { status, maxAgeSeconds } = told.given;
  const isStale = status.startsWith(`${HIT}; ttl=-`);
  expect(told.key).toBe(key);
  // What the operators had taken away was seen by nobody who came later, whatever state the owner is in.
  expect(isAsNewAs(asked, hidden)).toBe(true);
  // Whatever doesn't say that it may be old is as new as the newest fact was for who asked.
  expect(isStale || isAsNewAs(asked, truth)).toBe(true);
  expect(isStale ? maxAgeSeconds : 0).toBe(0);
  if (keeping === 'shared') expect(status).toMatch(/^lobbystats; fwd=uri-miss(; collapsed)?$/);
  if (keeping === 'revalidated') expect(status).not.toBe(HIT);
}

describe('a cache in front of owners', () => {
  it('never calls old what is new, asks one question at a time, and keeps within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = new CacheWorld(MAX_BYTES);
        for (const step of all) await world.take(step);
        await world.end();
        for (const asked of world.asked) expectTrue(asked);
        expect(world.doubled).toBe(0);
        expect(world.mostBytes).toBeLessThanOrEqual(MAX_BYTES);
        expect(world.outcomes.length).toBe(world.asked.filter(({ told }) => told !== undefined).length);
      }),
      {
        numRuns: 150,
        examples: [
          // Who asks after a flight that a fact has touched must not join what waited for that flight.
          [
            [
              { do: 'ask', of: 2 },
              { do: 'ask', of: 2 },
              { do: 'tell', tag: 'y' },
              { do: 'ask', of: 2 },
              { do: 'change', tag: 'y' },
              { do: 'ask', of: 2 },
            ],
          ],
        ],
      },
    );
  });
});
