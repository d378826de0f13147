import { operations, type Change } from '@lobbystats/contracts';
import { route } from '@lobbystats/service-kit';
import { catalogRoutes, HARBOR, network } from './network.ts';
import { elementsOf, parseXml, textsOf, type XmlElement } from './parsed-xml.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL } from './running-gateway.ts';

const { getChangesFeed, getTitleChangesFeed, listChanges, listTitleChanges } = operations;
const FEED = getChangesFeed.path;
const BY_GAME = (getTitleChangesFeed.gamePath ?? '').replace(':game', 'harbor%20racing');
const PUBLIC_URL = 'https://stats.example:8443/';
const HOSTILE = `"><script>alert(1)</script>&amp;]]> \u202Eevil\0 'x' 50%/__proto__`;

function change(fields: Partial<Change> = {}): Change {
  return {
    ...{ id: 7, type: 'updated', titleId: HARBOR.titleId, gameName: HARBOR.name },
    ...{ leaderboardId: 17, leaderboardName: 'Old Pier', playerName: 'Ember Fox', isTime: true },
    ...{ oldRank: 5, newRank: 3, oldRating: '00:50.100', newRating: '00:49.300', oldTimeMs: 50_100, newTimeMs: 49_300 },
    changedAt: '2027-01-15 07:00:00',
    ...fields,
  };
}

/** A gateway whose catalog-api has these changes, newest first. */
async function withChanges(changes: Change[]) {
  const known = network();
  const page = (limit: number) => ({
    body: {
      changes: changes.slice(0, limit),
      ...{
        total: changes.length,
        limit,
        offset: 0,
        hasMore: changes.length > limit,
        nextCursor: changes.length > limit ? 'older' : null,
      },
    },
    lastModified: known.newest,
  });
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(listChanges, ({ query: { limit } }) => Promise.resolve(page(limit))),
      route(listTitleChanges, ({ query: { limit } }) => Promise.resolve(page(limit))),
    ]),
  );
  const gateway = await runGateway({ network: known, env: { CATALOG_API_URL: catalog.url, PUBLIC_URL } });
  catalog.requests.length = 0;
  const read = async (path: string) => {
    const { status, headers, text } = await gateway.request(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    return parseXml(text);
  };
  return { gateway, catalog, read };
}

const linksOf = (parent: XmlElement) =>
  Array.from(parent.children)
    .filter(({ localName }) => localName === 'link')
    .map((link) => ['rel', 'type', 'href'].map((name) => link.getAttribute(name)));

