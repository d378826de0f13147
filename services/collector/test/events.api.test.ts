import { eventsObserved, formatInstant, parseInstant, SLOT_SECONDS, type AnnouncedEvent } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { createMetrics } from '@lobbystats/service-kit';
import type { PageMemo } from '../src/domain/page-memory.ts';
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

const collectorAt = (options: Parameters<Stage['collector']>[0] = {}) =>
  stage.collector({ ...options, env: { NETWORK_URL: NETWORK } });
const asked = () => requests.filter(({ url }) => url === FEED);
const announces = (events: Partial<AnnouncedEvent>[], headers: Record<string, string> = {}) => {
  feed = { body: JSON.stringify(events.map((each) => ({ ...event, ...each }))), headers };
};

async function at(slot: number, ...collectors: Collector[]): Promise<void> {
  stage.clock.nowMs = (slot + 1) * 1000;
  for (const collector of collectors) await collector.tick();
  await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
}

describe('events', () => {
  it('are said at a first start, and then each quarter of an hour when they are other than they were', async () => {
    announces([{ id: 1, banner_url: '/banners/1.png' }]);
    const collector = await collectorAt();
    await at(SLOT, collector);
    await stage.until(() => stage.events.length === 1);
    for (let slot = SLOT + SLOT_SECONDS; slot <= QUARTER + 900; slot += SLOT_SECONDS) await at(slot, collector);
    expect(asked()).toHaveLength(3);
    announces([{ id: 1 }, { id: 2 }]);
    await at(QUARTER + 1800, collector);
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
  ])('of a feed that is dated %s are not believed, and read when it is of now', async (_, seconds) => {
    const dated = (slot: number, off: number) => ({ Date: new Date((slot + off) * 1000).toUTCString() });
    announces([{ id: 1 }, { id: 2 }], dated(SLOT, -600));
    const metrics = createMetrics('collector');
    const collector = await collectorAt({ metrics });
    await at(SLOT, collector);
    await stage.until(() => stage.events.length === 1);
    announces([{ id: 1 }], dated(QUARTER, seconds));
    await at(QUARTER, collector);
    await stage.until(() => asked().length > 1);
    await at(QUARTER + SLOT_SECONDS, collector);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="events",outcome="misdated",.*\} [1-9]/m,
    );
    expect(stage.events).toHaveLength(1);
    announces([{ id: 2 }], dated(QUARTER + 900, 0));
    await at(QUARTER + 900, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events[1]?.data.events.map(({ id }) => id)).toEqual([2]);
  });

  it('that are unchanged are not even read, and by one replica', async () => {
    announces([{ id: 1 }], { ETag: '"1"' });
    const collectors = await Promise.all([collectorAt(), collectorAt()]);
    await at(SLOT, ...collectors);
    await at(QUARTER, ...collectors);
    expect(asked().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
    expect(stage.events).toHaveLength(1);
  });

  it('that are no longer announced are missing in the next list, though it be empty', async () => {
    announces([{ id: 1 }]);
    const collector = await collectorAt();
    await at(SLOT, collector);
    announces([]);
    await at(QUARTER, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events[1]?.data.events).toEqual([]);
  });

  it('that are announced but can’t be read are said by their IDs', async () => {
    const announce = (...ids: unknown[]) => {
      const unreadable = ids.map((id) => ({ ...event, id, event_date: 'soon' }));
      feed = { body: JSON.stringify([{ ...event, id: 1 }, { ...event, id: 2 }, ...unreadable]) };
    };
    announce(3, 'x');
    const collector = await collectorAt();
    await at(SLOT, collector);
    announce();
    await at(QUARTER, collector);
    await stage.until(() => stage.events.length === 2);
    expect(stage.events.map(({ data }) => [data.events.map(({ id }) => id), data.unread])).toEqual([
      [[1, 2], [3]],
      [[1, 2], []],
    ]);
  });

  it('are said again when they are as they were last said, after something else may have been said', async () => {
    announces([{ id: 1 }], { ETag: '"1"' });
    const collector = await collectorAt();
    await at(SLOT, collector);
    announces([{ id: 2 }], { ETag: '"2"' });
    const publish = stage.bus.publish.bind(stage.bus);
    const unconfirmed = jest.spyOn(stage.bus, 'publish').mockImplementation(async (type, data, options) => {
      await publish(type, data, options);
      if (type.key !== eventsObserved.key) return;
      unconfirmed.mockRestore();
      announces([{ id: 1 }], { ETag: '"1"' });
      throw new AppError('unavailable', 'Not confirmed');
    });
    for (const slot of [QUARTER, QUARTER + 900]) await at(slot, collector);
    await stage.until(() => stage.events.length > 2);
    expect(stage.events.map(({ data }) => data.events.map(({ id }) => id))).toEqual([[1], [2], [1]]);
  });

  it.each([
    ['a cut list', { body: '[{"id":1' }],
    ['no JSON', { body: '[]', headers: { 'Content-Type': 'text/html' } }],
    ['an error', { body: '', status: 500 }],
    ['nothing but what can’t be read', { body: '[{}]' }],
  ])('are those that were when the feed answers with %s: it is counted, and asked again', async (_, answer) => {
    announces([{ id: 1 }]);
    const metrics = createMetrics('collector');
    const collector = await collectorAt({ metrics });
    await at(SLOT, collector);
    feed = answer;
    await at(QUARTER, collector);
    expect(asked().length).toBe(6);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="events",outcome="(?:not-understood|unavailable)",.*\} 5$/m,
    );
    announces([{ id: 2 }]);
    await at(QUARTER + 900, collector);
    await stage.until(() => stage.events.length === 2);
  });

  it('are said again after a crash between publishing and remembering', async () => {
    announces([{ id: 1 }], { ETag: '"1"' });
    const { pages } = stage.store;
    const forgetful = {
      ...stage.store,
      pages: {
        ...pages,
        remember: (url: string, memo: PageMemo) =>
          url.endsWith(FEED) && !memo.reading.includes('"digest":""')
            ? Promise.reject(new Error('killed'))
            : pages.remember(url, memo),
      },
    };
    const killed = await collectorAt({ store: forgetful });
    await stage.until(() => stage.events.length > 0);
    await killed.stop();
    const before = stage.events.length;
    const [first] = stage.events;
    stage.clock.nowMs += 15_000;
    const collector = await collectorAt();
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.events.length > before);
    expect(stage.events.at(-1)?.data.events).toEqual(first?.data.events);
    await at(QUARTER, collector);
    expect(stage.events).toHaveLength(before + 1);
  });

  it('of the simulated network are all read', async () => {
    await stage.collector();
    await stage.until(() => stage.events.length === 1);
    const ids = stage.events[0]?.data.events.map(({ id }) => id);
    expect(ids).toEqual(stage.world.eventsAt(SLOT).map(({ id }) => id));
  });
});
