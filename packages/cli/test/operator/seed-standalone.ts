import { join } from 'node:path';
import {
  boardConfirmed,
  boardObserved,
  eventsObserved,
  formatDate,
  formatInstant,
  iconObserved,
  operations,
  playersObserved,
  slotObserved,
  titleObserved,
  type AnnouncedEvent,
} from '@lobbystats/contracts';
import { catalogApi } from '@lobbystats/catalog-api';
import { collectorMigrations } from '@lobbystats/collector/admin';
import { openBus, type MessageBus } from '@lobbystats/service-kit/bus';
import { openReputationModeration } from '@lobbystats/reputation-api/admin';
import { reputationApi } from '@lobbystats/reputation-api';
import { seriesApi } from '@lobbystats/series-api';
import { silentLogger, type Env, type Service, type Sessions } from '@lobbystats/service-kit';
import { eventually, getJson, slotObservation, titleObservation, untilAnswered } from '@lobbystats/test-kit';
import { countOf, readStore } from '../../src/operator/standalone/standalone-stores.ts';
import { openSqliteStore } from '@lobbystats/service-kit/sqlite';
import { userApi } from '@lobbystats/user-api';

/** A slot some hours ago, within every retention. */
export const NOW = Math.floor(Date.now() / 300_000) * 300 - 6 * 3600;
const SLOTS = 24;
const HARBOR = '4d530064';
const RALLY = '4d530065';

const sessions: Sessions = { verify: async (key) => ({ username: key }) };
const clock = () => (NOW + 60) * 1000;

/** A service with an API. */
export type ApiName = 'series' | 'catalog' | 'users' | 'reputation';

