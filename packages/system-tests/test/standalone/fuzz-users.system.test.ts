import { operations, PRIOR_STARS, PRIOR_VOTES, type Profile } from '@lobbystats/contracts';
import { eventually, fixedClock, getJson, type JsonResponse } from '@lobbystats/test-kit';
import fc from 'fast-check';
import { hostileJson, hostileText } from './fuzz-values.ts';
import { runSystem, type RunningSystem } from './run-system.ts';
import { signIn, pathTo, type SignedInUser, type Reputation } from './sign-in.ts';

const USERS = 4;

/** Expected state of a user, from the responses so far. */
interface ExpectedUser {
  bio: string;
  avatar_hue: number | null;
  avatar_url: string;
  linked_gamertag: string;
  /** Ratings by other users, by their index. */
  ratings: Map<number, { stars: number; comment: string | null }>;
}

type Step =
  | { kind: 'update'; by: number; fields: object }
  | { kind: 'rate'; by: number; whom: number; rating: object }
  | { kind: 'intrude'; as: string; whom: number; fields: object }
  | { kind: 'read'; by: number; whom: number };

const clock = fixedClock('2026-01-31T12:00:05Z');
let system: RunningSystem;
let users: SignedInUser[];
const expectedUsers: ExpectedUser[] = Array.from({ length: USERS }, () => ({
  ...{ bio: '', avatar_hue: null, avatar_url: '', linked_gamertag: '' },
  ratings: new Map<number, { stars: number; comment: string | null }>(),
}));

beforeAll(async () => {
  system = await runSystem({
    clock,
    world: { titles: 4, openMatches: 1, players: 60, boards: 0, entries: 0 },
    env: { BACKFILL_DAYS: '1' },
    scope: 'file',
  });
  const accounts = system.simulator.accounts.slice(0, USERS);
  users = await Promise.all(accounts.map((account) => signIn(system, account)));
  for (const { username } of users) {
    const paths = [operations.getReputation.path, operations.getProfile.path].map((path) => pathTo(path, username));
    for (const path of paths) await eventually(() => expectFound(path));
  }
});

async function expectFound(path: string): Promise<void> {
  if ((await getJson(system.url + path)).status !== 200) throw new Error(`${path} is not found yet`);
}

const userIndex = fc.nat({ max: USERS - 1 });
const someText = fc.constantFrom('Up before the birds.', 'Grüße 🏁', 'x', null, '');
/** Mostly valid values. */
const mostlyValid = (right: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { arbitrary: right, weight: 6 },
    { arbitrary: hostileText, weight: 2 },
    { arbitrary: hostileJson, weight: 1 },
  );
const field = fc.oneof(
  mostlyValid(someText).map((bio) => ({ bio })),
  mostlyValid(fc.integer({ min: -1, max: 360 })).map((hue) => ({ avatar_hue: hue })),
  mostlyValid(fc.constantFrom('https://pictures.example/a.png', 'http://a', 'https://a\\b', '')).map((url) => ({
    avatar_url: url,
  })),
  mostlyValid(someText).map((gamertag) => ({ linked_gamertag: gamertag })),
);
const readOnlyField = fc.oneof(
  hostileJson.map((username) => ({ username })),
  fc.boolean().map((verified) => ({ console_verified: verified })),
  fc.tuple(hostileText, hostileJson).map(([name, value]) => ({ [name]: value })),
);
const update: fc.Arbitrary<object> = fc
  .tuple(fc.array(field, { maxLength: 2 }), readOnlyField, fc.nat({ max: 5 }))
  .map(([own, other, odd]) => Object.assign({}, ...(odd === 0 ? [...own, other] : own)) as object);
const rating = fc.record(
  {
    stars: mostlyValid(fc.integer({ min: 1, max: 5 })),
    comment: mostlyValid(someText),
  },
  { requiredKeys: ['stars'] },
);
const invalidKey = fc.oneof(
  fc.constantFrom('', 'made-up', 'x'.repeat(5000), '__proto__'),
  fc.stringMatching(/^[!-~]{1,40}$/),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('update'), by: userIndex, fields: update }),
  fc.record({ kind: fc.constant('rate'), by: userIndex, whom: userIndex, rating }),
  fc.record({ kind: fc.constant('intrude'), as: invalidKey, whom: userIndex, fields: update }),
  fc.record({ kind: fc.constant('read'), by: userIndex, whom: userIndex }),
);

