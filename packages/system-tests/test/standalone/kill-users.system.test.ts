import { join } from 'node:path';
import {
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  operations,
  SLOT_SECONDS,
  usernameKey,
  type OperationResponse,
} from '@lobbystats/contracts';
import { openDeadLetterStore } from '@lobbystats/service-kit/bus';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectAchievementLists } from './expect-achievement-lists.ts';
import { waitForSlot } from './run-through-hour.ts';
import { expectUserAchievements, type ExpectedContext, type AchievementsResponse } from './expect-user.ts';
import { expectedUsers, unseenUser, type ExpectedUsers, type ExpectedUser } from './expected-users.ts';
import { entriesAt } from './expected-entries.ts';
import { startKillable, type KillableSystem } from './killable-system.ts';
import { expectAcknowledgedRatings, RatingLoad } from './rating-load.ts';
import { systemEnv } from './run-system.ts';
import { signIn, pathTo } from './sign-in.ts';

const BACKFILL_DAYS = 2;
const BACKFILL_KILLS = 5;
const LIVE_KILLS = 5;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;

let nowMs = startedAt * 1000;
const simulator = createSimulator({
  ...{ clock: () => nowMs, titles: 12, openMatches: 1, players: 200 },
  ...{ boards: 30, entries: 900, boardChanges: 0 },
});
const { world } = simulator;
let stopRatings: () => Promise<void> = () => Promise.resolve();

afterAll(async () => {
  await stopRatings();
  await simulator.stop();
});

/** Starts the system one second after the time of the network. */
async function startSystem(directory: string, networkUrl: string): Promise<KillableSystem> {
  const env = systemEnv(directory, networkUrl, {
    NETWORK_CLOCK_TOLERANCE_SECONDS: '1',
    BACKFILL_DAYS: String(BACKFILL_DAYS),
    BACKFILL_PLAY_TIME_DAYS: String(BACKFILL_DAYS),
    BACKFILL_LEADERBOARD_DAYS: '1',
  });
  return startKillable(nowMs + 1000, env);
}

async function fetchMinutes(url: string, { username }: ExpectedUser): Promise<number | undefined> {
  const { status, body } = await getJson<OperationResponse<typeof operations.getProfile>>(
    url + pathTo(operations.getProfile.path, username),
  );
  return status === 200 ? body.playTime.totalMinutes : undefined;
}

/**
 * A kill may come before or after a slot was read, but each slot must be counted for all users or for none.
 * Returns the expected users for the combination of slots that matches the minutes of all users.
 */
function matchingUsers(
  users: ExpectedUsers,
  minutes: ReadonlyMap<string, number | undefined>,
  open: readonly number[],
): ExpectedUsers {
  for (let choice = 0; choice < 2 ** open.length; choice += 1) {
    const left = new Set(open.filter((_, index) => (choice & (1 << index)) === 0));
    const candidate = new Map([...users].map(([key, user]) => [key, withoutSlots(user, left)]));
    if ([...candidate].every(([key, { playedSlots }]) => (minutes.get(key) ?? 0) === playedSlots.size * 5))
      return candidate;
  }
  throw new Error('no combination of the slots that may have been read matches the minutes of all users');
}

function withoutSlots(user: ExpectedUser, slots: ReadonlySet<number>): ExpectedUser {
  return { ...user, playedSlots: new Map([...user.playedSlots].filter(([slot]) => !slots.has(slot))) };
}

it('slots, unlocks and ratings are counted exactly once when the process is killed repeatedly', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const raters = await Promise.all(simulator.accounts.map((account) => signIn({ url: '', networkUrl }, account)));
  const profiles = [...new Set(world.onlineAt(startedAt).map(({ player }) => world.userOf(player).username))].slice(
    0,
    12,
  );
  const storm = new RatingLoad(raters, profiles);
  stopRatings = () => storm.stop();

  const killedAt: number[] = [];
  let system: KillableSystem;
  for (let round = 0; round < BACKFILL_KILLS + LIVE_KILLS; round += 1) {
    nowMs = (startedAt + round * SLOT_SECONDS) * 1000;
    system = await startSystem(directory, networkUrl);
    storm.setUrl(system.url);
    if (round >= BACKFILL_KILLS) {
      await waitForSlot(system.url, startedAt + round * SLOT_SECONDS).catch(() => undefined);
      await storm.acknowledge(1);
    }
    await system.kill((round * 397) % 1201);
    storm.setUrl('');
    killedAt.push(storm.acknowledged);
  }
  expect(new Set(killedAt).size).toBeGreaterThan(3);

  const last = startedAt + BOARD_PASS_SECONDS;
  nowMs = last * 1000;
  system = await startSystem(directory, networkUrl);
  const { url } = system;
  storm.setUrl(url);
  await storm.acknowledge(50);
  await storm.stop();
  await waitForSlot(url, last);
  const users = expectedUsers(world, {
    playersFrom: Math.floor(startedAt / DAY_SECONDS) * DAY_SECONDS - BACKFILL_DAYS * DAY_SECONDS,
    matchesFrom: startedAt - BACKFILL_DAYS * DAY_SECONDS,
    matchesTo: startedAt - SLOT_SECONDS,
    to: last,
  });
  const open = Array.from({ length: BACKFILL_KILLS + LIVE_KILLS }, (_, round) => startedAt + round * SLOT_SECONDS);
  const unlived = new Set([startedAt + 10 * SLOT_SECONDS, startedAt + 11 * SLOT_SECONDS]);
  const possible = new Map([...users].map(([key, user]) => [key, withoutSlots(user, unlived)]));
  const minutes = new Map<string, number | undefined>();
  const countedUsers = await eventually(
    async () => {
      for (const [key, user] of possible) minutes.set(key, await fetchMinutes(url, user));
      return matchingUsers(possible, minutes, open);
    },
    { everyMs: 500 },
  );
  const ratingCounts = await expectAcknowledgedRatings(url, storm.ratings.values());

  const entries = entriesAt(world, last);
  const background: ExpectedContext = {
    url,
    now: nowMs / 1000 + 120,
    titles: new Map(),
    entries,
    standings: { observed: [entries], possible: [entries] },
  };
  const everybodys = new Map<string, AchievementsResponse>();
  // Users seen only in unread slots do not exist; users who rated do, even if they were never seen.
  const there = [...countedUsers].filter(([key]) => minutes.get(key) !== undefined).map(([, user]) => user);
  const others = raters.filter(({ username }) => minutes.get(usernameKey(username)) === undefined);
  for (const user of [
    ...there,
    ...others.map(({ username }) => unseenUser({ username, gamertag: '', verified: false })),
  ]) {
    const ratings = [...ratingCounts].find(([rater]) => usernameKey(rater) === usernameKey(user.username))?.[1] ?? 0;
    const achievements = await eventually(() => expectUserAchievements(user, background, ratings), { everyMs: 100 });
    everybodys.set(user.username, achievements);
  }
  await expectAchievementLists(url, everybodys);
  await system.kill();
  const letters = await openDeadLetterStore({ url: `memory:${join(directory, 'bus.sqlite')}` });
  expect(await letters.list()).toEqual([]);
  await letters.close();
});
