import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  BOARD_PASS_SECONDS,
  DAY_SECONDS,
  operations,
  SLOT_SECONDS,
  usernameKey,
  type OperationAnswer,
} from '@lobbystats/contracts';
import { openDeadLetters } from '@lobbystats/message-bus';
import { createSimulator } from '@lobbystats/simulator';
import { eventually, getJson, temporaryDirectory } from '@lobbystats/test-kit';
import { expectListsLikeTruth } from './achievements-like-truth.ts';
import { slotIsThere } from './live-hour.ts';
import { expectAchievementsLikeTruth, type Background, type ShownAchievements } from './people-like-truth.ts';
import { peopleTruth, unseen, type PeopleTruth, type PersonTruth } from './people-truth.ts';
import { placesAt } from './ranks-truth.ts';
import { expectRatingsLikeTold, RatingStorm } from './rating-storm.ts';
import { systemEnv } from './run-system.ts';
import { logIn, pathTo } from './site-sessions.ts';

const FILL_DAYS = 2;
const FILL_KILLS = 5;
const LIVE_KILLS = 5;
const startedAt = Date.parse('2026-01-31T12:00:00Z') / 1000;

let nowMs = startedAt * 1000;
const simulator = createSimulator({
  ...{ clock: () => nowMs, titles: 12, openMatches: 1, players: 200 },
  ...{ boards: 30, entries: 900, boardChanges: 0 },
});
const { world } = simulator;
const running = new Set<ChildProcess>();
let endStorm: () => Promise<void> = () => Promise.resolve();

afterAll(async () => {
  await endStorm();
  for (const child of running) child.kill('SIGKILL');
  await simulator.stop();
});

interface RunningProcess {
  readonly process: ChildProcess;
  readonly url: string;
}

/** A system in a process of its own, a second after the network's time. */
async function startSystem(directory: string, networkUrl: string): Promise<RunningProcess> {
  const env = systemEnv(directory, networkUrl, {
    NETWORK_CLOCK_TOLERANCE_SECONDS: '1',
    FILL_DAYS: String(FILL_DAYS),
    FILL_PLAYER_DAYS: String(FILL_DAYS),
    FILL_BOARD_DAYS: '1',
  });
  const main = join(import.meta.dirname, 'fixtures/run-system-main.ts');
  const child = spawn(process.execPath, [main, String(nowMs + 1000)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) return { process: child, url };
  }
  throw new Error('the system ended before it was ready');
}

/** `kill -9`, some milliseconds from now. */
async function kill({ process: child }: RunningProcess, inMs: number): Promise<void> {
  const gone = once(child, 'exit');
  setTimeout(() => child.kill('SIGKILL'), inMs);
  await gone;
  running.delete(child);
}

async function minutesOf(url: string, { username }: PersonTruth): Promise<number | undefined> {
  const { status, body } = await getJson<OperationAnswer<typeof operations.getProfile>>(
    url + pathTo(operations.getProfile.path, username),
  );
  return status === 200 ? body.playTime.totalMinutes : undefined;
}

/**
 * Slots may have been lived through, or not: a kill comes before they are read, or after. Of each one all must be told or
 * nobody. Gives the truth of what fits everybody's minutes.
 */
function whichWereTold(
  people: PeopleTruth,
  minutes: ReadonlyMap<string, number | undefined>,
  open: readonly number[],
): PeopleTruth {
  for (let choice = 0; choice < 2 ** open.length; choice += 1) {
    const left = new Set(open.filter((_, index) => (choice & (1 << index)) === 0));
    const told = new Map([...people].map(([key, person]) => [key, without(person, left)]));
    if ([...told].every(([key, { played }]) => (minutes.get(key) ?? 0) === played.size * 5)) return told;
  }
  throw new Error('no choice of the slots that may have been read fits everybody’s minutes');
}

function without(person: PersonTruth, slots: ReadonlySet<number>): PersonTruth {
  return { ...person, played: new Map([...person.played].filter(([slot]) => !slots.has(slot))) };
}

