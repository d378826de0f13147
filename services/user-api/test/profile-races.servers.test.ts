import { operations, type Profile } from '@lobbystats/contracts';
import { Secret } from '@lobbystats/service-kit';
import type { JsonResponse } from '@lobbystats/test-kit';
import { openUserModeration } from '../src/admin.ts';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { ERASURE_KEY, NOW, pathOf, runUserApi, type UserProfile } from './running-user-api.ts';
import { prepareUserDatabase } from './prepare-user-database.ts';

const PATH = operations.updateProfile.path;

/** Starts two replicas on one empty database. */
const run = async () => {
  const database = await prepareUserDatabase('profile_races');
  await database.clear();
  mockDiscord();
  const env = { DATABASE_URL: database.url, DISCORD_API_URL };
  return { url: database.url, one: await runUserApi({ env }), other: await runUserApi({ env }) };
};

type UserApi = Awaited<ReturnType<typeof run>>['one'];

/** Repeats an update while it gets 503, as clients do: on a busy machine one may be stored without an answer in time. */
async function updateUntilAnswered(
  api: UserApi,
  ...update: Parameters<UserApi['send']>
): Promise<JsonResponse<{ profile: Profile }>> {
  const answer = await api.send<{ profile: Profile }>(...update);
  return answer.status === 503 ? updateUntilAnswered(api, ...update) : answer;
}

describe('concurrent profile updates on MongoDB', () => {
  it('of one user at two replicas are applied atomically', async () => {
    const { one, other } = await run();
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        updateUntilAnswered(number % 2 === 0 ? one : other, PATH, { bio: `bio ${number}`, avatar_hue: number }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(answers.map(({ body }) => body.profile.bio)).toEqual(numbers.map((number) => `bio ${number}`));
    const { body } = await one.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    expect(body.profile.bio).toBe(`bio ${body.profile.avatar_hue}`);
  });

  it('with the same Discord ID succeed for one profile only', async () => {
    const { one, other } = await run();
    const body = { discord_profile_url: 'https://discord.com/users/123456789012345678' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        updateUntilAnswered(number % 2 === 0 ? one : other, PATH, body, { as: `Person ${number}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });

  it('leave no data of a user who is erased meanwhile', async () => {
    const { url, one, other } = await run();
    await one.observe({});
    const moderation = await openUserModeration({
      url,
      origin: 'simulated',
      erasureKey: new Secret(ERASURE_KEY),
      clock: () => NOW * 1000,
    });
    const writing = Array.from({ length: 20 }, (_, hue) =>
      updateUntilAnswered(hue % 2 === 0 ? one : other, PATH, { avatar_hue: hue }),
    );
    const outcome = await moderation.eraseUser('EmberFox');
    const statuses = (await Promise.all(writing)).map(({ status }) => status);
    expect(outcome).toBe('done');
    expect(statuses.filter((status) => status !== 200 && status !== 403)).toEqual([]);
    expect(await other.get(pathOf(operations.getUserProfile, 'EmberFox'))).toMatchObject({ status: 404 });
    expect(await moderation.eraseUser('EmberFox')).toBe('already');
    await moderation.close();
  });
});
