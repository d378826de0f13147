import { formatInstant, parseInstant, PLAYERS_PER_MESSAGE, SLOT_SECONDS } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import type { CachedPage } from '../src/network/page-cache.ts';
import type { Collector } from '../src/service.ts';
import type { MockedRequest } from '@lobbystats/test-kit/nock';
import { mockPage, NETWORK } from './mock-network.ts';
import { setStage, SLOT, type Stage } from './running-collector.ts';

const FEED = '/feeds/players.json';
const player = {
  username: 'EmberFox',
  gamertag: 'Ember Fox',
  verified: true,
  isOnline: true,
  titleId: '4d530064',
  game: 'Harbor Racing',
  lastSeenAt: formatInstant(SLOT),
};

let stage: Stage;
let requests: MockedRequest[];
let feed: { body: string; status?: number; type?: string; date?: string; refusesSince?: boolean };

beforeEach(async () => {
  stage = await setStage({ titles: 2, openMatches: 1, boards: 2 });
  requests = mockPage(FEED, stage.url, ({ url }) => {
    const isRefused = feed.refusesSince === true && !url.endsWith(FEED);
    const headers = {
      'Content-Type': feed.type ?? 'application/json',
      ...(feed.date !== undefined && { Date: feed.date }),
    };
    return [isRefused ? 400 : (feed.status ?? 200), feed.body, headers];
  });
});
afterEach(() => stage.close());

const startCollector = (options: Parameters<Stage['collector']>[0] = {}) =>
  stage.collector({ ...options, env: { NETWORK_URL: NETWORK } });
const requestedUrls = () => requests.map(({ url }) => url).filter((url) => url.startsWith(FEED));
const serveFeed = (next: string, ...players: object[]) => {
  feed = { body: JSON.stringify({ players: players.map((one) => ({ ...player, ...one })), next }) };
};
const publishedNames = () => stage.players.map(({ data }) => data.players.map(({ username }) => username));

async function runSlot(slot: number, ...collectors: Collector[]): Promise<void> {
  stage.clock.nowMs = (slot + 1) * 1000;
  for (const collector of collectors) await collector.tick();
  await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
}

