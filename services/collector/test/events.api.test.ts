import { eventsObserved, formatInstant, parseInstant, SLOT_SECONDS, type AnnouncedEvent } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { createMetrics } from '@lobbystats/service-kit';
import type { CachedPage } from '../src/network/page-cache.ts';
import type { Collector } from '../src/service.ts';
import type { MockedRequest } from '@lobbystats/test-kit/nock';
import { mockPage, NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

const QUARTER = Math.ceil(SLOT / 900) * 900;
const [event] = eventsObserved.example.events;

let stage: Stage;
let requests: MockedRequest[];
let feed: { body: string; headers?: Record<string, string>; status?: number };
const FEED = '/feeds/events.json';

beforeEach(async () => {
  stage = await setStage({ titles: 2, openMatches: 1, boards: 2 });
  feed = { body: '[]' };
  requests = mockPage(FEED, stage.url, ({ headers }) => {
    const isSame = headers.get('if-none-match') === (feed.headers?.['ETag'] ?? '');
    const status = isSame ? 304 : (feed.status ?? 200);
    return [status, feed.body, { 'Content-Type': 'application/json; charset=utf-8', ...feed.headers }];
  });
});
afterEach(() => stage.close());

const startCollector = (options: Parameters<Stage['collector']>[0] = {}) =>
  stage.collector({ ...options, env: { NETWORK_URL: NETWORK } });
const feedRequests = () => requests.filter(({ url }) => url === FEED);
const serveEvents = (events: Partial<AnnouncedEvent>[], headers: Record<string, string> = {}) => {
  feed = { body: JSON.stringify(events.map((each) => ({ ...event, ...each }))), headers };
};

async function runSlot(slot: number, ...collectors: Collector[]): Promise<void> {
  stage.clock.nowMs = (slot + 1) * 1000;
  for (const collector of collectors) await collector.tick();
  await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
}

describe('polling the event feed', () => {
  it('publishes events at the first start and then every 15 minutes if they changed', async () => {
    serveEvents([{ id: 1, banner_url: '/banners/1.png' }]);
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    await stage.until(() => stage.events.length === 1);
    for (let slot = SLOT + SLOT_SECONDS; slot <= QUARTER + 900; slot += SLOT_SECONDS) await runSlot(slot, collector);
    expect(feedRequests()).toHaveLength(3);
    serveEvents([{ id: 1 }, { id: 2 }]);
    await runSlot(QUARTER + 1800, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events.map(({ data }) => data.events.map(({ id, banner_url }) => [id, banner_url]))).toEqual([
      [[1, `${NETWORK}/banners/1.png`]],
      [
        [1, ''],
        [2, ''],
      ],
    ]);
    expect(stage.events[1]).toMatchObject({
      past: false,
      id: expect.stringMatching(`^events.observed:simulated:${formatInstant(QUARTER + 1800)}:`),
    });
  });

  it.each([
    ['half an hour ago', -1800],
    ['an hour ahead', 3600],
  ])('rejects an event feed dated %s and reads it when its date is current', async (_, seconds) => {
    const dated = (slot: number, off: number) => ({ Date: new Date((slot + off) * 1000).toUTCString() });
    serveEvents([{ id: 1 }, { id: 2 }], dated(SLOT, -600));
    const metrics = createMetrics('collector');
    const collector = await startCollector({ metrics });
    await runSlot(SLOT, collector);
    await stage.until(() => stage.events.length === 1);
    serveEvents([{ id: 1 }], dated(QUARTER, seconds));
    await runSlot(QUARTER, collector);
    await stage.until(() => feedRequests().length > 1);
    await runSlot(QUARTER + SLOT_SECONDS, collector);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="events",outcome="wrong-date",.*\} [1-9]/m,
    );
    expect(stage.events).toHaveLength(1);
    serveEvents([{ id: 2 }], dated(QUARTER + 900, 0));
    await runSlot(QUARTER + 900, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events[1]?.data.events.map(({ id }) => id)).toEqual([2]);
  });

  it('sends a conditional request from one replica and publishes nothing for an unchanged feed', async () => {
    serveEvents([{ id: 1 }], { ETag: '"1"' });
    const collectors = await Promise.all([startCollector(), startCollector()]);
    await runSlot(SLOT, ...collectors);
    await runSlot(QUARTER, ...collectors);
    expect(feedRequests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
    expect(stage.events).toHaveLength(1);
  });

  it('publishes an empty list when the last event is withdrawn', async () => {
    serveEvents([{ id: 1 }]);
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    serveEvents([]);
    await runSlot(QUARTER, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events[1]?.data.events).toEqual([]);
  });

  it('publishes the IDs of announced events that cannot be read', async () => {
    const announce = (...ids: unknown[]) => {
      const unreadable = ids.map((id) => ({ ...event, id, event_date: 'soon' }));
      feed = { body: JSON.stringify([{ ...event, id: 1 }, { ...event, id: 2 }, ...unreadable]) };
    };
    announce(3, 'x');
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    announce();
    await runSlot(QUARTER, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events.map(({ data }) => [data.events.map(({ id }) => id), data.unread])).toEqual([
      [[1, 2], [3]],
      [[1, 2], []],
    ]);
  });

  it('publishes the earlier events again after an unconfirmed publication of other events', async () => {
    serveEvents([{ id: 1 }], { ETag: '"1"' });
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    serveEvents([{ id: 2 }], { ETag: '"2"' });
    const publish = stage.bus.publish.bind(stage.bus);
    const unconfirmed = jest.spyOn(stage.bus, 'publish').mockImplementation(async (type, data, options) => {
      await publish(type, data, options);
      if (type.key !== eventsObserved.key) return;
      unconfirmed.mockRestore();
      serveEvents([{ id: 1 }], { ETag: '"1"' });
      throw new AppError('unavailable', 'Not confirmed');
    });
    for (const slot of [QUARTER, QUARTER + 900]) await runSlot(slot, collector);
    await stage.until(() => stage.events.length > 2);
    expect(stage.events.map(({ data }) => data.events.map(({ id }) => id))).toEqual([[1], [2], [1]]);
  });

  it.each([
    ['a truncated list', { body: '[{"id":1' }],
    ['no JSON', { body: '[]', headers: { 'Content-Type': 'text/html' } }],
    ['an error', { body: '', status: 500 }],
    ['only unreadable elements', { body: '[{}]' }],
  ])('keeps the published events, counts the failure and retries when the feed returns %s', async (_, answer) => {
    serveEvents([{ id: 1 }]);
    const metrics = createMetrics('collector');
    const collector = await startCollector({ metrics });
    await runSlot(SLOT, collector);
    feed = answer;
    await runSlot(QUARTER, collector);
    expect(feedRequests().length).toBe(6);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="events",outcome="(?:unparseable|unavailable)",.*\} 5$/m,
    );
    serveEvents([{ id: 2 }]);
    await runSlot(QUARTER + 900, collector);
    await stage.until(() => stage.events.length === 2);
  });

  it('publishes events again after a crash between publishing and storing the digest', async () => {
    serveEvents([{ id: 1 }], { ETag: '"1"' });
    const { pages } = stage.store;
    const forgetful = {
      ...stage.store,
      pages: {
        ...pages,
        put: (url: string, page: CachedPage, atMs: number) =>
          url.endsWith(FEED) && !page.reading.includes('"digest":""')
            ? Promise.reject(new Error('killed'))
            : pages.put(url, page, atMs),
      },
    };
    const killed = await startCollector({ store: forgetful });
    await stage.until(() => stage.events.length > 0);
    await killed.stop();
    const before = stage.events.length;
    const [first] = stage.events;
    stage.clock.nowMs += 15_000;
    const collector = await startCollector();
    await runSlot(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.events.length > before);
    expect(stage.events.at(-1)?.data.events).toEqual(first?.data.events);
    await runSlot(QUARTER, collector);
    expect(stage.events).toHaveLength(before + 1);
  });

  it('reads all events of the simulated network', async () => {
    await stage.collector();
    await stage.until(() => stage.events.length === 1);
    const ids = stage.events[0]?.data.events.map(({ id }) => id);
    expect(ids).toEqual(stage.world.eventsAt(SLOT).map(({ id }) => id));
  });
});
