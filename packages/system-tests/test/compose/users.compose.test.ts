import { operations, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { compose, deadLetters, gatewayUrl, killAndStart, unhealthyServices, whilePaused } from './stack.ts';

const { getProfile, getReputation, rateProfile, updateProfile } = operations;
const simulator = String(process.env['TEST_SIMULATOR_URL']);
/** Number of rated profiles, each a separate write. */
const RATINGS = 60;
/** Prints all documents of user-api and reputation-api. */
const DUMP = `--quiet --norc -u admin -p "$(</run/secrets/MONGODB_ADMIN_PASSWORD)" --eval '
  for (const name of ["users", "reputation"]) {
    const database = db.getSiblingDB(name);
    for (const collection of database.getCollectionNames()) {
      database.getCollection(collection).find().forEach((document) => print(EJSON.stringify(document)));
    }
  }'`;

interface Account {
  email: string;
  password: string;
  username: string;
}

interface Session extends Account {
  sessionKey: string;
}

type Reputation = OperationResponse<typeof getReputation>;

let sessions: Session[];
/** Users seen in the feed. */
let ratableUsernames: string[];

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  const { body: accounts } = await getJson<Account[]>(`${simulator}/simulator/accounts`);
  sessions = await Promise.all(accounts.map(signIn));
  ratableUsernames = await eventually(
    async () => {
      const { body } = await getJson<{ leaderboard: { username: string }[] }>(
        `${gatewayUrl}${operations.getAchievementLeaderboard.path}?limit=100`,
      );
      if (body.leaderboard.length < RATINGS) throw new Error('too few users are known yet');
      return body.leaderboard.map(({ username }) => username);
    },
    { timeoutMs: 200_000, everyMs: 1000 },
  );
}, 300_000);

async function signIn(account: Account): Promise<Session> {
  const answer = await sendJson(`${simulator}/api/auth/login`, { email: account.email, password: account.password });
  if (answer.status !== 200) throw new Error(`${account.username} can't log in: ${JSON.stringify(answer.body)}`);
  return { ...account, sessionKey: String((answer.body as { sessionKey: unknown }).sessionKey) };
}

async function sendJson(
  url: string,
  body: unknown,
  { sessionKey, method = 'POST' }: { sessionKey?: string; method?: string } = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(sessionKey !== undefined && { 'x-session-key': sessionKey }) },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

function sessionAt(index = 0): Session {
  const session = sessions[index];
  if (session === undefined) throw new Error('there are too few accounts');
  return session;
}

const pathOf = (path: string, username: string) => gatewayUrl + path.replace(':username', encodeURIComponent(username));
/** Retries, because requests to a killed service may be answered with 503 for a moment. */
const reputationOf = (username: string) =>
  eventually(async () => {
    const { status, body } = await getJson<Reputation>(pathOf(getReputation.path, username));
    expect(status).toBe(200);
    return body;
  });

