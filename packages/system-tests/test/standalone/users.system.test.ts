import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { expectAchievementLists } from './expect-achievement-lists.ts';
import { runThroughHour } from './run-through-hour.ts';
import {
  expectUserAchievements,
  expectUser,
  fetchTitles,
  type ExpectedContext,
  type AchievementsResponse,
} from './expect-user.ts';
import { expectedUsers } from './expected-users.ts';
import { entriesAt } from './expected-entries.ts';
import { runSystem } from './run-system.ts';

const BACKFILL_DAYS = 2;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const clock = fixedClock('2026-01-31T12:00:05Z');

/** Leaderboard passes from the first to the last, both inclusive. */
function passes(from: EpochSeconds, to: EpochSeconds): EpochSeconds[] {
  return Array.from({ length: (to - from) / BOARD_PASS_SECONDS + 1 }, (_, index) => from + index * BOARD_PASS_SECONDS);
}

it('profiles, games, scores and achievements of all users match the network after backfill and live slots', async () => {
  const { url, simulator } = await runSystem({
    clock,
    world: { titles: 20, openMatches: 1, players: 200, boards: 80, entries: 2500, boardChanges: 0.1 },
    env: { BACKFILL_DAYS: String(BACKFILL_DAYS) },
  });
  const { world } = simulator;
  const playersFrom = Math.floor(startedAt / DAY_SECONDS) * DAY_SECONDS - BACKFILL_DAYS * DAY_SECONDS;
  const matchesFrom = startedAt - BACKFILL_DAYS * DAY_SECONDS;
  const lastFilled = startedAt - BOARD_PASS_SECONDS;

  /** Compares all users with the expected ones at a pass and a newest slot. */
  const compare = async (pass: EpochSeconds, to: EpochSeconds) => {
    const users = expectedUsers(world, { playersFrom, matchesFrom, to });
    const titles = await eventually(async () => {
      const servedTitles = await fetchTitles(url);
      expect(servedTitles.size).toBeGreaterThanOrEqual(world.titlesAt(to).length);
      return servedTitles;
    });
    const entries = entriesAt(world, pass);
    const possible = passes(startedAt - BACKFILL_DAYS * DAY_SECONDS, pass).map((one) => entriesAt(world, one));
    const background: ExpectedContext = {
      ...{ url, now: clock() / 1000, titles, entries },
      standings: { observed: [entriesAt(world, lastFilled), entries], possible },
    };
    const everybodys = new Map<string, AchievementsResponse>();
    for (const user of users.values()) {
      await eventually(() => expectUser(user, background), { everyMs: 100 });
    }
    for (const user of users.values()) {
      const served = await eventually(() => expectUserAchievements(user, background), { everyMs: 100 });
      everybodys.set(user.username, served);
    }
    await expectAchievementLists(url, everybodys);
    return everybodys;
  };

  const filled = await compare(lastFilled, startedAt);
  expect(filled.size).toBeGreaterThan(200);
  const unlocks = [...filled.values()].reduce((sum, { achievements }) => sum + achievements.length, 0);
  expect(unlocks).toBeGreaterThan(500);
  await runThroughHour({ url, world }, startedAt, (now) => clock.advance(now - clock() / 1000));
  const lived = await compare(startedAt, startedAt + BOARD_PASS_SECONDS - 300);
  for (const [username, { achievements }] of filled) {
    const after = lived.get(username)?.achievements ?? [];
    expect(after).toEqual(expect.arrayContaining(achievements));
  }
});
