import { operations, type OperationAnswer } from '@lobbystats/contracts';
import { eventually, getJson } from '@lobbystats/test-kit';
import { compose, deadLetters, gateway, killAndStart, pauseFor, unhealthy } from './stack.ts';

const { getProfile, getReputation, rateProfile, updateProfile } = operations;
const simulator = String(process.env['TEST_SIMULATOR_URL']);
const PAUSE_SECONDS = 30;
/** More than one person's ratings: each is another write. */
const RATINGS = 60;
/** Prints all documents that the two services of people keep. */
const DUMP = `--quiet --norc -u admin -p "$MONGO_INITDB_ROOT_PASSWORD" --eval '
  for (const name of ["people", "reputation"]) {
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

type Reputation = OperationAnswer<typeof getReputation>;

let sessions: Session[];
/** Whom the feed has shown. */
let rated: string[];

beforeAll(async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  const { body: accounts } = await getJson<Account[]>(`${simulator}/simulator/accounts`);
  sessions = await Promise.all(accounts.map(logIn));
  rated = await eventually(
    async () => {
      const { body } = await getJson<{ leaderboard: { username: string }[] }>(
        `${gateway}${operations.getAchievementLeaderboard.path}?limit=100`,
      );
      if (body.leaderboard.length < RATINGS) throw new Error('too few people are known yet');
      return body.leaderboard.map(({ username }) => username);
    },
    { timeoutMs: 200_000, everyMs: 1000 },
  );
}, 300_000);

async function logIn(account: Account): Promise<Session> {
  const answer = await sent(`${simulator}/api/auth/login`, { email: account.email, password: account.password });
  if (answer.status !== 200) throw new Error(`${account.username} can't log in: ${JSON.stringify(answer.body)}`);
  return { ...account, sessionKey: String((answer.body as { sessionKey: unknown }).sessionKey) };
}

