import { followedPicturePath, followKinds, operations, slotStored } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { eventually } from '@lobbystats/test-kit';
import { fitText } from '../src/images/fit-text.ts';
import { BOARD } from './catalog-responses.ts';
import { activity } from './day.ts';
import { catalogRoutes, HARBOR, network, title, type Network } from './network.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL, type RunningGateway } from './running-gateway.ts';
import { FOX } from './user-responses.ts';

const GAME = `/og/game/${HARBOR.titleId}.png`;
const LEADERBOARD = `/og/game/harbor%20racing/leaderboard/${BOARD.id}.png`;
const PLAYER = `/og/u/${FOX}.png`;
const IMAGES = ['/og/site.png', GAME, LEADERBOARD, PLAYER];
const HOSTILE_NAMES = [
  `"><script>alert(1)</script>`,
  `'&amp;]]><image href="http://127.0.0.1:1/x.png"/>`,
  '\u202Eשלום עולם\u2066 مرحبا بالعالم',
  '👩‍👩‍👧‍👦🏁'.repeat(10),
  `Z${'\u0301'.repeat(60)}`,
  '%2F..%2F__proto__',
  '漢字かな',
  'W'.repeat(100),
];

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway({ scope: 'file', network: network({ standings: new Map([[FOX, [HARBOR.titleId]]]) }) });
});

