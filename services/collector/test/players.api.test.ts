import { formatInstant, parseInstant, PLAYERS_PER_MESSAGE, SLOT_SECONDS } from '@lobbystats/contracts';
import { createMetrics } from '@lobbystats/service-kit';
import type { PageMemo } from '../src/domain/page-memory.ts';
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

const collectorAt = (options: Parameters<Stage['collector']>[0] = {}) =>
  stage.collector({ ...options, env: { NETWORK_URL: NETWORK } });
const asked = () => requests.map(({ url }) => url).filter((url) => url.startsWith(FEED));
const tells = (next: string, ...players: object[]) => {
  feed = { body: JSON.stringify({ players: players.map((one) => ({ ...player, ...one })), next }) };
};
const said = () => stage.players.map(({ data }) => data.players.map(({ username }) => username));

async function at(slot: number, ...collectors: Collector[]): Promise<void> {
  stage.clock.nowMs = (slot + 1) * 1000;
  for (const collector of collectors) await collector.tick();
  await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
}

describe('players', () => {
  it('are asked for once a slot, each look from where the one before ended', async () => {
    tells('2026-01-15T18:05:00Z', {});
    const collectors = await Promise.all([collectorAt(), collectorAt()]);
    await at(SLOT, ...collectors);
    tells('later & later', { username: 'Owl' }, { username: 'Elk' });
    await at(SLOT + SLOT_SECONDS, ...collectors);
    await at(SLOT + 2 * SLOT_SECONDS, ...collectors);
    await stage.until(() => new Set(stage.players.map(({ id }) => id)).size === 3);
    const looks = [...new Set(asked())];
    expect(looks).toEqual([FEED, `${FEED}?since=2026-01-15T18%3A05%3A00Z`, `${FEED}?since=later%20%26%20later`]);
    expect(stage.players[0]).toMatchObject({
      past: false,
      id: expect.stringMatching(`^players.observed:simulated:${formatInstant(SLOT)}:`),
      data: { seenAt: formatInstant(SLOT + 1), players: [player] },
    });
  });

  it('of a feed that is dated before the look before are not believed', async () => {
    const metrics = createMetrics('collector');
    tells('a', {});
    feed.date = new Date((SLOT - 1) * 1000).toUTCString();
    const collector = await collectorAt({ metrics });
    await at(SLOT, collector);
    await stage.until(() => stage.players.length === 1);
    tells('b', { username: 'Owl' });
    feed.date = new Date((SLOT - 60) * 1000).toUTCString();
    const looks = asked().length;
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => asked().length > looks);
    tells('c', { username: 'Elk' });
    await at(SLOT + 2 * SLOT_SECONDS, collector);
    await stage.until(() => stage.players.length === 2);
    expect(said()).toEqual([['EmberFox'], ['Elk']]);
    expect(await metrics.registry.metrics()).toMatch(
      /^lobbystats_pages_total\{page="players",outcome="misdated",.*\} [1-9]/m,
    );
  });

  it('come in messages that a bus carries', async () => {
    const many = Array.from({ length: 2 * PLAYERS_PER_MESSAGE + 1 }, (_, i) => ({ username: `P${i}` }));
    tells('x', ...many);
    await at(SLOT, await collectorAt());
    await stage.until(() => stage.players.length === 3);
    expect(said().map((names) => names.length)).toEqual([PLAYERS_PER_MESSAGE, PLAYERS_PER_MESSAGE, 1]);
    expect(said().flat()).toEqual(many.map(({ username }) => username));
  });

  it('who can’t be read are left out and counted, and what is unknown of one is no fault', async () => {
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
    await at(SLOT, await collectorAt({ metrics }));
    await stage.until(() => stage.players.length === 1);
    expect(said()).toEqual([['EmberFox', 'Elk', 'Owl']]);
    expect(stage.players[0]?.data.players[1]?.game).toBe(long.slice(0, 200));
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

  it.each([
    ['a cut list', { body: '{"players":[{"username"' }],
    ['no JSON', { body: '{"players":[],"next":"x"}', type: 'text/html' }],
    ['an error', { body: '', status: 500 }],
    ['no place to go on from', { body: '{"players":[]}' }],
    ['nothing but what can’t be read', { body: '{"players":[{}],"next":"x"}' }],
  ])(
    'are not said when the feed answers with %s, and the next look begins where the last good one ended',
    async (_, answer) => {
      tells('good', {});
      const collector = await collectorAt();
      await at(SLOT, collector);
      feed = answer;
      await at(SLOT + SLOT_SECONDS, collector);
      tells('better', { username: 'Owl' });
      await at(SLOT + 2 * SLOT_SECONDS, collector);
      await stage.until(() => stage.players.length === 2);
      expect(said()).toEqual([['EmberFox'], ['Owl']]);
      expect(asked().at(-1)).toBe(`${FEED}?since=good`);
    },
  );

  it('are asked for anew when the network no longer takes the place where the last look ended', async () => {
    tells('too old', {});
    const collector = await collectorAt();
    await at(SLOT, collector);
    tells('x', { username: 'Owl' });
    feed.refusesSince = true;
    await at(SLOT + SLOT_SECONDS, collector);
    await stage.until(() => stage.players.length === 2);
    expect(asked().slice(1)).toEqual([`${FEED}?since=too%20old`, FEED]);
  });

  it('are said again after a crash between publishing and remembering', async () => {
    tells('x', {});
    const { pages } = stage.store;
    const forgetful = {
      ...stage.store,
      pages: {
        ...pages,
        remember: (url: string, memo: PageMemo) =>
          url.endsWith(FEED) ? Promise.reject(new Error('killed')) : pages.remember(url, memo),
      },
    };
    const killed = await collectorAt({ store: forgetful });
    await stage.until(() => stage.players.length > 0);
    await killed.stop();
    const before = stage.players.length;
    stage.clock.nowMs += 15_000;
    await at(SLOT + SLOT_SECONDS, await collectorAt());
    await stage.until(() => stage.players.length > before);
    expect(asked().at(-1)).toBe(FEED);
    expect(stage.players.at(-1)?.data.players).toEqual([player]);
  });
});
