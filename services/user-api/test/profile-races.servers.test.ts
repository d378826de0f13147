import { operations, type Profile } from '@lobbystats/contracts';
import { Secret } from '@lobbystats/service-kit';
import { openUserModeration } from '../src/service.ts';
import { DISCORD_API_URL, mockDiscord } from './mock-discord.ts';
import { FORGOTTEN_KEY, NOW, pathOf, runUserApi, type UserProfile } from './running-user-api.ts';
import { mongoPeople } from './stored-mongo.ts';

const PATH = operations.updateProfile.path;

/** Two replicas on one database, which is empty. */
const run = async () => {
  const people = await mongoPeople('profile_races');
  await people.empty();
  mockDiscord();
  const env = { DATABASE_URL: people.url, DISCORD_API_URL };
  return { url: people.url, one: await runUserApi({ env }), other: await runUserApi({ env }) };
};

describe('updates at once, on MongoDB', () => {
  it('by one person, at two replicas, end as one after the other, none by halves', async () => {
    const { one, other } = await run();
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        (number % 2 === 0 ? one : other).send<{ profile: Profile }>(PATH, { bio: `bio ${number}`, avatar_hue: number }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(answers.map(({ body }) => body.profile.bio)).toEqual(numbers.map((number) => `bio ${number}`));
    const { body } = await one.get<UserProfile>(pathOf(operations.getUserProfile, 'EmberFox'));
    expect(body.profile.bio).toBe(`bio ${body.profile.avatar_hue}`);
  });

  it('for one Discord number leave it with one profile', async () => {
    const { one, other } = await run();
    const body = { discord_profile_url: 'https://discord.com/users/123456789012345678' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        (number % 2 === 0 ? one : other).send(PATH, body, { as: `Person ${number}` }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });

  it('leave nothing of somebody who is forgotten meanwhile', async () => {
    const { url, one, other } = await run();
    await one.observe({});
    const moderation = await openUserModeration({
      url,
      origin: 'simulated',
      forgottenKey: new Secret(FORGOTTEN_KEY),
      clock: () => NOW * 1000,
    });
    const writing = Array.from({ length: 20 }, (_, hue) =>
      (hue % 2 === 0 ? one : other).send(PATH, { avatar_hue: hue }),
    );
    const outcome = await moderation.forget('EmberFox');
    const statuses = (await Promise.all(writing)).map(({ status }) => status);
    expect(outcome).toBe('done');
    expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
    expect(await other.get(pathOf(operations.getUserProfile, 'EmberFox'))).toMatchObject({ status: 404 });
    expect(await moderation.forget('EmberFox')).toBe('already');
    await moderation.close();
  });
});