async function sent(
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

function someone(index = 0): Session {
  const session = sessions[index];
  if (session === undefined) throw new Error('there are too few accounts');
  return session;
}

const pathOf = (path: string, username: string) => gateway + path.replace(':username', encodeURIComponent(username));
/** A service that was just killed may be answered for with 503 for a moment. */
const reputationOf = (username: string) =>
  eventually(async () => {
    const { status, body } = await getJson<Reputation>(pathOf(getReputation.path, username));
    expect(status).toBe(200);
    return body;
  });

describe('people in the stack', () => {
  it('log in, change their profile and rate others, and see it at once', async () => {
    const { sessionKey, username } = someone();
    const bio = `<script>alert(1)</script> ${Date.now()}`;
    // While the past comes in a write may be put off with 503: whoever is told so tries again.
    await eventually(
      async () => {
        const updated = await sent(gateway + updateProfile.path, { bio }, { sessionKey, method: 'PATCH' });
        expect(updated).toMatchObject({ status: 200, body: { success: true, profile: { bio } } });
      },
      { timeoutMs: 60_000, everyMs: 500 },
    );
    expect((await getJson(pathOf(getProfile.path, username))).body).toMatchObject({ username, profile: { bio } });

    const other = String(rated.find((name) => name !== username));
    const comment = `well played ${Date.now()}`;
    const answer = await sent(pathOf(rateProfile.path, other), { stars: 4, comment, sessionKey });
    expect(answer).toMatchObject({ status: 200, body: { success: true, viewer: { stars: 4, comment } } });
    expect(await reputationOf(other)).toMatchObject({ viewer: null, feedback: [{ raterUsername: username, comment }] });
    expect(await sent(pathOf(rateProfile.path, username), { stars: 5 }, { sessionKey })).toMatchObject({ status: 400 });
    expect(await sent(pathOf(rateProfile.path, other), { stars: 5 }, { sessionKey: 'made up' })).toMatchObject({
      status: 401,
    });
  });

  it('have every rating that was acknowledged, once, whatever is killed while they rate', async () => {
    const { sessionKey, username } = someone(1);
    const profiles = rated.filter((name) => name !== username).slice(0, RATINGS);
    const acknowledged = new Map<string, number>();
    const rateAll = async () => {
      for (const [index, profile] of profiles.entries()) {
        const stars = 1 + (index % 5);
        await eventually(
          async () => {
            const { status } = await sent(pathOf(rateProfile.path, profile), { stars }, { sessionKey });
            expect(status).toBe(200);
          },
          { timeoutMs: 60_000, everyMs: 100 },
        );
        acknowledged.set(profile, stars);
      }
    };
    const killAll = async () => {
      for (const service of ['reputation-api', 'mongodb', 'rabbitmq', 'user-api']) {
        const before = acknowledged.size;
        await eventually(() => expect(acknowledged.size).toBeGreaterThan(Math.min(before + 5, profiles.length - 1)), {
          timeoutMs: 60_000,
        });
        await killAndStart(service);
      }
    };
    await Promise.all([rateAll(), killAll()]);
    for (const [profile, stars] of acknowledged) {
      const { feedback, ratingCount } = await reputationOf(profile);
      const mine = feedback.filter(({ raterUsername }) => raterUsername === username);
      expect([profile, ...mine.map((one) => one.stars)]).toEqual([profile, stars]);
      expect(ratingCount).toBe(feedback.length);
    }
  }, 300_000);

  it('are told within a second that something is away, and nothing of it stays', async () => {
    const { sessionKey, username } = someone();
    const other = String(rated.find((name) => name !== username));
    const before = await reputationOf(other);
    const pausing = pauseFor('mongodb', PAUSE_SECONDS);
    try {
      await eventually(
        async () => {
          const began = performance.now();
          // With a session: of what everybody may see the gateway has its last copy.
          const [read, write] = await Promise.all([
            getJson(pathOf(getReputation.path, other), { headers: { 'X-Session-Key': sessionKey } }),
            sent(pathOf(rateProfile.path, other), { stars: 1 }, { sessionKey }),
          ]);
          expect([read.status, write.status]).toEqual([503, 503]);
          expect(performance.now() - began).toBeLessThan(3000);
        },
        { timeoutMs: 20_000, everyMs: 100 },
      );
    } finally {
      await pausing;
    }
    await eventually(async () => expect(await unhealthy()).toEqual([]), { timeoutMs: 60_000, everyMs: 1000 });
    // What was not acknowledged may have come about, whole.
    const { ratingCount } = await reputationOf(other);
    expect(ratingCount).toBe(before.ratingCount);
  }, 120_000);

  it('are moderated: a comment hidden, a rater barred, a person forgotten', async () => {
    const { sessionKey, username } = someone(1);
    const [first, forgotten] = rated.filter((name) => sessions.every((session) => session.username !== name));
    const profile = String(first);
    await sent(pathOf(rateProfile.path, profile), { stars: 2, comment: 'unkind' }, { sessionKey });
    const people = (...args: string[]) => compose('run', '--rm', '-T', 'people', ...args);
    await people('hide', username, profile);
    expect((await reputationOf(profile)).feedback).toContainEqual(
      expect.objectContaining({ raterUsername: username, stars: 2, comment: null }),
    );
    await people('bar', username);
    expect((await reputationOf(profile)).feedback.map(({ raterUsername }) => raterUsername)).not.toContain(username);
    expect(await sent(pathOf(rateProfile.path, profile), { stars: 2 }, { sessionKey })).toMatchObject({ status: 403 });
    await people('forget', String(forgotten));
    const statuses = async () =>
      Promise.all(
        [getProfile, getReputation].map(async ({ path }) => (await getJson(pathOf(path, String(forgotten)))).status),
      );
    await eventually(async () => expect(await statuses()).toEqual([404, 404]), { timeoutMs: 20_000 });
    expect(await deadLetters()).toEqual([]);
  }, 120_000);

  it('find their session keys nowhere: not in a log, not in a store', async () => {
    const keys = sessions.map(({ sessionKey }) => sessionKey);
    const logs = await compose('logs', '--no-color');
    // Searched where it lies: there is more of it than one would fetch.
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
