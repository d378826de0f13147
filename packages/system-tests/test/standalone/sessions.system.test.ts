import { operations } from '@lobbystats/contracts';
import { eventually, fixedClock, getJson } from '@lobbystats/test-kit';
import { runSystem, type RunningSystem } from './run-system.ts';
import { signIn, pathTo, setFaults, type SignedInUser } from './sign-in.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
/** Duration for which an ended session can still write. */
const VERIFICATION_TTL_SECONDS = 10;

let system: RunningSystem;

const profileOf = async (username: string) => getJson(system.url + pathTo(operations.getProfile.path, username));

/** Signs in as the demo account with this index. */
const signInAccount = (number: number): Promise<SignedInUser> => signIn(system, system.simulator.accounts[number]!);

beforeAll(async () => {
  system = await runSystem({
    clock,
    world: { titles: 8, openMatches: 2, players: 300, boards: 0, entries: 0 },
    env: { BACKFILL_DAYS: '1' },
    scope: 'file',
  });
  const { accounts } = system.simulator;
  for (const { username } of accounts.slice(0, 5)) {
    await eventually(
      async () => {
        if (!(await canBeRated(username))) throw new Error(`${username} is not there yet`);
      },
      { everyMs: 50 },
    );
  }
});

/** Whether a user can be rated. */
async function canBeRated(username: string): Promise<boolean> {
  const path = system.url + pathTo(operations.getReputation.path, username);
  const answers = await Promise.all([profileOf(username), getJson(path)]);
  return answers.every(({ status }) => status === 200);
}

describe('session', () => {
  it('updates its profile, rates others, reads its ratings, and can write for at most 10 s after sign-out', async () => {
    const [fox, marlow] = [await signInAccount(0), await signInAccount(1)];
    expect(await fox.update({ bio: 'Up before the birds.', avatar_hue: 12 })).toMatchObject({
      status: 200,
      body: { success: true, profile: { bio: 'Up before the birds.', avatar_hue: 12 } },
    });
    expect((await profileOf(fox.username)).body).toMatchObject({
      profile: { bio: 'Up before the birds.', avatar_hue: 12 },
    });
    expect(await fox.rate(marlow.username, { stars: 3, comment: ' Fair. ' })).toMatchObject({
      status: 200,
      body: {
        success: true,
        reputation: { average: 4.82, ratingCount: 1, effectiveVotes: 11, priorOnly: false },
        viewer: { stars: 3, comment: 'Fair.' },
      },
    });
    for (const where of ['header', 'query'] as const) {
      const { body, headers } = await fox.getReputation(marlow.username, where);
      expect(body).toMatchObject({
        viewer: { stars: 3 },
        feedback: [{ raterUsername: fox.username, comment: 'Fair.' }],
      });
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null]);
    }
    expect((await marlow.getReputation(marlow.username)).body).toMatchObject({ viewer: null, average: 4.82 });
    expect(await fox.rate(fox.username.toUpperCase(), { stars: 5 })).toMatchObject({ status: 400 });

    await fox.signOut();
    clock.advance(VERIFICATION_TTL_SECONDS);
    expect(await fox.rate(marlow.username, { stars: 1 })).toMatchObject({
      status: 401,
      body: { error: 'Invalid session' },
    });
    expect(await fox.update({ bio: '' })).toMatchObject({ status: 401 });
    expect((await fox.getReputation(marlow.username)).body).toMatchObject({ viewer: null, average: 4.82 });
    expect((await profileOf(fox.username)).body).toMatchObject({ profile: { bio: 'Up before the birds.' } });
  });

  it('unlocks an achievement for a rating, even for a user who was never seen online', async () => {
    const unseen = await signInAccount(5);
    const rated = system.simulator.accounts[2]!.username;
    expect(await profileOf(unseen.username)).toMatchObject({ status: 404 });
    expect(await unseen.update({ bio: 'Never there.' })).toMatchObject({ status: 200 });
    expect((await profileOf(unseen.username)).body).toMatchObject({
      playTime: { totalMinutes: 0, lastOnlineAt: null },
    });
    expect(await unseen.rate(rated, { stars: 5 })).toMatchObject({ status: 200 });
    await eventually(async () => {
      expect((await profileOf(unseen.username)).body).toMatchObject({
        achievementCount: 1,
        newUnlocks: [{ key: 'kind-word' }],
      });
    });
  });

  it.each([
    ['out of order', { kind: 'status', status: 500 }],
    ['busy', { kind: 'status', status: 429 }],
    ['gone', { kind: 'close' }],
    ['cut off', { kind: 'truncate', ends: 'cleanly' }],
    ['stuck', { kind: 'stall', ms: 60_000 }],
  ])(
    'with an unknown key is answered 503 for writes, and reads work, while the auth service is %s',
    async (_, fault) => {
      const known = await signInAccount(3);
      const rated = system.simulator.accounts[4]!.username;
      expect(await known.rate(rated, { stars: 4 })).toMatchObject({ status: 200 });
      const fresh = await signInAccount(2);
      await setFaults(system.networkUrl, [{ path: '/api/auth/verify', ...fault }]);
      try {
        for (const answer of await Promise.all([fresh.rate(rated, { stars: 1 }), fresh.update({ bio: 'lost' })])) {
          expect(answer).toMatchObject({ status: 503, body: { error: expect.any(String) } });
          expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        }
        expect(await fresh.getReputation(rated)).toMatchObject({ status: 200, body: { viewer: null } });
        // A key that was verified before is still trusted.
        expect(await known.rate(rated, { stars: 2 })).toMatchObject({ status: 200 });
      } finally {
        await setFaults(system.networkUrl, []);
      }
      expect((await profileOf(fresh.username)).body).toMatchObject({ profile: { bio: '' } });
      // Verification may be paused for a moment after failures.
      await eventually(async () => expect(await fresh.rate(rated, { stars: 5 })).toMatchObject({ status: 200 }));
      expect(await fresh.getReputation(rated)).toMatchObject({ body: { viewer: { stars: 5 } } });
    },
  );

  it('with a made-up key is rejected for writes', async () => {
    const rated = system.simulator.accounts[4]!.username;
    const path = system.url + pathTo(operations.rateProfile.path, rated);
    const unknownKey = 'made-up-key-of-nobody-0123456789';
    const post = (headers: Record<string, string>, body: object) =>
      getJson(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    expect(await post({ 'X-Session-Key': unknownKey }, { stars: 1 })).toMatchObject({ status: 401 });
    expect(await post({}, { stars: 1, sessionKey: unknownKey })).toMatchObject({ status: 401 });
    expect(await post({}, { stars: 1 })).toMatchObject({ status: 400, body: { error: 'sessionKey is required' } });
    expect((await getJson(`${path}?sessionKey=${unknownKey}`)).body).toMatchObject({ viewer: null });
  });
});