describe('users of the stack', () => {
  it('sign in, update their profile and rate others, and read their writes at once', async () => {
    const { sessionKey, username } = sessionAt();
    const bio = `<script>alert(1)</script> ${Date.now()}`;
    // Writes may be answered with 503 during the backfill.
    await eventually(
      async () => {
        const updated = await sendJson(gatewayUrl + updateProfile.path, { bio }, { sessionKey, method: 'PATCH' });
        expect(updated).toMatchObject({ status: 200, body: { success: true, profile: { bio } } });
      },
      { everyMs: 500 },
    );
    expect((await getJson(pathOf(getProfile.path, username))).body).toMatchObject({ username, profile: { bio } });

    const other = String(ratableUsernames.find((name) => name !== username));
    const comment = `well played ${Date.now()}`;
    const answer = await sendJson(pathOf(rateProfile.path, other), { stars: 4, comment, sessionKey });
    expect(answer).toMatchObject({ status: 200, body: { success: true, viewer: { stars: 4, comment } } });
    expect(await reputationOf(other)).toMatchObject({ viewer: null, feedback: [{ raterUsername: username, comment }] });
    expect(await sendJson(pathOf(rateProfile.path, username), { stars: 5 }, { sessionKey })).toMatchObject({
      status: 400,
    });
    expect(await sendJson(pathOf(rateProfile.path, other), { stars: 5 }, { sessionKey: 'made up' })).toMatchObject({
      status: 401,
    });
  });

  it('have every acknowledged rating exactly once while services are killed', async () => {
    const { sessionKey, username } = sessionAt(1);
    const profiles = ratableUsernames.filter((name) => name !== username).slice(0, RATINGS);
    const acknowledged = new Map<string, number>();
    const rateAll = async () => {
      for (const [index, profile] of profiles.entries()) {
        const stars = 1 + (index % 5);
        await eventually(
          async () => {
            const { status } = await sendJson(pathOf(rateProfile.path, profile), { stars }, { sessionKey });
            expect(status).toBe(200);
          },
          { everyMs: 100 },
        );
        acknowledged.set(profile, stars);
      }
    };
    const killAll = async () => {
      for (const service of ['reputation-api', 'mongodb', 'rabbitmq', 'user-api']) {
        const before = acknowledged.size;
        await eventually(() => expect(acknowledged.size).toBeGreaterThan(Math.min(before + 5, profiles.length - 1)));
        await killAndStart(service);
      }
    };
    await Promise.all([rateAll(), killAll()]);
    // Facts of ratings reach the gateway's cache once the outbox is published again.
    await eventually(
      async () => {
        for (const [profile, stars] of acknowledged) {
          const { feedback, ratingCount } = await reputationOf(profile);
          const ownFeedback = feedback.filter(({ raterUsername }) => raterUsername === username);
          expect([profile, ...ownFeedback.map((one) => one.stars)]).toEqual([profile, stars]);
          expect(ratingCount).toBe(feedback.length);
        }
      },
      { everyMs: 1000 },
    );
  }, 300_000);

  it('receive 503 while MongoDB is paused, and rejected writes leave no trace', async () => {
    const { sessionKey, username } = sessionAt();
    const other = String(ratableUsernames.find((name) => name !== username));
    const before = await reputationOf(other);
    const areRefused = async () => {
      // With a session key: public responses may come from the cache.
      const [read, write] = await Promise.all([
        getJson(pathOf(getReputation.path, other), { headers: { 'X-Session-Key': sessionKey } }),
        sendJson(pathOf(rateProfile.path, other), { stars: 1 }, { sessionKey }),
      ]);
      expect([read.status, write.status]).toEqual([503, 503]);
    };
    await whilePaused('mongodb', () => eventually(areRefused, { everyMs: 100 }));
    await eventually(async () => expect(await unhealthyServices()).toEqual([]), { everyMs: 1000 });
    // An unacknowledged write may have been applied, but only completely.
    const { ratingCount } = await reputationOf(other);
    expect(ratingCount).toBe(before.ratingCount);
  }, 120_000);

  it('are moderated: a comment is hidden, a rater barred, a user erased', async () => {
    const { sessionKey, username } = sessionAt(1);
    const [first, forgotten] = ratableUsernames.filter((name) =>
      sessions.every((session) => session.username !== name),
    );
    const profile = String(first);
    await sendJson(pathOf(rateProfile.path, profile), { stars: 2, comment: 'unkind' }, { sessionKey });
    const moderate = (...args: string[]) => compose('run', '--rm', '-T', 'moderate', ...args);
    await moderate('hide', username, profile);
    expect((await reputationOf(profile)).feedback).toContainEqual(
      expect.objectContaining({ raterUsername: username, stars: 2, comment: null }),
    );
    await moderate('bar', username);
    expect((await reputationOf(profile)).feedback.map(({ raterUsername }) => raterUsername)).not.toContain(username);
    expect(await sendJson(pathOf(rateProfile.path, profile), { stars: 2 }, { sessionKey })).toMatchObject({
      status: 403,
    });
    await moderate('erase', String(forgotten));
    const statuses = async () =>
      Promise.all(
        [getProfile, getReputation].map(async ({ path }) => (await getJson(pathOf(path, String(forgotten)))).status),
      );
    await eventually(async () => expect(await statuses()).toEqual([404, 404]));
    expect(await deadLetters()).toEqual([]);
  }, 120_000);

  it('have session keys that appear in no log and no store', async () => {
    const keys = sessions.map(({ sessionKey }) => sessionKey);
    const logs = await compose('logs', '--no-color');
    // Searched in the container: the dump is too large to fetch.
    const search = `mongosh ${DUMP} > /tmp/dump; wc -l < /tmp/dump; grep -cF -f <(printf '%s\\n' "$@") /tmp/dump; rm /tmp/dump`;
    const counted = await compose('exec', '-T', 'mongodb', 'bash', '-c', search, 'bash', ...keys);
    const [documents, found] = counted.split('\n').map(Number);
    expect(documents).toBeGreaterThan(1000);
    expect(found).toBe(0);
    for (const key of keys) {
      expect(key.length).toBeGreaterThan(15);
      expect(logs.includes(key)).toBe(false);
    }
  });
});
