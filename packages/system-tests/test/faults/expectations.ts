import { formatTimestamp, operations, SLOT_SECONDS, streamEvents, type OperationResponse } from '@lobbystats/contracts';
import { eventually, getJson, mostWithin } from '@lobbystats/test-kit';
import { readStream } from '@lobbystats/test-kit/stream-reading';
import { compose, expectNoMessages, gatewayUrl, stack, world } from '../compose/stack.ts';
import { expectSiteSeries, simulatedSlots } from '../standalone/expect-series.ts';
import { expectAcknowledgedRatings, RatingLoad } from '../standalone/rating-load.ts';
import { pathTo, signInAll, type Reputation } from '../standalone/sign-in.ts';
import { POISONED_QUEUES } from './bus-messages.ts';
import { deadLetters } from './dead-letters.ts';
import type { Outcome } from './load.ts';
import { expectStatus, newHistory, newSearch, request, usernames } from './requests.ts';
import { gamePageRequests, networkUrl } from './stack-faults.ts';

/** Checks while a fault lasts, and after it. */
export interface Expectations {
  /** Repeated until all alerts of the row fire, at least once. */
  readonly during?: () => Promise<void>;
  /** Once every service is healthy again. */
  readonly after?: () => Promise<void>;
}

const { getLobbySeries, getNow, getOnlineUsers, getReputation, getUserAchievements } = operations;
const { getLeaderboardScores, getProfile, listAchievements, listChanges, listGames } = operations;

/** Users rate before, during and after the fault. Each acknowledged rating is stored once. */
export async function ratingsGoOn(resources: AsyncDisposableStack): Promise<Expectations> {
  const raters = await signInAll({ url: gatewayUrl, networkUrl });
  const profiles = await usernames(12);
  const ratings = new RatingLoad(raters, profiles, { everyMs: 200 });
  resources.defer(() => ratings.stop());
  ratings.setUrl(gatewayUrl);
  await ratings.acknowledge(20);
  return {
    during: () => ratings.acknowledge(20),
    after: async () => {
      await ratings.acknowledge(20);
      await ratings.stop();
      await eventually(() => expectAcknowledgedRatings(gatewayUrl, ratings.ratings.values()), { everyMs: 1000 });
    },
  };
}

/** The same, and the stream that was opened before has the newest rating of each profile after the fault. */
export async function ratingsAreStreamed(resources: AsyncDisposableStack): Promise<Expectations> {
  const stream = await readStream(`${gatewayUrl}${streamEvents.path}?topics=ratings`);
  resources.defer(() => stream.disconnect());
  const { during, after } = await ratingsGoOn(resources);
  return {
    during: async () => during?.(),
    after: async () => {
      await after?.();
      await eventually(() => expectNewestRatings(stream.events), { everyMs: 1000 });
    },
  };
}

async function expectNewestRatings(events: readonly { data: unknown }[]): Promise<void> {
  const ratings = events.map(({ data }) => data as Pick<Reputation, 'average' | 'ratingCount'> & { username: string });
  const newest = new Map(ratings.map((rating) => [rating.username, rating]));
  expect(newest.size).toBeGreaterThan(5);
  for (const [username, { average, ratingCount }] of newest)
    expect((await request(pathTo(getReputation.path, username))).body).toMatchObject({ average, ratingCount });
}

/** Without MongoDB cached responses are served, with their age; all else is 503, and an unacknowledged rating is stored once or not at all. */
export async function cacheServes(): Promise<Expectations> {
  const users = await signInAll({ url: gatewayUrl, networkUrl });
  const [user] = users as [(typeof users)[number]];
  const [other = ''] = (await usernames(2)).filter((name) => name !== user.username);
  const cached = [listGames.path, listAchievements.path, `${listChanges.path}?limit=7`];
  const isHit = async (path: string) => expect((await request(path)).headers['cache-status']).toContain('; hit');
  for (const path of cached) await eventually(() => isHit(path));
  const countRatings = async () => (await user.getReputation(other)).body.ratingCount;
  const before = await countRatings();
  let requests = 0;
  return {
    during: async () => {
      for (const path of cached)
        expect(await request(path)).toMatchObject({ status: 200, headers: { age: expect.any(String) } });
      expect((await user.rate(other, { stars: 1 })).status).toBe(503);
      expect((await user.getReputation(other)).status).toBe(503);
      requests += 1;
      await expectStatus(`${pathTo(getLeaderboardScores.path, other)}?limit=${11 + (requests % 80)}`, 503);
      await expectStatus(pathTo(getProfile.path, `nobody ${requests}`), 503);
    },
    after: async () => expect([before, before + 1]).toContain(await countRatings()),
  };
}

