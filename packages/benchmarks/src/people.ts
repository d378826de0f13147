import { operations } from '@lobbystats/contracts';
import { openBus } from '@lobbystats/message-bus';
import { silentLogger } from '@lobbystats/service-kit';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { readDefinitionsFile } from '@lobbystats/user-api/definitions.file';
import { Achievements } from '@lobbystats/user-api/achievements';
import { ProfileReader } from '@lobbystats/user-api/profile-reader';
import { userApi } from '@lobbystats/user-api';
import { median, runInterleaved, type Benchmark, type Finding, formatLatencies } from './benchmark.ts';
import { userStoreFixtures, type UserStoreFixture } from './user-store-fixtures.ts';
import { storeUsers } from './store-users.ts';

const USERS = 25_000;
const ROUNDS = 4000;
const LIMIT = 25;
const DRIVER_BOUND = 2;
/** Headers that Node and Express set. */
const EXPRESS_HEADERS = new Set(['connection', 'content-length', 'date', 'etag', 'keep-alive']);
const NETWORK = 'http://127.0.0.1:8090';

export const users: Benchmark = {
  name: 'people',
  description: `profile, achievements and their leaderboard among ${USERS} people, on SQLite and MongoDB`,
  promise: 'a profile costs little more than its database query',
  run: runBenchmark,
};

async function runBenchmark(say: (line: string) => void): Promise<Finding[]> {
  const definitions = await readDefinitionsFile(
    userApi.readConfig({ ERASURE_KEY: 'sixteen characters' }).ACHIEVEMENTS_FILE,
  );
  const findings: Finding[] = [];
  for (const open of userStoreFixtures(say)) {
    const fixture = await open();
    try {
      const keys = await storeUsers(fixture.store, USERS, definitions);
      say(`${fixture.name}: ${keys.length} users are stored`);
      findings.push(...(await measure(fixture, keys, definitions)));
    } finally {
      await fixture.remove();
    }
  }
  return findings;
}

/** A query in three ways: use case, bare driver and route. */
interface Query {
  what: string;
  useCase: (round: number) => Promise<{ body: unknown }>;
  bare: (round: number) => Promise<unknown>;
  path: (round: number) => string;
}

async function measure(
  fixture: UserStoreFixture,
  keys: readonly string[],
  definitions: ConstructorParameters<typeof Achievements>[0]['definitions'],
): Promise<Finding[]> {
  const now = () => Math.floor(Date.now() / 1000);
  const achievements = new Achievements({ store: fixture.store.users, definitions, networkUrl: NETWORK });
  const profiles = new ProfileReader({
    profiles: fixture.store.profiles,
    users: fixture.store.users,
    nameHash: { user: (key) => key, gamertag: (key) => key },
    newUnlocks: (userKey, at) => achievements.newUnlocks(userKey, at),
    now,
  });
  const keyOf = (round: number) => keys[(round * 7919) % keys.length] ?? '';
  const of = (path: string) => (round: number) => path.replace(':username', encodeURIComponent(keyOf(round)));
  const answers: Query[] = [
    {
      what: 'a profile',
      useCase: (round) => profiles.profile(keyOf(round)),
      bare: (round) => fixture.bare.profile(keyOf(round)),
      path: of(operations.getUserProfile.path),
    },
    {
      what: 'achievements',
      useCase: (round) => achievements.ofUser(keyOf(round)),
      bare: (round) => fixture.bare.achievements(keyOf(round)),
      path: of(operations.getUserAchievements.path),
    },
    {
      what: 'the leaderboard',
      useCase: () => achievements.leaderboard(LIMIT),
      bare: () => fixture.bare.leaderboard(LIMIT),
      path: () => `${operations.getAchievementLeaderboard.path}?limit=${LIMIT}`,
    },
  ];
  const findings: Finding[] = [];
  const stack = new AsyncDisposableStack();
  try {
    const url = await startService(fixture, stack);
    for (const answer of answers) findings.push(...(await compare(fixture.name, answer, url)));
  } finally {
    await stack.disposeAsync();
  }
  return findings;
}

async function compare(name: string, { what, useCase, bare, path }: Query, url: string): Promise<Finding[]> {
  const [useCaseTimes = [], peer = []] = await runInterleaved(ROUNDS, useCase, bare);
  const bytes = JSON.stringify((await useCase(0)).body);
  const plain = await startBareExpress(bytes, (await fetch(url + path(0))).headers);
  try {
    const get = async (address: string) => (await fetch(address)).text();
    // The driver again, interleaved with the routes: its time differs when others use the processor.
    const [route = [], express = [], beside = []] = await runInterleaved(
      ROUNDS,
      (round) => get(url + path(round)),
      (round) => get(plain.url + path(round)),
      bare,
    );
    return [
      {
        what: `${name}, ${what}: the use case`,
        measured: formatLatencies(useCaseTimes),
        reference: `the bare driver's documents ${formatLatencies(peer)}`,
        ratio: median(useCaseTimes) / median(peer),
        bound: DRIVER_BOUND,
      },
      {
        what: `${name}, ${what}: the route`,
        measured: formatLatencies(route),
        reference: `a bare Express route of ${bytes.length} bytes ${formatLatencies(express)}, and twice the driver ${formatLatencies(beside)}`,
        ratio: median(route) / (median(express) + DRIVER_BOUND * median(beside)),
        bound: 1,
      },
    ];
  } finally {
    await plain.stop();
  }
}

async function startService(fixture: UserStoreFixture, stack: AsyncDisposableStack): Promise<string> {
  const bus = await openBus({ url: 'memory:', origin: 'simulated' });
  stack.defer(() => bus.close());
  const config = userApi.readConfig({ PORT: '0', METRICS_PORT: '0', ERASURE_KEY: 'sixteen characters' });
  const service = await userApi.create(config, { bus, store: fixture.store, logger: silentLogger() });
  stack.defer(() => service.stop());
  await service.start();
  return service.url();
}

/** Starts a bare Express route that sends the same body and headers; Express adds its own ETag. */
async function startBareExpress(bytes: string, sent: Headers): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = express().disable('x-powered-by');
  const headers = Object.fromEntries([...sent].filter(([name]) => !EXPRESS_HEADERS.has(name)));
  app.get('/{*path}', (_, response) => {
    response.set(headers).send(bytes);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