interface FetchedImage {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

async function fetchImage(path: string, from = gateway): Promise<FetchedImage> {
  const response = await fetch(from.url + path, { headers: { 'Accept-Encoding': 'br' } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

function expectCard({ status, headers, bytes }: FetchedImage): void {
  expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([200, 'image/png', null]);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
}

describe('image for link previews', () => {
  it.each(followKinds)('is at the address that notifications of a %s name', async (kind) => {
    const targets = { game: HARBOR.titleId, leaderboard: `${HARBOR.titleId}:${BOARD.id}`, player: FOX, event: '31' };
    expectCard(await fetchImage(followedPicturePath(kind, targets[kind])));
  });

  it.each(IMAGES)('%s is a PNG of 1200 × 630 pixels with a validator', async (path) => {
    const image = await fetchImage(path);
    expectCard(image);
    expect(image.headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
    const etag = image.headers.get('etag') ?? '';
    const again = await fetch(gateway.url + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  });

  it('shows its data: it differs for another game, and when a count changes', async () => {
    const known = network({ activity: { slot: '2027-01-15T08:00:00Z', titles: [activity(HARBOR.titleId, 3, [])] } });
    const other = await runGateway({ network: known });
    const images = [await fetchImage(GAME, other), await fetchImage('/og/game/Rally.png', other)];
    known.activity = { slot: '2027-01-15T08:05:00Z', titles: [activity(HARBOR.titleId, 4, [])] };
    images.push(await fetchImage(GAME, other));
    for (const image of images) expectCard(image);
    expect(new Set(images.map(({ bytes }) => bytes.toString('base64'))).size).toBe(3);
  });

  it('shows the icon of the game, or its initials', async () => {
    const RED = 'UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoEAAQAAUAmJaACdLoB+AADsAD+8JtD/xZyMR2eb/8Cd+BO/Anf+ECAAAA=';
    for (const path of [GAME, LEADERBOARD]) {
      const [drawn, shown] = await Promise.all(
        [new Map(), new Map([[HARBOR.titleId, RED]])].map(async (icons) =>
          fetchImage(path, await runGateway({ network: network({ icons }) })),
        ),
      );
      for (const image of [drawn, shown]) if (image !== undefined) expectCard(image);
      expect(shown?.bytes.equals(drawn?.bytes ?? Buffer.alloc(0))).toBe(false);
    }
  });

  it.each<[path: string, nextSlot: (known: Network) => void]>([
    ['/og/site.png', (known) => (known.newest += 300)],
    [GAME, (known) => (known.activity = { ...known.activity, slot: '2027-01-15T08:05:00Z' })],
  ])('%s says of which slot its counts are', async (path, nextSlot) => {
    const known = network({ activity: { slot: '2027-01-15T08:00:00Z', titles: [activity(HARBOR.titleId, 3, [])] } });
    const other = await runGateway({ network: known });
    const before = await fetchImage(path, other);
    expect((await fetchImage(path, other)).bytes.equals(before.bytes)).toBe(true);
    nextSlot(known);
    expect((await fetchImage(path, other)).bytes.equals(before.bytes)).toBe(false);
  });

  it('is the same for a game by name and by title ID, and for a player in any case', async () => {
    const byName = await fetchImage('/og/game/HARBOR%20RACING.png');
    expect(byName.bytes.equals((await fetchImage(GAME)).bytes)).toBe(true);
    const upper = await fetchImage(`/og/u/${FOX.toUpperCase()}.png`);
    expect(upper.bytes.equals((await fetchImage(PLAYER)).bytes)).toBe(true);
  });

  it.each([
    '/og/game/4d5300ff.png',
    '/og/game/nothing.png',
    `/og/game/${HARBOR.titleId}/leaderboard/99.png`,
    `/og/game/${HARBOR.titleId}/leaderboard/x.png`,
    `/og/game/nothing/leaderboard/${BOARD.id}.png`,
    '/og/u/nobody.png',
    '/og/u/%20.png',
    `/og/u/${'x'.repeat(201)}.png`,
    '/og/u/.png',
    '/og/other.png',
  ])('%s is 404, as there is no such thing', async (path) => {
    const { status, headers } = await fetchImage(path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it('is 503 while an upstream is unavailable', async () => {
    const down = await runGateway({ env: { SERIES_API_URL: UNREACHABLE_URL } });
    for (const path of ['/og/site.png', GAME, PLAYER]) expect((await fetchImage(path, down)).status).toBe(503);
  });

  it('is drawn for hostile names of games, leaderboards and players', async () => {
    const titles = HOSTILE_NAMES.map((name, index) => title(`0000000${index}`, name, { publisher: name }));
    const known = network({ titles });
    const entries = HOSTILE_NAMES.slice(0, 3).map((name, index) => ({
      ...{ rank: String(index + 1), name, rating: name, timeMs: 0, timeFormatted: '', isTime: false },
    }));
    const catalog = await startStubUpstream(
      catalogRoutes(known, [
        route(operations.getLeaderboard, ({ params: { titleId } }) => {
          const name = titles.find((one) => one.titleId === titleId)?.name ?? '';
          const body = { titleId, gameName: name, leaderboardId: '17', name, entries, total: 3 };
          return Promise.resolve({ body });
        }),
      ]),
    );
    const hostile = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url } });
    for (const { titleId, name } of titles) {
      expectCard(await fetchImage(`/og/game/${titleId}.png`, hostile));
      expectCard(await fetchImage(`/og/game/${titleId}/leaderboard/17.png`, hostile));
      expect((await fetchImage(`/og/u/${encodeURIComponent(name)}.png`, hostile)).status).toBe(404);
    }
  });

  it('is drawn once for concurrent requests, and again after the next slot', async () => {
    const cached = await runGateway({ env: { CACHE_BYTES: '10000000' } });
    const statuses = async () => {
      const images = await Promise.all([1, 2, 3].map(async () => fetchImage('/og/site.png', cached)));
      for (const image of images) expectCard(image);
      return images.map(({ headers }) => headers.get('cache-status') ?? '');
    };
    cached.series.requests.length = 0;
    expect((await statuses()).filter((status) => status.includes('collapsed'))).toHaveLength(2);
    expect((await statuses()).filter((status) => status.includes('hit'))).toHaveLength(3);
    expect(cached.series.requests).toHaveLength(2);
    await cached.bus.publish(slotStored, slotStored.example, {});
    await eventually(async () => {
      await statuses();
      expect(cached.series.requests).toHaveLength(4);
    });
  });
});

describe('fitText', () => {
  const box = { width: 1000, sizeMax: 72, sizeMin: 40 };

  it('reduces the size of long texts, then truncates them', () => {
    expect(fitText('Ember Fox', box)).toEqual({ text: 'Ember Fox', size: 72 });
    expect(fitText('The Longer Name of a Game', box).size).toBeLessThan(72);
    const { text, size } = fitText('W'.repeat(100), box);
    expect([text, size]).toEqual([`${'W'.repeat(21)}…`, 40]);
  });

  it('removes characters that control the text, and never splits one', () => {
    expect(fitText('\u202Ea\u0000b\n\tc\u2069\uD800', box).text).toBe('a b c\uFFFD');
    const family = '👩‍👩‍👧‍👦';
    const { text } = fitText(family.repeat(40), box);
    expect(text.isWellFormed()).toBe(true);
  });
});