const COLLECTORS = 4;
/** The default of COLLECTOR_MAX_RPS. */
const MAX_RPS = 20;
/** Pages that a collector may have taken and not yet requested. */
const JOBS_AT_ONCE = 2;
const NOTICED_SECONDS = 4;

/** Four collectors store the slot whole: only pages in progress at the kill are read again, within the rate limit. */
export async function slotIsWhole(resources: AsyncDisposableStack): Promise<Expectations> {
  const scale = async (replicas: number): Promise<void> => {
    const up = ['up', '-d', '--no-deps', '--no-recreate', '--wait'];
    await compose(...up, '--scale', `collector=${replicas}`, 'collector');
  };
  resources.defer(() => scale(1));
  await scale(COLLECTORS);
  return {
    during: async () => {
      const slot = Math.floor(Date.now() / 1000 / SLOT_SECONDS) * SLOT_SECONDS;
      const isStored = async (): Promise<void> => {
        const lobbies = (await request(`${getLobbySeries.path}?days=1`)).body as OperationResponse<
          typeof getLobbySeries
        >;
        expect(lobbies.at(-1)?.recorded_at).toBe(formatTimestamp(slot));
        await expectSiteSeries(gatewayUrl, simulatedSlots(world, slot, slot));
      };
      await eventually(isStored, { timeoutMs: 240_000, everyMs: 500 });
      expect((await gamePageRequests()).reduce((sum, count) => sum + count - 1, 0)).toBeLessThan(20);
      const { body } = await getJson<{ milliseconds: number[] }>(`${networkUrl}/simulator/requests/arrivals`);
      // The simulator of a busy machine notices requests up to a second late. What collectors have taken meets what they take next.
      const sentSeconds = NOTICED_SECONDS + 1;
      expect(mostWithin(NOTICED_SECONDS * 1000, body.milliseconds)).toBeLessThanOrEqual(
        sentSeconds * MAX_RPS + COLLECTORS * JOBS_AT_ONCE,
      );
    },
  };
}

/** Each consumer has a dead letter of each unreadable message; repeated facts change nothing. */
export async function nothingChanges(): Promise<Expectations> {
  const paths = (await usernames(20)).map((name) => pathTo(getReputation.path, name));
  const state = () => Promise.all(paths.map(async (path) => (await request(path)).text));
  const before = await state();
  return {
    during: async () => {
      await eventually(expectNoMessages, { timeoutMs: 600_000, everyMs: 1000 });
      expect((await deadLetters(stack)).map(({ queue }) => queue).toSorted()).toEqual(POISONED_QUEUES);
      expect(await state()).toEqual(before);
    },
  };
}

/** @param statuses of histories that are not cached. Routes of other services are served. */
export function historyIs(...statuses: number[]): () => Promise<Expectations> {
  const during = async (): Promise<void> => {
    for (let round = 0; round < 8; round += 1) {
      const searches = Array.from({ length: 10 }, () => expectStatus(newSearch(), 200));
      await Promise.all([expectStatus(await newHistory(), ...statuses), ...searches]);
    }
  };
  return () => Promise.resolve({ during });
}

/** Without reputation-api its route is 503 or served from the cache, and those of other services are served. */
export async function othersServe(): Promise<Expectations> {
  const names = await usernames(20);
  return {
    during: async () => {
      for (const name of names) await expectStatus(pathTo(getReputation.path, name), 200, 503);
      await expectStatus(newSearch(), 200);
      await expectStatus(await newHistory(), 200);
      await expectStatus(pathTo(getUserAchievements.path, names[0] ?? ''), 200);
    },
  };
}

/** Searches are answered or refused with 503, and nothing else; routes of other services are served. */
export function excessIsRefused(outcomes: readonly Outcome[]): () => Promise<Expectations> {
  const statuses = () => [...new Set(outcomes.map(({ status }) => status))].toSorted();
  return () =>
    Promise.resolve({
      during: async () => {
        const before = outcomes.length;
        await eventually(() => expect(outcomes.length).toBeGreaterThan(before + 200));
        await expectStatus(await newHistory(), 200);
        await expectStatus(getOnlineUsers.path, 200);
      },
      after: async () => expect(statuses()).toEqual([200, 503]),
    });
}

/** Other clients get all responses, each on a connection of its own. */
export function clientsAreServed(): Promise<Expectations> {
  const during = async (): Promise<void> => {
    for (let sent = 0; sent < 200; sent += 1)
      await expectStatus(sent % 2 === 0 ? getNow.path : `${listGames.path}?limit=1&offset=${sent}`, 200);
  };
  return Promise.resolve({ during });
}