describe('Atom feed of changes', () => {
  it('has all that RFC 4287 requires of a feed, and links to itself, the page and the JSON', async () => {
    const { read } = await withChanges([change()]);
    const feed = await read(FEED);
    expect([feed.localName, feed.namespaceURI]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(textsOf(feed, 'id')[0]).toBe('https://stats.example:8443/api/changes.atom');
    expect(textsOf(feed, 'title')[0]).toBe('Lobbystats: leaderboard changes');
    expect(textsOf(feed, 'updated')[0]).toBe('2027-01-15T07:00:00Z');
    expect(textsOf(feed, 'name')).toEqual(['Lobbystats']);
    expect(linksOf(feed)).toEqual([
      ['self', 'application/atom+xml', 'https://stats.example:8443/api/changes.atom'],
      ['alternate', 'text/html', 'https://stats.example:8443/changes'],
      ['alternate', 'application/json', 'https://stats.example:8443/api/changes'],
    ]);
  });

  it('has an entry for each change, with a stable id and links to the pages of leaderboard and player', async () => {
    const { read } = await withChanges([
      change({ id: 9, type: 'new', oldRank: null, oldRating: null, oldTimeMs: null, newRank: 1 }),
      change({ id: 8, isTime: false, oldRating: '10', newRating: '12', oldTimeMs: null, newTimeMs: null }),
      change({ id: 7, type: 'removed', newRank: null, newRating: null, newTimeMs: null, gameName: '' }),
    ]);
    for (const path of [FEED, BY_GAME]) {
      const entries = elementsOf(await read(path), 'entry');
      const parts = entries.map((entry) => ['id', 'title', 'content'].map((name) => textsOf(entry, name)[0]));
      expect(parts).toEqual([
        [
          'tag:stats.example,2026:change/9',
          'Ember Fox is new at rank 1 of Old Pier (Harbor Racing)',
          'Rank 1. Time 0:49.300.',
        ],
        [
          'tag:stats.example,2026:change/8',
          'Ember Fox is rank 3 of Old Pier (Harbor Racing)',
          'Rank 5 → 3. Rating 10 → 12.',
        ],
        ['tag:stats.example,2026:change/7', 'Ember Fox is no longer on Old Pier', 'Rank 5. Time 0:50.100.'],
      ]);
      expect(entries.map((entry) => linksOf(entry).map(([rel, , href]) => [rel, href]))[0]).toEqual([
        ['alternate', 'https://stats.example:8443/game/4d530064/leaderboard/17'],
        ['related', 'https://stats.example:8443/u/Ember%20Fox'],
      ]);
      expect(textsOf(entries[0]!, 'updated')).toEqual(['2027-01-15T07:00:00Z']);
    }
  });

  it('keeps its filters in its links and its title, and forwards them', async () => {
    const { read, catalog } = await withChanges([]);
    const query = 'limit=20&type=new&game=Harbor+Racing&player=a%26b%22';
    const feed = await read(`${FEED}?${query}&limit2=x`);
    expect(textsOf(feed, 'title')).toEqual(['Lobbystats: leaderboard changes (Harbor Racing, a&b", new)']);
    expect(catalog.requests.map(({ url }) => Object.fromEntries(new URL(url, PUBLIC_URL).searchParams))).toEqual([
      { limit: '20', type: 'new', titleId: HARBOR.titleId, player: 'a&b"' },
    ]);
    const [self, page] = linksOf(feed).map(([, , href]) => new URL(href ?? '').searchParams);
    expect(Object.fromEntries(self!)).toEqual({ limit: '20', type: 'new', titleId: HARBOR.titleId, player: 'a&b"' });
    expect(Object.fromEntries(page!)).toEqual({ type: 'new', game: HARBOR.titleId, player: 'a&b"' });
  });

  it.each([FEED, BY_GAME])('leads to older entries in pages, whose first holds those of an hour: %s', async (path) => {
    const { read, gateway, catalog } = await withChanges(
      Array.from({ length: 251 }, (_, index) => change({ id: 251 - index })),
    );
    const linkOf = (feed: XmlElement, rel: string) => linksOf(feed).find(([name]) => name === rel)?.[2];
    const first = await read(path);
    expect(elementsOf(first, 'entry')).toHaveLength(250);
    const next = linkOf(first, 'next') ?? '';
    expect(new URL(next).search).toBe('?cursor=older');
    expect((await gateway.request(path)).headers['link']).toBe(`<${next}>; rel="next"`);
    const second = await read(`${path}?cursor=older&limit=500`);
    expect(catalog.requests.at(-1)?.url).toContain('cursor=older');
    expect([linkOf(second, 'next'), elementsOf(second, 'entry').length]).toEqual([undefined, 251]);
    expect(textsOf(second, 'id')[0]).not.toContain('cursor');
  });

  it('shows hostile names as text', async () => {
    const names = { playerName: HOSTILE, leaderboardName: HOSTILE, gameName: HOSTILE };
    const { read } = await withChanges([change(names)]);
    const feed = await read(FEED);
    const entry = elementsOf(feed, 'entry')[0]!;
    const shown = HOSTILE.replace('\0', '\uFFFD');
    const isolate = `\u2068${shown}\u2069`;
    expect(textsOf(entry, 'title')).toEqual([`${isolate} is rank 3 of ${isolate} (${isolate})`]);
    expect(elementsOf(feed, 'script')).toEqual([]);
    const [, player] = linksOf(entry);
    expect(decodeURIComponent(new URL(player?.[2] ?? '').pathname)).toBe(`/u/${HOSTILE}`);
  });

  it('is answered with 304, 400, 404 and 503 as JSON lists are', async () => {
    const { gateway } = await withChanges([change()]);
    const { etag } = (await gateway.request(FEED)).headers;
    expect((await gateway.request(FEED, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await gateway.request(`${FEED}?type=old`)).status).toBe(400);
    expect((await gateway.request(`${FEED}?limit=501`)).status).toBe(400);
    expect((await gateway.request(BY_GAME.replace('harbor', 'no'))).status).toBe(404);
    const down = await runGateway({ env: { CATALOG_API_URL: UNREACHABLE_URL } });
    expect((await down.request(FEED)).status).toBe(503);
  });
});
