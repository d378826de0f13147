import {
  achievementUnlocked,
  changeRecorded,
  eventStored,
  operations,
  slotStored,
  type Operation,
  type StreamTopic,
} from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { cleanUp, eventually, launchChromium } from '@lobbystats/test-kit';
import type { MessageBus } from '@lobbystats/service-kit/bus';
import type { Browser } from 'playwright-core';
import { EVENT } from './catalog-responses.ts';
import { catalogRoutes, network, NEWEST } from './network.ts';
import { openPage } from './opened-page.ts';
import { slotData } from './running-cache.ts';
import { runGateway, startStubUpstream } from './running-gateway.ts';
import { userRoutes } from './user-responses.ts';

const ROUNDS = 8;
const { listChanges, listEvents, listRecentUnlocks } = operations;

interface Case {
  readonly topic: StreamTopic;
  readonly operation: Operation;
  /** Expression of the newest element in the response `body`. */
  readonly newest: string;
  /** Field of event and element by which they are told apart. */
  readonly field: string;
  readonly publish: (bus: MessageBus, value: number) => Promise<void>;
}

const [change] = changeRecorded.example.changes;
const [unlock] = achievementUnlocked.example.unlocks;

const cases: readonly Case[] = [
  {
    topic: 'changes',
    operation: listChanges,
    newest: 'body.changes[0]',
    field: 'id',
    publish: (bus, id) => bus.publish(changeRecorded, { changes: [{ ...change!, id }] }),
  },
  {
    topic: 'unlocks',
    operation: listRecentUnlocks,
    newest: 'body.recent[0]',
    field: 'points',
    publish: (bus, points) => bus.publish(achievementUnlocked, { unlocks: [{ ...unlock!, points }] }),
  },
  {
    topic: 'events',
    operation: listEvents,
    newest: 'body[0]',
    field: 'signup_count',
    publish: (bus, signup_count) => bus.publish(eventStored, { events: [{ ...EVENT, signup_count }], withdrawn: [] }),
  },
];

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  cleanUp(() => browser.close(), 'file');
});

describe('a browser that fetches again after an event of the stream', () => {
  it.each(cases)('gets the event of topic $topic, each time', async ({ topic, operation, newest, field, publish }) => {
    const { url, bus, setNewest } = await runMutable();
    await bus.publish(slotStored, slotData(NEWEST));
    const { page } = await openPage(browser, `${url}/docs`, {}, 'body');
    await page.evaluate(`(async () => {
        const read = async () => {
          const body = await (await fetch(${JSON.stringify(operation.path)})).json();
          return ${newest}.${field};
        };
        window.seen = [];
        await read();
        const stream = new EventSource('/api/stream?topics=${topic}');
        stream.addEventListener('${topic}', async ({ data }) => seen.push([JSON.parse(data).${field}, await read()]));
        await new Promise((open) => stream.addEventListener('open', open));
      })()`);
    for (let round = 1; round <= ROUNDS; round += 1) {
      setNewest(round + 1);
      await publish(bus, round + 1);
      await eventually(async () => expect(await page.evaluate('seen.length')).toBe(round));
    }
    const rounds = Array.from({ length: ROUNDS }, (_, index) => [index + 2, index + 2]);
    expect(await page.evaluate('seen')).toEqual(rounds);
  });
});

/** A gateway with a cache, whose upstreams return a newest change, unlock and event that the test sets. */
async function runMutable() {
  const known = network();
  let current = 1;
  const page = { total: 1, limit: 1, offset: 0, hasMore: false, nextCursor: null };
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(listChanges, async () => ({ body: { changes: [{ ...change!, id: current }], ...page } })),
      route(listEvents, async () => ({ body: [{ ...EVENT, signup_count: current }] })),
    ]),
  );
  const users = await startStubUpstream(
    userRoutes(known, [
      route(listRecentUnlocks, async () => ({ body: { recent: [{ ...unlock!, points: current }] } })),
    ]),
  );
  const env = { CACHE_BYTES: '1000000', CATALOG_API_URL: catalog.url, USER_API_URL: users.url };
  const { url, bus } = await runGateway({ network: known, env });
  return { url, bus, setNewest: (value: number) => (current = value) };
}
