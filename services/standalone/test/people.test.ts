import { BOARD_PASS_SECONDS, DAY_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { eventually, fixedClock } from '@lobbystats/test-kit';
import { expectListsLikeTruth } from './achievements-like-truth.ts';
import { liveThroughHour } from './live-hour.ts';
import {
  expectAchievementsLikeTruth,
  expectPersonLikeTruth,
  shownTitles,
  type Background,
  type ShownAchievements,
} from './people-like-truth.ts';
import { peopleTruth } from './people-truth.ts';
import { placesAt } from './ranks-truth.ts';
import { runSystem } from './run-system.ts';

const FILL_DAYS = 2;
const BOARD_DAYS = 1;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;
const clock = fixedClock('2026-01-31T12:00:05Z');

/** Passes of the boards from the first to the last, both included. */
function passes(from: EpochSeconds, to: EpochSeconds): EpochSeconds[] {
  return Array.from({ length: (to - from) / BOARD_PASS_SECONDS + 1 }, (_, index) => from + index * BOARD_PASS_SECONDS);
}

it('knows of everybody what they have done, as the network tells it of the past and then live', async () => {
  const { url, simulator } = await runSystem({
    clock,
    world: { titles: 20, openMatches: 1, players: 200, boards: 80, entries: 2500, boardChanges: 0.1 },
    env: { FILL_DAYS: String(FILL_DAYS), FILL_PLAYER_DAYS: String(FILL_DAYS), FILL_BOARD_DAYS: String(BOARD_DAYS) },
  });
  const { world } = simulator;
  const playersFrom = Math.floor(startedAt / DAY_SECONDS) * DAY_SECONDS - FILL_DAYS * DAY_SECONDS;
  const matchesFrom = startedAt - FILL_DAYS * DAY_SECONDS;
  const lastFilled = startedAt - BOARD_PASS_SECONDS;

  /** Compares everybody, when boards are those of a pass and the newest slot is this one. */
  const compare = async (pass: EpochSeconds, to: EpochSeconds) => {
    const people = peopleTruth(world, { playersFrom, matchesFrom, to });
    const titles = await eventually(
      async () => {
        const shown = await shownTitles(url);
        expect(shown.size).toBeGreaterThanOrEqual(world.titlesAt(to).length);
        return shown;
      },
      { timeoutMs: 20_000 },
    );
    const places = placesAt(world, pass);
    const ever = passes(startedAt - BOARD_DAYS * DAY_SECONDS, pass).map((one) => placesAt(world, one));
    const background: Background = {
      ...{ url, now: clock() / 1000, titles, places },
      standings: { surely: [placesAt(world, lastFilled), places], ever },
    };
    const everybodys = new Map<string, ShownAchievements>();
    for (const person of people.values()) {
      await eventually(() => expectPersonLikeTruth(person, background), { timeoutMs: 20_000, everyMs: 100 });
    }
    for (const person of people.values()) {
      const shown = await eventually(() => expectAchievementsLikeTruth(person, background), {
        timeoutMs: 10_000,
        everyMs: 100,
      });
      everybodys.set(person.username, shown);
    }
    await expectListsLikeTruth(url, everybodys);
    return everybodys;
  };

  const filled = await compare(lastFilled, startedAt);
  expect(filled.size).toBeGreaterThan(200);
  const unlocks = [...filled.values()].reduce((sum, { achievements }) => sum + achievements.length, 0);
  expect(unlocks).toBeGreaterThan(500);
  await liveThroughHour(url, startedAt, (now) => clock.advance(now - clock() / 1000));
  const lived = await compare(startedAt, startedAt + BOARD_PASS_SECONDS - 300);
  for (const [username, { achievements }] of filled) {
    const after = lived.get(username)?.achievements ?? [];
    expect(after).toEqual(expect.arrayContaining(achievements));
  }
}, 240_000);