/** Running services on a set of stores. */
export interface RunningServices {
  readonly bus: MessageBus;
  readonly ask: (service: ApiName, path: string, init?: RequestInit) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts the services on the configured stores, without a collector. */
export const startServices = (env: Env & { DIRECTORY: string }): Promise<RunningServices> =>
  untilAnswered(() => startOnce(env));

async function startOnce(env: Env & { DIRECTORY: string }): Promise<RunningServices> {
  const { DIRECTORY: directory } = env;
  // Disposes opened resources when a later step fails.
  await using opened = new AsyncDisposableStack();
  const bus = await openBus({ url: env['BUS_URL'] ?? `memory:${join(directory, 'bus.sqlite')}`, origin: 'simulated' });
  opened.defer(() => bus.close());
  const parts = { bus, clock, sessions, logger: silentLogger() };
  const settings = (service: string, file: string): Env => ({
    PORT: '0',
    METRICS_PORT: '0',
    ERASURE_KEY: 'a-key-of-tests-alone',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    NETWORK_URL: 'http://127.0.0.1:9',
    NETWORK_ORIGIN: 'simulated',
    ACHIEVEMENTS_FILE: join(import.meta.dirname, '../../../../infra/achievements.json'),
    SERIES_URL: `sqlite:${join(directory, 'series.sqlite')}`,
    ...env,
    DATABASE_URL: env[`${service}_DATABASE_URL`] ?? `sqlite:${join(directory, file)}`,
  });
  const track = <S extends Service>(service: S): S => {
    opened.defer(() => service.stop());
    return service;
  };
  const services: Record<string, Service> = {
    series: track(await seriesApi.create(seriesApi.readConfig(settings('SERIES', 'series.sqlite')), parts)),
    catalog: track(await catalogApi.create(catalogApi.readConfig(settings('CATALOG', 'catalog.sqlite')), parts)),
    users: track(await userApi.create(userApi.readConfig(settings('USERS', 'users.sqlite')), parts)),
    reputation: track(
      await reputationApi.create(reputationApi.readConfig(settings('REPUTATION', 'reputation.sqlite')), parts),
    ),
  };
  // Creates the store of the collector, without a collector that would read the network.
  const url = `sqlite:${join(directory, 'collector.sqlite')}`;
  openSqliteStore({
    url,
    name: 'collector',
    origin: 'simulated',
    migrations: collectorMigrations,
    durability: 'normal',
  }).close();
  for (const service of Object.values(services)) await service.start();
  const running = opened.move();
  return {
    bus,
    ask: async (service, path, init) => (await getJson(`${services[service]!.url()}${path}`, init)).body,
    stop: () => running.disposeAsync(),
  };
}

/** Seeds the stores in a directory with data of every kind. */
export async function seedStandalone(directory: string): Promise<void> {
  const services = await startServices({ DIRECTORY: directory });
  try {
    await seedServices(services);
    await hideComment(services, directory);
    await waitUntilSettled(directory);
  } finally {
    await services.stop();
  }
}

/** An old event that is found only by its ID. */
export const ARCHIVED_EVENT = 30;

/** Seeds two titles, two hours of slots, a changing board, two events, two users and a rating. */
export async function seedServices({ bus, ask }: RunningServices): Promise<void> {
  const at = formatInstant(NOW);
  await bus.publish(
    titleObserved,
    titleObservation({
      seenAt: NOW,
      titles: [
        { titleId: HARBOR, home: { name: 'Harbor "Racing", net' }, page: { title: 'Harbor Racing' } },
        { titleId: RALLY, home: { name: 'Rally = Sand' } },
      ],
    }),
  );
  await bus.publish(iconObserved, { ...iconObserved.example, titleId: HARBOR, seenAt: at });
  for (let index = 0; index < SLOTS; index += 1) {
    const matches =
      index % 5 === 4 ? null : [{ host: 'Ember Fox' }, { host: 'Grey "Owl", 2', players: 1 + (index % 7) }];
    const titles = [
      { titleId: HARBOR, matches },
      { titleId: RALLY, online: index, players: 0, matches: [] },
    ];
    await bus.publish(slotObserved, slotObservation({ slot: NOW - (SLOTS - 1 - index) * 300, titles }));
  }
  const nextWeek = formatDate(NOW + 7 * 86_400);
  const pass = Math.floor(NOW / 3600) * 3600;
  const board = boardObserved.example;
  for (const [hours, timeMs] of [
    [2, 50_400],
    [1, 49_300],
  ] as const) {
    const from = pass - hours * 3600;
    await bus.publish(boardObserved, {
      ...board,
      pass: formatInstant(from),
      seenAt: formatInstant(from + 60),
      board: {
        isTime: true,
        entries: [
          { rank: 1, name: 'Ember Fox', rating: '00:49.300', timeMs },
          { rank: 2, name: 'Grey Owl', rating: '', timeMs: 0 },
        ],
      },
    });
  }
  const event = eventsObserved.example.events[0] as AnnouncedEvent;
  const longOver = NOW - 40 * 86_400;
  await bus.publish(
    eventsObserved,
    { seenAt: formatInstant(longOver), events: [{ ...event, id: ARCHIVED_EVENT, event_date: formatDate(longOver) }] },
    { past: true },
  );
  // A live announcement overtakes a past one in the queue, and an older announcement is then ignored.
  const archivedPath = operations.getEvent.path.replace(':eventId', String(ARCHIVED_EVENT));
  await eventually(async () => expect(await ask('catalog', archivedPath)).toMatchObject({ id: ARCHIVED_EVENT }));
  await bus.publish(eventsObserved, { seenAt: at, events: [{ ...event, event_date: nextWeek }] });
  await bus.publish(boardConfirmed, {
    titleId: board.titleId,
    leaderboardId: board.leaderboardId,
    pass: formatInstant(pass - 3600),
    seenAt: at,
  });
  const seen = { verified: true, isOnline: true, titleId: HARBOR, game: 'Harbor Racing', lastSeenAt: at };
  await bus.publish(playersObserved, {
    seenAt: at,
    players: ['EmberFox', 'Marlow'].map((username) => ({
      username,
      gamertag: username === 'EmberFox' ? 'Ember Fox' : 'Marlow',
      ...seen,
    })),
  });
  await eventually(async () => expect(await rate(ask)).toMatchObject({ success: true }));
}

/** Hides the comment of EmberFox on Marlow, and rates again. */
async function hideComment({ ask }: RunningServices, directory: string): Promise<void> {
  const url = `sqlite:${join(directory, 'reputation.sqlite')}`;
  const moderation = await openReputationModeration({ url, origin: 'simulated', clock });
  expect(await moderation.hide('EmberFox', 'Marlow')).toBe('done');
  await moderation.close();
  expect(await rate(ask)).toMatchObject({ success: true, viewer: { comment: null } });
}

function rate(ask: RunningServices['ask']): Promise<unknown> {
  return ask('reputation', operations.rateProfile.path.replace(':username', 'Marlow'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Session-Key': 'EmberFox' },
    body: JSON.stringify({ stars: 4, comment: 'A fair host,\nalways.' }),
  });
}

/** Waits until all messages are consumed and all facts are published. */
async function waitUntilSettled(directory: string): Promise<void> {
  await eventually(
    async () => {
      expect(await countIn(directory, 'bus.sqlite', 'queued')).toBe(0);
      for (const file of ['catalog.sqlite', 'users.sqlite', 'reputation.sqlite']) {
        expect(await countIn(directory, file, 'outbox')).toBe(0);
      }
    },
    { everyMs: 50 },
  );
}

function countIn(directory: string, file: string, table: string): Promise<number> {
  return readStore(join(directory, file), (db) => countOf(db, `SELECT count(*) AS n FROM ${table}`));
}
