import { operations } from '@lobbystats/contracts';
import { eventually, fixedClock, getJson } from '@lobbystats/test-kit';
import { runSystem } from './run-system.ts';
import { pathTo, signIn } from './sign-in.ts';
import { siteClient } from './site-client.ts';

const clock = fixedClock('2026-01-31T12:00:05Z');
const OFTEN = { everyMs: 50 };

it('a user sees, exports and removes their data, and erases the account in all services', async () => {
  const system = await runSystem({
    clock,
    world: { titles: 4, openMatches: 2, players: 50, boards: 4, entries: 50 },
    env: { BACKFILL_DAYS: '1' },
  });
  const { url, simulator } = system;
  const [wren, fox] = await Promise.all(simulator.accounts.slice(0, 2).map((account) => signIn(system, account)));
  const { username } = wren!;
  const client = siteClient(url, wren!.sessionKey);
  await eventually(
    async () => {
      expect(await wren!.rate(fox!.username, { stars: 1, comment: 'Late' })).toMatchObject({ status: 200 });
      expect(await fox!.rate(username, { stars: 2, comment: 'Loud' })).toMatchObject({ status: 200 });
    },
    { everyMs: 100 },
  );

  const { gamertag, ...own } = await client.getMe();
  const shown = await client.getProfile({ username });
  expect(own).toMatchObject({ username: shown.username, profile: shown.profile, playTime: shown.playTime });
  const byGamertag = await client.request('getProfile', { username: gamertag });
  expect(byGamertag.body.username).toBe(username);

  expect(await client.listOwnRatings()).toMatchObject({ ratings: [{ username: fox!.username }], total: 1 });
  await client.reportComment({ body: { raterUsername: fox!.username, reason: 'Untrue' } });
  expect(await client.exportMe()).toMatchObject({
    user: { username, gamertag },
    reputation: {
      given: [{ username: fox!.username, comment: 'Late' }],
      received: [{ raterUsername: fox!.username, comment: 'Loud', report: { reason: 'Untrue' } }],
    },
  });
  const removed = await client.removeRating({ username: fox!.username });
  expect(removed.reputation.priorOnly).toBe(true);
  const { body: reputation } = await getJson(url + pathTo(operations.getReputation.path, fox!.username));
  expect(reputation).toMatchObject({ ratingCount: 0, feedback: [] });

  const { confirmation } = await client.eraseMe();
  expect(await client.getMe()).toMatchObject({ username });
  expect(await client.eraseMe({ confirmation: confirmation ?? '' })).toMatchObject({ erased: true });
  await eventually(async () => {
    for (const { path } of [operations.getProfile, operations.getUserAchievements, operations.getReputation]) {
      expect([path, (await getJson(url + pathTo(path, username))).status]).toEqual([path, 404]);
    }
  }, OFTEN);
  await expect(client.getMe()).rejects.toMatchObject({ status: 403 });
  expect((await wren!.rate(fox!.username, { stars: 1 })).status).toBe(403);
  expect(system.log.join('')).not.toContain(wren!.sessionKey);
});