it('counts each slot, unlock and rating once, when it is killed again and again as people come, play and rate', async () => {
  const directory = temporaryDirectory();
  const { url: networkUrl } = await simulator.start();
  const raters = await Promise.all(simulator.accounts.map((account) => logIn({ url: '', networkUrl }, account)));
  const profiles = [...new Set(world.onlineAt(startedAt).map(({ player }) => world.personOf(player).username))].slice(
    0,
    12,
  );
  const storm = new RatingStorm(raters, profiles);
  endStorm = () => storm.stop();

  const killedAt: number[] = [];
  let system: RunningProcess;
  for (let round = 0; round < FILL_KILLS + LIVE_KILLS; round += 1) {
    nowMs = (startedAt + round * SLOT_SECONDS) * 1000;
    system = await startSystem(directory, networkUrl);
    storm.at(system.url);
    if (round >= FILL_KILLS) await slotIsThere(system.url, startedAt + round * SLOT_SECONDS).catch(() => undefined);
    await kill(system, (round * 397) % 1201);
    storm.at('');
    killedAt.push(storm.acknowledged);
  }
  expect(new Set(killedAt).size).toBeGreaterThan(3);

  const last = startedAt + BOARD_PASS_SECONDS;
  nowMs = last * 1000;
  system = await startSystem(directory, networkUrl);
  const { url } = system;
  storm.at(url);
  const before = storm.acknowledged;
  await eventually(() => expect(storm.acknowledged).toBeGreaterThan(before + 50), { timeoutMs: 30_000 });
  await storm.stop();
  await slotIsThere(url, last);
  const people = peopleTruth(world, {
    playersFrom: Math.floor(startedAt / DAY_SECONDS) * DAY_SECONDS - FILL_DAYS * DAY_SECONDS,
    matchesFrom: startedAt - FILL_DAYS * DAY_SECONDS,
    matchesTo: startedAt - SLOT_SECONDS,
    to: last,
  });
  const open = Array.from({ length: FILL_KILLS + LIVE_KILLS }, (_, round) => startedAt + round * SLOT_SECONDS);
  const unlived = new Set([startedAt + 10 * SLOT_SECONDS, startedAt + 11 * SLOT_SECONDS]);
  const possible = new Map([...people].map(([key, person]) => [key, without(person, unlived)]));
  const minutes = new Map<string, number | undefined>();
  const told = await eventually(
    async () => {
      for (const [key, person] of possible) minutes.set(key, await minutesOf(url, person));
      return whichWereTold(possible, minutes, open);
    },
    { timeoutMs: 40_000, everyMs: 500 },
  );
  const given = await expectRatingsLikeTold(url, storm.given.values());

  const places = placesAt(world, last);
  const background: Background = {
    url,
    now: nowMs / 1000 + 120,
    titles: new Map(),
    places,
    standings: { surely: [places], ever: [places] },
  };
  const everybodys = new Map<string, ShownAchievements>();
  // Who came only in slots of which nobody was told isn't there; who has rated is, though the network never showed them.
  const there = [...told].filter(([key]) => minutes.get(key) !== undefined).map(([, person]) => person);
  const others = raters.filter(({ username }) => minutes.get(usernameKey(username)) === undefined);
  for (const person of [
    ...there,
    ...others.map(({ username }) => unseen({ username, gamertag: '', verified: false })),
  ]) {
    const ratings = [...given].find(([rater]) => usernameKey(rater) === usernameKey(person.username))?.[1] ?? 0;
    const shown = await eventually(() => expectAchievementsLikeTruth(person, background, ratings), {
      timeoutMs: 15_000,
      everyMs: 100,
    });
    everybodys.set(person.username, shown);
  }
  await expectListsLikeTruth(url, everybodys);
  await kill(system, 0);
  const letters = await openDeadLetters({ url: `memory:${join(directory, 'bus.sqlite')}` });
  expect(await letters.list()).toEqual([]);
  await letters.close();
}, 240_000);
