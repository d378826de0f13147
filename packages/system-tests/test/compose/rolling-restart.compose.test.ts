import { operations } from '@lobbystats/contracts';
import type { Account } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { deadLetters } from '../faults/dead-letters.ts';
import { signIn } from '../standalone/sign-in.ts';
import { countByOutcome, load, type Outcome } from '../faults/load.ts';
import { docker } from '@lobbystats/test-kit/docker';
import {
  compose,
  containersOf,
  expectBackfilled,
  expectNoMessages,
  gatewayUrl,
  stack,
  unhealthyServices,
} from './stack.ts';

/** In the order of docs/operating.md. */
const SERVICES = ['series-api', 'catalog-api', 'user-api', 'reputation-api', 'gateway'];
const READS = { perSecond: 30, connections: 16 };
const MIN_USERS = 8;

const OF_SITE = [
  'getOnlineUsers',
  'getOnlineSummary',
  'getOnlineSeries',
  'listGames',
  'listChanges',
  'listEvents',
] as const;
const OF_TITLE = ['getGame', 'getTitleOnlineHistory', 'getMatches', 'getDailyStats', 'listLeaderboards'] as const;
const OF_USER = ['getProfile', 'getReputation', 'getUserAchievements'] as const;

interface Targets {
  readonly titleIds: readonly string[];
  readonly usernames: readonly string[];
}

/** Paths of all services in rotation: of the site, of each title and of each user, and searches, which are never cached. */
function pathsOf({ titleIds, usernames }: Targets): string[] {
  const fill = (ids: readonly (keyof typeof operations)[], name: string, values: readonly string[]) =>
    values.flatMap((value) => ids.map((id) => operations[id].path.replace(name, encodeURIComponent(value))));
  const searches = Array.from(
    { length: 600 },
    (_, index) => `${operations.searchByTime.path}?time=0:${(index / 10).toFixed(3).padStart(6, '0')}`,
  );
  const site = OF_SITE.map((id) => operations[id].path);
  const groups = [site, fill(OF_TITLE, ':titleId', titleIds), fill(OF_USER, ':username', usernames), searches];
  const length = Math.max(...groups.map((group) => group.length));
  return Array.from({ length }, (_, index) => groups.map((group) => group[index % group.length] ?? '')).flat();
}

const networkUrl = String(process.env['TEST_SIMULATOR_URL']);

async function scale(service: string, replicas: number): Promise<void> {
  const up = ['up', '-d', '--no-deps', '--no-recreate', '--wait', '--scale', `${service}=${replicas}`, service];
  await compose(...up);
}

/** Starts a second replica before the first one stops. */
async function replace(service: string): Promise<void> {
  const [old] = await containersOf(service);
  await scale(service, 2);
  await docker(['stop', String(old)]);
  await docker(['rm', String(old)]);
  await scale(service, 1);
  expect(await containersOf(service)).not.toContain(old);
}

async function fetchTargets(): Promise<Targets> {
  await expectBackfilled();
  await expectNoMessages();
  const { body: site } = await getJson<{ games: { titleId: string }[] }>(gatewayUrl + operations.listGames.path);
  const { body: achievementBoard } = await getJson<{ leaderboard: { username: string }[] }>(
    gatewayUrl + operations.getAchievementLeaderboard.path,
  );
  if (achievementBoard.leaderboard.length < MIN_USERS) throw new Error('too few users are known yet');
  return {
    titleIds: site.games.map(({ titleId }) => titleId),
    usernames: achievementBoard.leaderboard.map(({ username }) => username),
  };
}

/** Outcomes of all requests. */
interface Traffic {
  readonly reads: Outcome[];
  readonly writes: Outcome[];
}

/** Rates profiles one after another until aborted. */
async function rateContinuously({ usernames }: Targets, { writes }: Traffic, signal: AbortSignal): Promise<void> {
  const { body: accounts } = await getJson<[Account]>(`${networkUrl}/simulator/accounts`);
  const user = await signIn({ url: gatewayUrl, networkUrl }, accounts[0]);
  const others = usernames.filter((name) => name !== user.username);
  while (!signal.aborted) {
    const profile = others[writes.length % others.length] ?? '';
    const [sentAt, began] = [Date.now(), performance.now()];
    const outcome = await user.rate(profile, { stars: 1 + (writes.length % 5) }).then(
      ({ status }) => ({ status }),
      (fault: unknown) => ({ status: 0, failure: String(fault) }),
    );
    writes.push({ ...outcome, path: operations.rateProfile.path, sentAt, ms: performance.now() - began });
  }
}

/** Replaces all services in sequence. Returns the start time of each replacement. */
async function replaceAll(): Promise<{ service: string; at: number }[]> {
  const replacements: { service: string; at: number }[] = [];
  for (const service of SERVICES) {
    replacements.push({ service, at: Date.now() });
    await replace(service);
  }
  // Its leases pass to the new replica.
  replacements.push({ service: 'collector', at: Date.now() });
  await compose('up', '-d', '--no-deps', '--force-recreate', '--wait', 'collector');
  return replacements;
}

function summaryOf(what: string, outcomes: readonly Outcome[]): string {
  const ms = outcomes.map((outcome) => outcome.ms).sort((a, b) => a - b);
  const at = (part: number) => `${(ms[Math.floor((ms.length - 1) * part)] ?? NaN).toFixed(0)} ms`;
  return `${what}: ${JSON.stringify(countByOutcome(outcomes))}, p50 ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}\n`;
}

it('every request succeeds during a rolling restart of all services', async () => {
  await compose('up', '-d', '--wait', '--no-recreate');
  const known = await eventually(fetchTargets, { timeoutMs: 300_000, everyMs: 3000 });
  const ended = new AbortController();
  const { signal } = ended;
  const traffic: Traffic = { reads: [], writes: [] };
  const { reads, writes } = traffic;
  const paths = pathsOf(known);
  const path = (index: number) => paths[index % paths.length] ?? '/';
  const reading = load({ ...READS, url: gatewayUrl, path, signal, onOutcome: (outcome) => reads.push(outcome) });
  const rating = rateContinuously(known, traffic, signal);
  const replacements = await replaceAll().finally(() => {
    ended.abort();
  });
  await Promise.all([reading, rating]);
  process.stdout.write(summaryOf('reads', reads) + summaryOf('writes', writes));
  expect([reads.length > READS.perSecond * 30, writes.length > 50]).toEqual([true, true]);
  const failed = [...reads, ...writes].filter(({ status }) => status !== 200);
  const findReplacedService = (sentAt: number) => replacements.findLast(({ at }) => at <= sentAt)?.service;
  expect(failed.map((outcome) => ({ ...outcome, whileReplaced: findReplacedService(outcome.sentAt) }))).toEqual([]);
  await eventually(async () => expect(await unhealthyServices()).toEqual([]), { everyMs: 1000 });
  expect(await deadLetters(stack)).toEqual([]);
}, 900_000);