it('profiles and ratings stay correct under fuzzed reads and writes', async () => {
  const stories = fc.array(step, { minLength: 5, maxLength: 15 });
  // Writes persist: a failing story can not be replayed or shrunk.
  const options = { numRuns: 5, endOnFailure: true };
  // Ensures that there is state to check, whatever the seed.
  await runStep({ kind: 'update', by: 0, fields: { bio: 'Up before the birds.' } });
  await runStep({ kind: 'rate', by: 0, whom: 1, rating: { stars: 4 } });
  expect(expectedUsers.map(({ bio, ratings }) => [bio, ratings.size]).slice(0, 2)).toEqual([
    ['Up before the birds.', 0],
    ['', 1],
  ]);
  await fc.assert(
    fc.asyncProperty(stories, async (steps) => {
      for (const one of steps) await runStep(one);
      for (let whom = 0; whom < USERS; whom += 1) await read((whom + 1) % USERS, whom);
    }),
    options,
  );
});

async function runStep(one: Step): Promise<void> {
  switch (one.kind) {
    case 'update':
      await updateOwn(one.by, one.fields);
      await read(one.by, one.by);
      return;
    case 'rate':
      await rate(one.by, one.whom, one.rating);
      await read(one.by, one.whom);
      return;
    case 'intrude':
      await writeWithInvalidKey(one.as, one.whom, one.fields);
      return;
    case 'read':
      await read(one.by, one.whom);
  }
}

async function updateOwn(by: number, requestBody: object): Promise<void> {
  const { status } = await users[by]!.update(requestBody);
  const data = operations.updateProfile.body?.safeParse(requestBody).data;
  expect([requestBody, status]).toEqual([requestBody, data === undefined ? 400 : 200]);
  if (data === undefined) return;
  const truth = expectedUsers[by]!;
  if (data.bio !== undefined) truth.bio = data.bio ?? '';
  if (data.avatar_hue !== undefined) truth.avatar_hue = data.avatar_hue;
  if (data.avatar_url !== undefined) truth.avatar_url = data.avatar_url ?? '';
  if (data.linked_gamertag !== undefined) truth.linked_gamertag = data.linked_gamertag ?? '';
}

async function rate(by: number, whom: number, requestBody: object): Promise<void> {
  const { status } = await users[by]!.rate(users[whom]!.username, requestBody);
  const data = operations.rateProfile.body?.safeParse(requestBody).data;
  const isTaken = data !== undefined && by !== whom;
  expect([requestBody, status]).toEqual([requestBody, isTaken ? 200 : 400]);
  if (isTaken) expectedUsers[whom]!.ratings.set(by, { stars: data.stars, comment: data.comment ?? null });
}

/** Writes without a valid session are rejected. */
async function writeWithInvalidKey(key: string, whom: number, requestBody: object): Promise<void> {
  const post = (path: string, body: object): Promise<JsonResponse> =>
    getJson(system.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key !== '' && { 'X-Session-Key': key }) },
      body: JSON.stringify(body),
    });
  const rated = await post(pathTo(operations.rateProfile.path, users[whom]!.username), { stars: 1 });
  const updated = await post(operations.updateProfile.path, requestBody);
  expect([rated.status, updated.status]).toEqual(key === '' ? [400, 400] : [401, 401]);
}

/** Fails unless reads reflect all earlier writes immediately. */
async function read(by: number, whom: number): Promise<void> {
  const [reader, { username }, truth] = [users[by]!, users[whom]!, expectedUsers[whom]!];
  const { ratings, ...expectedProfile } = truth;
  const path = system.url + pathTo(operations.getProfile.path, username);
  const profile = await getJson<{ username: string; profile: Profile }>(path);
  expect(profile.body).toMatchObject({ username, profile: expectedProfile });
  const allRatings = [...ratings.values()];
  const sum = allRatings.reduce((total, { stars }) => total + stars, PRIOR_VOTES * PRIOR_STARS);
  const average = Math.round((sum / (PRIOR_VOTES + allRatings.length)) * 100) / 100;
  const own = ratings.get(by);
  const seen = await reader.getReputation(username);
  expect(seen.body).toMatchObject({ average, ratingCount: allRatings.length });
  expect(
    seen.body.viewer === null ? undefined : { stars: seen.body.viewer.stars, comment: seen.body.viewer.comment },
  ).toEqual(own);
  const anyone = await getJson<Reputation>(system.url + pathTo(operations.getReputation.path, username));
  expect(anyone.body).toMatchObject({ average, ratingCount: allRatings.length, viewer: null });
}