describe('polling the player feed', () => {
  it('polls once per slot across replicas, from the cursor of the previous poll', async () => {
    serveFeed('2026-01-15T18:05:00Z', {});
    const collectors = await Promise.all([startCollector(), startCollector()]);
    await runSlot(SLOT, ...collectors);
    serveFeed('later & later', { username: 'Owl' }, { username: 'Elk' });
    await runSlot(SLOT + SLOT_SECONDS, ...collectors);
    await runSlot(SLOT + 2 * SLOT_SECONDS, ...collectors);
    await stage.until(() => new Set(stage.players.map(({ id }) => id)).size === 3);
    const looks = [...new Set(requestedUrls())];
    expect(looks).toEqual([FEED, `${FEED}?since=2026-01-15T18%3A05%3A00Z`, `${FEED}?since=later%20%26%20later`]);
    expect(stage.players[0]).toMatchObject({
      past: false,
      id: expect.stringMatching(`^players.observed:simulated:${formatInstant(SLOT)}:`),
      data: { seenAt: formatInstant(SLOT + 1), players: [player] },
    });
  });

  it('rejects a feed dated before the previous poll as wrong-date', async () => {
    const metrics = createMetrics('collector');
    serveFeed('a', {});
    feed.date = new Date((SLOT - 1) * 1000).toUTCString();
    const collector = await startCollector({ metrics });
    await runSlot(SLOT, collector);
    await stage.until(() => stage.players.length === 1);
    serveFeed('b', { username: 'Owl' });
    feed.date = new Date((SLOT - 60) * 1000).toUTCString();
    const looks = requestedUrls().length;
    await runSlot(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => requestedUrls().length > looks);
    serveFeed('c', { username: 'Elk' });
    await runSlot(SLOT + 2 * SLOT_SECONDS, collector);
    await stage.until(() => stage.players.length === 2);
    expect(publishedNames()).toEqual([['EmberFox'], ['Elk']]);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="players",outcome="wrong-date",.*\} [1-9]/m,
    );
  });

  it('splits players into messages of at most PLAYERS_PER_MESSAGE', async () => {
    const many = Array.from({ length: 2 * PLAYERS_PER_MESSAGE + 1 }, (_, i) => ({ username: `P${i}` }));
    serveFeed('x', ...many);
    await runSlot(SLOT, await startCollector());
    await stage.until(() => stage.players.length === 3);
    expect(publishedNames().map((names) => names.length)).toEqual([PLAYERS_PER_MESSAGE, PLAYERS_PER_MESSAGE, 1]);
    expect(publishedNames().flat()).toEqual(many.map(({ username }) => username));
  });

  it('skips and counts unreadable players, and accepts players with missing optional fields', async () => {
    const metrics = createMetrics('collector');
    const long = 'G'.repeat(500);
    const sparse = { username: 'Owl', isOnline: false, lastSeenAt: '2026-01-15T18:05:00.250Z' };
    const broken = [{ username: '<b>' }, { lastSeenAt: 'now' }, { titleId: 'x' }, { gamertag: '\ud800' }];
    feed = {
      body: JSON.stringify({
        players: [
          player,
          { ...player, username: 'Elk', game: long },
          sparse,
          ...broken.slice(1).map((one) => ({ ...player, ...one })),
        ],
        next: 'x',
      }),
    };
    await runSlot(SLOT, await startCollector({ metrics }));
    await stage.until(() => stage.players.length === 1);
    expect(publishedNames()).toEqual([['EmberFox', 'Elk', 'Owl']]);
    expect(stage.players[0]?.data.players[1]?.game).toBe(long);
    expect(stage.players[0]?.data.players[2]).toEqual({
      ...sparse,
      gamertag: '',
      verified: false,
      titleId: null,
      game: null,
      lastSeenAt: '2026-01-15T18:05:00Z',
    });
    expect(await metrics.registry.metrics()).toMatch(/^lobbystats_players_skipped_total(?:\{.*\})? 3$/m);
  });

  it('skips players who were last seen at the epoch, and names that were not decoded', async () => {
    const broken = [{ lastSeenAt: '1970-01-01T00:00:00Z' }, { username: 'Ow\uFFFD' }, { gamertag: 'Ow\uFFFD' }];
    const good = ['Elk', 'Owl', 'Fox'].map((username) => ({ ...player, username }));
    const players = [...good, ...broken.map((one) => ({ ...player, ...one }))];
    feed = { body: JSON.stringify({ players, next: 'x' }) };
    await runSlot(SLOT, await startCollector());
    await stage.until(() => stage.players.length === 1);
    expect(publishedNames()).toEqual([['Elk', 'Owl', 'Fox']]);
  });

  it.each([
    ['a truncated list', { body: '{"players":[{"username"' }],
    ['no JSON', { body: '{"players":[],"next":"x"}', type: 'text/html' }],
    ['an error', { body: '', status: 500 }],
    ['no cursor', { body: '{"players":[]}' }],
    ['only unreadable elements', { body: '{"players":[{}],"next":"x"}' }],
  ])('publishes nothing for %s, and the next poll uses the last good cursor', async (_, answer) => {
    serveFeed('good', {});
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    feed = answer;
    await runSlot(SLOT + SLOT_SECONDS, collector);
    serveFeed('better', { username: 'Owl' });
    await runSlot(SLOT + 2 * SLOT_SECONDS, collector);
    await stage.until(() => stage.players.length === 2);
    expect(publishedNames()).toEqual([['EmberFox'], ['Owl']]);
    expect(requestedUrls().at(-1)).toBe(`${FEED}?since=good`);
  });

  it('polls without a cursor when the network rejects the previous cursor', async () => {
    serveFeed('too old', {});
    const collector = await startCollector();
    await runSlot(SLOT, collector);
    serveFeed('x', { username: 'Owl' });
    feed.refusesSince = true;
    await runSlot(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.players.length === 2);
    expect(requestedUrls().slice(1)).toEqual([`${FEED}?since=too%20old`, FEED]);
  });

  it('publishes players again after a crash between publishing and storing the cursor', async () => {
    serveFeed('x', {});
    const { pages } = stage.store;
    const forgetful = {
      ...stage.store,
      pages: {
        ...pages,
        put: (url: string, memo: CachedPage, atMs: number) =>
          url.endsWith(FEED) ? Promise.reject(new Error('killed')) : pages.put(url, memo, atMs),
      },
    };
    const killed = await startCollector({ store: forgetful });
    await stage.until(() => stage.players.length > 0);
    await killed.stop();
    const [published, requested] = [stage.players.length, requestedUrls().length];
    stage.clock.nowMs += 15_000;
    await runSlot(SLOT + SLOT_SECONDS, await startCollector());
    await stage.until(() => stage.players.length > published);
    expect(requestedUrls()[requested]).toBe(FEED);
    expect(stage.players.at(-1)?.data.players).toEqual([player]);
  });
});
