import { catalogSchema } from '@lobbystats/catalog-api';
import {
  BOARD_PASS_SECONDS,
  boardObserved,
  DAY_SECONDS,
  formatInstant,
  operations,
  titleObserved,
} from '@lobbystats/contracts';
import type { MessageBus } from '@lobbystats/message-bus';
import { createSimulator, type BoardKey } from '@lobbystats/simulator';
import { eventually, getJson } from '@lobbystats/test-kit';
import { startProcess, type ServiceProcess } from '../../../test/drills/stages/service-process.ts';
import { freePorts } from '../../../test/stack/free-ports.ts';
import { ownVhost, type OwnVhost } from '../../../test/stack/own-vhost.ts';
import { preparedMongo, type PreparedMongo } from '../../../test/stack/prepared-mongo.ts';
import { expectBoardsLikeTruth, expectPastBoardsLikeTruth } from './boards-like-truth.ts';
import { expectChangesLikeTruth } from './changes-like-truth.ts';
import { everyBoard, referenceChanges } from './reference-changes.ts';

const KILLS = 10;

const { world } = createSimulator({ titles: 12, openMatches: 1, boards: 120, entries: 6000, boardChanges: 0.5 });
const hour = Math.floor(Date.now() / 1000 / BOARD_PASS_SECONDS) * BOARD_PASS_SECONDS;
/** The last hour among them. */
const passes = { from: hour - DAY_SECONDS, to: hour + BOARD_PASS_SECONDS };

let vhost: OwnVhost;
let database: PreparedMongo;
let bus: MessageBus;
let url: string;
let running: ServiceProcess | undefined;
beforeAll(async () => {
  vhost = await ownVhost('catalog-api');
  database = await preparedMongo({ database: 'test_killed_catalog', user: 'catalog-api', schema: catalogSchema });
  await database.empty();
  bus = await vhost.open(Date.now);
  const [port] = await freePorts(1);
  url = `http://127.0.0.1:${port}`;
}, 60_000);
afterAll(async () => {
  await running?.end('SIGKILL');
  await bus.close();
  await vhost.remove();
  await database.empty();
});

/** Starts catalog-api on MongoDB and RabbitMQ, in a process of its own; resolves when it answers. */
async function startCatalog(): Promise<ServiceProcess> {
  const settings = { DATABASE_URL: database.url, BUS_URL: vhost.serviceUrl, LOG_LEVEL: 'warn' };
  running = startProcess('services/catalog-api/src/main.ts', {
    env: { PORT: new URL(url).port, METRICS_PORT: '0', ...settings },
  });
  await eventually(changesTold, { timeoutMs: 30_000 });
  return running;
}

async function changesTold(): Promise<number> {
  const { status, body } = await getJson<{ total: number }>(`${url}${operations.listChanges.path}?limit=1`);
  expect(status).toBe(200);
  return body.total;
}

/** Says what a collector says of these hours. */
async function sayEverything(): Promise<void> {
  const titles = world
    .titlesAt(hour)
    .map(({ titleId, name }) => ({ titleId, home: { name, image: '', publisher: '' } }));
  await bus.publish(titleObserved, { seenAt: formatInstant(hour), titles });
  for (let pass = passes.from; pass < passes.to; pass += BOARD_PASS_SECONDS) {
    const keys = pass === passes.from ? world.boardKeysAt(pass) : world.boardChanges(pass);
    await Promise.all(keys.map((key) => sayBoard(pass, key)));
  }
}

async function sayBoard(pass: number, { titleId, id }: BoardKey): Promise<void> {
  const board = world.board(pass, titleId, id);
  const at = formatInstant(pass);
  await bus.publish(
    boardObserved,
    {
      ...{ titleId, leaderboardId: id, name: board?.name ?? '', pass: at, seenAt: at },
      board: board === undefined ? null : { isTime: board.isTime, entries: [...board.entries] },
    },
    { occurredAt: pass, past: true },
  );
}

it('tells exactly the changes of one run from MongoDB, when it is killed again and again and hears all of it twice', async () => {
  const boards = everyBoard(world, passes);
  const all = boards.flatMap((board) => referenceChanges(world, board, passes)).length;
  await sayEverything();

  const told: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const catalog = await startCatalog();
    const comesOn = async () => {
      const total = await changesTold();
      expect(total).toBeGreaterThanOrEqual((kill * all) / KILLS);
      told.push(total);
    };
    await eventually(comesOn, { timeoutMs: 30_000, everyMs: 5 });
    await catalog.end('SIGKILL');
  }
  expect(told.filter((total) => total < all).length).toBeGreaterThan(KILLS / 2);

  await sayEverything();
  const catalog = await startCatalog();
  await eventually(async () => expect(await bus.depth('catalog-api')).toBe(0), { timeoutMs: 60_000, everyMs: 100 });
  expect(await expectChangesLikeTruth(url, world, { filled: passes, now: hour })).toBe(all);
  for (const { titleId } of world.titlesAt(hour)) await expectBoardsLikeTruth(url, world, { titleId, pass: hour });
  await expectPastBoardsLikeTruth(url, world, boards.slice(0, 20), passes);
  expect(await vhost.deadLetters()).toBe(0);
  await catalog.end('SIGTERM');
}, 240_000);
