import { freshUntil } from '@lobbystats/contracts';
import { hasCode } from '@lobbystats/contracts/errors';
import fc from 'fast-check';
import { CacheHarness, TAGS, tagsOf, type ClientRequest, type Step } from './cache-world.ts';

const HIT = 'lobbystats; hit';
const MAX_BYTES = 3500;

const tag = fc.constantFrom(...TAGS);
const which = fc.constantFrom('first' as const, 'last' as const);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), of: fc.nat(5) }) },
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

/** Whether the served response is at least as new as `versions`. */
function isAtLeastAsNewAs({ key, served }: ClientRequest, versions: ClientRequest['publishedVersions']): boolean {
  return served !== undefined && tagsOf(key).every((one) => served.versions[one] >= versions[one]);
}

function expectConsistent(asked: ClientRequest): void {
  const { key, policy, publishedVersions, purgedVersions, served, error } = asked;
  if (served === undefined) {
    expect(hasCode(error, 'unavailable')).toBe(true);
    return;
  }
  const { status, maxAgeSeconds } = served.given;
  const isStale = status.startsWith(`${HIT}; ttl=-`);
  expect(served.key).toBe(key);
  // Purged content is never served afterwards, whatever the state of the upstream.
  expect(isAtLeastAsNewAs(asked, purgedVersions)).toBe(true);
  // A response that is not marked stale is as new as the newest fact at the time of the request.
  expect(isStale || isAtLeastAsNewAs(asked, publishedVersions)).toBe(true);
  const until = freshUntil(tagsOf(key));
  if (until === 'slot') expect(isStale ? maxAgeSeconds : 0).toBe(0);
  else expect([maxAgeSeconds, status.includes('refreshing')]).toEqual([undefined, false]);
  if (policy === 'coalesce') expect(status).toMatch(/^lobbystats; fwd=uri-miss(; collapsed)?$/);
  if (policy === 'revalidate') expect(status).not.toBe(HIT);
}

describe('response cache model', () => {
  it('never serves stale data as fresh, coalesces fetches, and stays within its memory bound', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const world = new CacheHarness(MAX_BYTES);
        for (const step of all) await world.applyStep(step);
        await world.drain();
        for (const asked of world.requests) expectConsistent(asked);
        expect(world.duplicateRequests).toBe(0);
        expect(world.peakBytes).toBeLessThanOrEqual(MAX_BYTES);
        expect(world.countedResponses).toBe(world.requests.filter(({ served }) => served !== undefined).length);
      }),
      {
        numRuns: 150,
        examples: [
          // A request after an invalidation must not join a fetch that was begun before it.
          [
            [
              { do: 'ask', of: 3 },
              { do: 'ask', of: 3 },
              { do: 'tell', tag: 'changes' },
              { do: 'ask', of: 3 },
              { do: 'change', tag: 'changes' },
              { do: 'ask', of: 3 },
            ],
          ],
        ],
      },
    );
  });
});
