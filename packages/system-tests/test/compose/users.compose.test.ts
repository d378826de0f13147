import { operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { deadLetters } from '../faults/dead-letters.ts';
import { pathTo, signInAll, type Reputation, type SignedInUser } from '../standalone/sign-in.ts';
import { compose, gatewayUrl, stack } from './stack.ts';
import { MongoClient } from 'mongodb';
import type { FaultyStack } from '../faults/inject.ts';

const DATABASES = ['users', 'reputation', 'catalog', 'collector'];

/** Counts all documents in MongoDB, and those that contain one of these texts. */
async function searchDocuments(
  { compose }: Pick<FaultyStack, 'compose'>,
  texts: readonly string[],
): Promise<{ documents: number; found: number }> {
  const host = await compose('port', 'mongodb', '27017');
  const password = await compose('exec', '-T', 'mongodb', 'cat', '/run/secrets/MONGODB_ADMIN_PASSWORD');
  const client = new MongoClient(`mongodb://admin:${password}@${host}/?directConnection=true`);
  let [documents, found] = [0, 0];
  try {
    for (const database of DATABASES.map((name) => client.db(name))) {
      for (const { name } of await database.listCollections().toArray()) {
        for await (const document of database.collection(name).find({}, { raw: true })) {
          documents += 1;
          // With `raw`, which its type does not show, a document is BSON, which has strings as they are.
          const bytes = Buffer.from(document as unknown as Uint8Array);
          if (texts.some((text) => bytes.includes(text))) found += 1;
        }
      }
    }
  } finally {
    await client.close();
  }
  return { documents, found };
}

const { getAchievementLeaderboard, getProfile, getReputation, rateProfile } = operations;
/** Number of rated profiles, each a separate write. */
const RATED_PROFILES = 60;
let users: SignedInUser[];
/** Users seen in the feed. */
let ratableUsernames: string[];

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  users = await signInAll({ url: gatewayUrl, networkUrl: String(process.env['TEST_SIMULATOR_URL']) });
  ratableUsernames = await eventually(
    async () => {
      const { body } = await getJson<OperationResponse<typeof getAchievementLeaderboard>>(
        `${gatewayUrl}${getAchievementLeaderboard.path}?limit=100`,
      );
      if (body.leaderboard.length < RATED_PROFILES) throw new Error('too few users are known yet');
      return body.leaderboard.map(({ username }) => username);
    },
    { timeoutMs: 200_000, everyMs: 1000 },
  );
});

const read = <Body>(path: string, username: string) => getJson<Body>(gatewayUrl + pathTo(path, username));
/** Retries, because requests to a killed service may be answered with 503 for a moment. */
const reputationOf = (username: string) =>
  eventually(async () => {
    const { status, body } = await read<Reputation>(getReputation.path, username);
    expect(status).toBe(200);
    return body;
  });

describe('users of the stack', () => {
  it('sign in, update their profile and rate others, and read their writes at once', async () => {
    const [user] = users as [SignedInUser];
    const bio = `<script>alert(1)</script> ${Date.now()}`;
    // Writes may be answered with 503 during the backfill.
    await eventually(
      async () =>
        expect(await user.update({ bio })).toMatchObject({ status: 200, body: { success: true, profile: { bio } } }),
      { everyMs: 500 },
    );
    const { username } = user;
    expect((await read(getProfile.path, username)).body).toMatchObject({ username, profile: { bio } });

    const other = String(ratableUsernames.find((name) => name !== username));
    const comment = `well played ${Date.now()}`;
    const answer = await user.rate(other, { stars: 4, comment });
    expect(answer).toMatchObject({ status: 200, body: { success: true, viewer: { stars: 4, comment } } });
    expect(await reputationOf(other)).toMatchObject({ viewer: null, feedback: [{ raterUsername: username, comment }] });
    expect(await user.rate(username, { stars: 5 })).toMatchObject({ status: 400 });
    const madeUp = { method: 'POST', body: JSON.stringify({ stars: 5, sessionKey: 'made up' }) };
    const headers = { 'content-type': 'application/json' };
    expect(await getJson(gatewayUrl + pathTo(rateProfile.path, other), { ...madeUp, headers })).toMatchObject({
      status: 401,
    });
  });

  it('are moderated: a comment is hidden, a rater barred, a user erased', async () => {
    const [, user] = users as [SignedInUser, SignedInUser];
    const { username } = user;
    const [profile, forgotten] = ratableUsernames.filter((name) => users.every((one) => one.username !== name)) as [
      string,
      string,
    ];
    await user.rate(profile, { stars: 2, comment: 'unkind' });
    const moderate = (...args: string[]) => compose('run', '--rm', '-T', 'moderate', ...args);
    await moderate('hide', username, profile);
    expect((await reputationOf(profile)).feedback).toContainEqual(
      expect.objectContaining({ raterUsername: username, stars: 2, comment: null }),
    );
    await moderate('bar', username);
    expect((await reputationOf(profile)).feedback.map(({ raterUsername }) => raterUsername)).not.toContain(username);
    expect(await user.rate(profile, { stars: 2 })).toMatchObject({ status: 403 });
    await moderate('erase', forgotten);
    const statuses = async () =>
      Promise.all([getProfile, getReputation].map(async ({ path }) => (await read(path, forgotten)).status));
    await eventually(async () => expect(await statuses()).toEqual([404, 404]));
    expect(await deadLetters(stack)).toEqual([]);
  });

  it('have session keys that appear in no log and no store', async () => {
    const keys = users.map(({ sessionKey }) => sessionKey);
    const logs = await compose('logs', '--no-color');
    const { documents, found } = await searchDocuments(stack, keys);
    expect(documents).toBeGreaterThan(1000);
    expect(found).toBe(0);
    for (const key of keys) {
      expect(key.length).toBeGreaterThan(15);
      expect(logs.includes(key)).toBe(false);
    }
  });
});
