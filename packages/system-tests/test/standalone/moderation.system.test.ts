import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations, SLOT_SECONDS, type OperationResponse } from '@lobbystats/contracts';
import { eventually, fixedClock, getJson } from '@lobbystats/test-kit';
import { waitForSlot } from './run-through-hour.ts';
import { runSystem, type RunningSystem } from './run-system.ts';
import { signIn, pathTo, type SignedInUser, type Reputation } from './sign-in.ts';

const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const clock = fixedClock('2026-01-31T12:00:05Z');
const OFTEN = { everyMs: 50 };

/** Runs the moderation command as a child process. */
async function runModerate({ directory }: RunningSystem, ...args: string[]): Promise<string> {
  const main = join(import.meta.dirname, '../../../cli/src/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'moderate', ...args], {
    env: { DATA_DIR: directory },
  });
  return stdout;
}

it('moderation takes effect within seconds, and erased users are not re-imported from the feed', async () => {
  const system = await runSystem({
    clock,
    world: { titles: 8, openMatches: 2, players: 300, boards: 20, entries: 500 },
    env: { BACKFILL_DAYS: '1', BACKFILL_PLAY_TIME_DAYS: '1', BACKFILL_LEADERBOARD_DAYS: '1' },
  });
  const { url, simulator } = system;
  const { world, accounts } = simulator;
  const statusOf = async (path: string, username: string) => (await getJson(url + pathTo(path, username))).status;
  const reputationOf = async (username: string) =>
    (await getJson<Reputation>(url + pathTo(operations.getReputation.path, username))).body;
  const profileOf = async (username: string) =>
    (await getJson<OperationResponse<typeof operations.getProfile>>(url + pathTo(operations.getProfile.path, username)))
      .body;

  // One user who stays online, and one who can sign in.
  const slots = [0, 1, 2, 3].map((index) => startedAt + index * SLOT_SECONDS);
  const inGame = slots.map(
    (slot) => new Set(world.onlineAt(slot).flatMap(({ player, title }) => (title ? [player] : []))),
  );
  const staying = [...inGame[0]!].filter((player) => inGame.every((online) => online.has(player)));
  const isAccount = new Set(accounts.map(({ player }) => player));
  const [watched, control] = staying.filter((player) => !isAccount.has(player)).map((player) => world.userOf(player));
  const [wren, fox, marlow, ada] = (await Promise.all(accounts.slice(0, 4).map((one) => signIn(system, one)))) as [
    SignedInUser,
    SignedInUser,
    SignedInUser,
    SignedInUser,
  ];
  const rate = async (rater: SignedInUser, username: string, stars: number) =>
    eventually(
      async () => {
        const answer = await rater.rate(username, { stars, comment: `of ${rater.username}` });
        expect(answer).toMatchObject({ status: 200 });
      },
      { everyMs: 50 },
    );
  for (const rated of [ada.username, watched!.username]) {
    for (const rater of [wren, fox, marlow]) await rate(rater, rated, 1);
  }
  await rate(ada, wren.username, 1);
  await rate(fox, wren.username, 5);

  expect(await runModerate(system, 'hide', wren.username, ada.username)).toContain('are hidden');
  await eventually(async () => {
    const { feedback, ...totals } = await reputationOf(ada.username);
    expect(totals).toMatchObject({ average: 4.08, ratingCount: 3 });
    expect(feedback.find(({ raterUsername }) => raterUsername === wren.username)).toMatchObject({
      stars: 1,
      comment: null,
    });
  }, OFTEN);

  const sentAgain = { stars: 1, comment: 'Another text' };
  expect(await wren.rate(ada.username, sentAgain)).toMatchObject({ body: { viewer: { comment: null } } });
  expect(await runModerate(system, 'show', wren.username, ada.username)).toContain('are shown again');
  await eventually(async () => {
    const { feedback } = await reputationOf(ada.username);
    expect(feedback).toContainEqual(expect.objectContaining({ raterUsername: wren.username, ...sentAgain }));
  }, OFTEN);

  expect(await runModerate(system, 'bar', fox.username.toUpperCase())).toContain('is barred');
  await eventually(async () => {
    for (const [rated, average, count] of [
      [ada.username, 4.33, 2],
      [wren.username, 4.64, 1],
    ] as const) {
      const { feedback, ...totals } = await reputationOf(rated);
      expect(totals).toMatchObject({ average, ratingCount: count });
      expect(feedback.map(({ raterUsername }) => raterUsername)).not.toContain(fox.username);
    }
  }, OFTEN);
  expect(await fox.rate(ada.username, { stars: 5 })).toMatchObject({ status: 403 });

  expect(await runModerate(system, 'erase', ada.username)).toContain('is erased');
  expect(await runModerate(system, 'erase', watched!.username)).toContain('is erased');
  const erasedUsernames = [ada.username, watched!.username];
  const userOperations = [
    operations.getProfile,
    operations.getUserAchievements,
    operations.getGamesPlayed,
    operations.getLeaderboardScores,
  ];
  await eventually(async () => {
    for (const username of erasedUsernames) {
      for (const { path } of [...userOperations, operations.getReputation])
        expect([path, await statusOf(path, username)]).toEqual([path, 404]);
    }
    expect(await reputationOf(wren.username)).toMatchObject({ ratingCount: 0, priorOnly: true, average: 5 });
  }, OFTEN);
  expect(await ada.update({ bio: 'Back again.' })).toMatchObject({ status: 403 });
  expect((await ada.rate(wren.username, { stars: 1 })).status).toBe(403);

  const before = (await profileOf(control!.username)).playTime.totalMinutes;
  for (const slot of slots.slice(0, 3)) {
    clock.advance(slot + SLOT_SECONDS + 119.9 - clock() / 1000);
    await waitForSlot(url, slot + SLOT_SECONDS);
  }
  // A user who was not erased is still tracked.
  await eventually(async () => {
    expect((await profileOf(control!.username)).playTime.totalMinutes).toBe(before + 15);
  }, OFTEN);
  for (const username of erasedUsernames) {
    for (const { path } of [...userOperations, operations.getReputation])
      expect([path, await statusOf(path, username)]).toEqual([path, 404]);
  }
  const lists = [operations.listRecentUnlocks, operations.getAchievementLeaderboard].map(
    ({ path }) => `${url}${path}?limit=100`,
  );
  for (const list of lists) {
    const text = JSON.stringify((await getJson(list)).body);
    for (const username of erasedUsernames) expect(text).not.toContain(JSON.stringify(username));
  }
  expect(await runModerate(system, 'erase', ada.username)).toContain('was erased before');
});
