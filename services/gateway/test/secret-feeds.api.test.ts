import { formatTimestamp, feedPaths, operations, type Notification } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { route, tokenHash } from '@lobbystats/service-kit';
import { catalogRoutes, network } from './network.ts';
import { elementsOf, parseXml, textsOf } from './parsed-xml.ts';
import { runGateway, startStubUpstream, UNREACHABLE_URL } from './running-gateway.ts';

const { getFollowedEventsCalendar, listFeedEvents, listFeedNotifications } = operations;
const PUBLIC_URL = 'https://stats.example/';
const TOKEN = 'T'.repeat(43);
const FEED = `${feedPaths.notifications}?token=${TOKEN}`;
const CALENDAR = `${feedPaths.events}?token=${TOKEN}`;
const HOSTILE = `"><script>alert(1)</script>&amp;]]> \0 'x'`;

function notification(fields: Partial<Notification> = {}): Notification {
  return {
    ...{ id: '2f6a7f2e-8f0c-4a8e-9a53-0c4f1f7f5d10', at: formatTimestamp(1_800_000_000), kind: 'game' },
    ...{ happenedAt: formatTimestamp(1_799_999_990), expiresAt: formatTimestamp(1_800_001_790) },
    ...{ target: '4d530064', rule: 'lobbyPlayers', title: 'Lobby in Harbor Racing', text: 'Marlow\nFinch', count: 2 },
    url: 'https://stats.example/game/4d530064',
    ...fields,
  };
}

/** A gateway whose user-api knows one feed. */
async function withFeed(notifications: Notification[]) {
  const know = (feed: string) => {
    if (feed !== tokenHash(TOKEN)) throw new AppError('not-found', 'Unknown feed');
  };
  const users = await startStubUpstream([
    route(listFeedNotifications, async ({ params }) => {
      know(params.feed);
      return { body: { notifications } };
    }),
    route(listFeedEvents, async ({ params }) => {
      know(params.feed);
      return { body: { eventIds: [31, 32], titleIds: ['4d530064'] } };
    }),
  ]);
  const catalog = await startStubUpstream(
    catalogRoutes(network(), [
      route(getFollowedEventsCalendar, async ({ query }) => ({
        body: `BEGIN:VCALENDAR\r\nX-IDS:${[...query.eventIds, ...query.titleIds].join('-')}\r\nEND:VCALENDAR\r\n`,
      })),
    ]),
  );
  const gateway = await runGateway({ env: { USER_API_URL: users.url, CATALOG_API_URL: catalog.url, PUBLIC_URL } });
  return { gateway, users, catalog };
}

describe('a secret feed', () => {
  it('has an entry for each notification, with an id that is stable, and links to itself and the pages', async () => {
    const { gateway } = await withFeed([notification(), notification({ id: 'other', title: HOSTILE, text: HOSTILE })]);
    const { status, headers, text } = await gateway.request(FEED);
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    const feed = parseXml(text);
    const [first, second] = elementsOf(feed, 'entry');
    const parts = ['id', 'title', 'published', 'updated', 'content'].map((name) => textsOf(first!, name)[0]);
    expect(parts).toEqual([
      'tag:stats.example,2026:notification/2f6a7f2e-8f0c-4a8e-9a53-0c4f1f7f5d10',
      'Lobby in Harbor Racing',
      ...['2027-01-15T08:00:00Z', '2027-01-15T08:00:00Z'],
      'Marlow\nFinch',
    ]);
    expect(textsOf(second!, 'title')).toEqual([HOSTILE.replace('\0', '\uFFFD')]);
    expect(elementsOf(feed, 'script')).toEqual([]);
    const hrefs = elementsOf(feed, 'link').map((link) => [link.getAttribute('rel'), link.getAttribute('href')]);
    expect(hrefs.slice(0, 3)).toEqual([
      ['self', `https://stats.example${FEED}`],
      ['alternate', 'https://stats.example/me/following'],
      ['alternate', 'https://stats.example/game/4d530064'],
    ]);
    expect([textsOf(feed, 'id')[0], textsOf(feed, 'updated')[0], textsOf(feed, 'name')]).toEqual([
      `tag:stats.example,2026:feed/${tokenHash(TOKEN)}`,
      '2027-01-15T08:00:00Z',
      ['Lobbystats'],
    ]);
  });

  it('has the events that are followed, and of followed games, as a calendar', async () => {
    const { gateway } = await withFeed([]);
    const { status, headers, text } = await gateway.request(CALENDAR);
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(text).toBe('BEGIN:VCALENDAR\r\nX-IDS:31-32-4d530064\r\nEND:VCALENDAR\r\n');
  });

  it.each([FEED, CALENDAR])('is its reader’s alone, read again each time, and answered with 304: %s', async (path) => {
    const { gateway, users, catalog } = await withFeed([notification()]);
    const { headers } = await gateway.request(path);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const again = await gateway.request(path, { headers: { 'If-None-Match': headers.etag! } });
    expect([again.status, again.headers['cache-control'], again.text]).toEqual([304, 'private, no-cache', '']);
    expect((await gateway.request(path, { method: 'HEAD' })).status).toBe(200);
    expect(users.requests).toHaveLength(3);
    // Its token goes no further than the gateway.
    const sent = JSON.stringify([users.requests, catalog.requests]);
    expect(sent).not.toContain(TOKEN);
  });

  it.each([
    ['of another token', `?token=${'U'.repeat(43)}`, 404],
    ['without a token', '', 404],
    ['of a malformed token', '?token=../x', 404],
    ['of two tokens', `?token=${TOKEN}&token=${TOKEN}`, 404],
  ])('is not found %s', async (_, query, expected) => {
    const { gateway } = await withFeed([]);
    for (const path of Object.values(feedPaths)) {
      const { status, headers, text } = await gateway.request(path + query);
      expect([status, headers['cache-control']]).toEqual([expected, 'no-store']);
      for (const token of ['TTTT', 'UUUU', '../x']) expect(text).not.toContain(token);
    }
  });

  it('is unavailable, not empty, while an upstream is down', async () => {
    const { users } = await withFeed([]);
    const noUsers = await runGateway({ env: { USER_API_URL: UNREACHABLE_URL } });
    expect((await noUsers.request(FEED)).status).toBe(503);
    const noEvents = await runGateway({ env: { USER_API_URL: users.url, CATALOG_API_URL: UNREACHABLE_URL } });
    expect((await noEvents.request(CALENDAR)).status).toBe(503);
  });
});
