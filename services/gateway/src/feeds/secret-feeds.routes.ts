import { feedPaths, feedToken, operations } from '@lobbystats/contracts';
import { entityTag, mountPath, notFound, readQuery, tokenHash } from '@lobbystats/service-kit';
import type { Express } from 'express';
import { EncodedBodies } from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendResponse } from '../operations/send-response.routes.ts';
import { apiPath, links } from '@lobbystats/site/links';
import { parseResponse, type UpstreamFetcher, type Upstreams } from '../upstreams/upstreams.ts';
import { atomDocument, tagUri } from './atom.ts';

const { getFollowedEventsCalendar, listFeedEvents, listFeedNotifications } = operations;

interface SecretFeedsOptions {
  readonly siteUrl: string;
  readonly upstreams: Upstreams;
  readonly cache: ResponseCache;
}

interface Asked {
  readonly token: string;
  /** The hash of the token, by which upstreams know the feed. */
  readonly feed: string;
}

type ReadFeed = (asked: Asked, upstreams: UpstreamFetcher) => Promise<Buffer>;

const PRIVATE_GET = { method: 'GET', session: 'none', isPrivate: true } as const;

/** Mounts the feeds of users who add one as a channel. Their tokens go no further than here. */
export function mountSecretFeeds(app: Express, { siteUrl, upstreams, cache }: SecretFeedsOptions): void {
  const mount = (path: string, id: string, type: string, read: ReadFeed) => {
    mountPath(app, path, id, async (req, res) => {
      const { token = '' } = readQuery({ token: true }, req.url);
      if (typeof token !== 'string' || !feedToken.test(token)) throw notFound('feed');
      const feed = tokenHash(token);
      const response = await cache.getOrFetch({
        ...{ key: JSON.stringify([id, feed]), operation: id, upstream: 'gateway', tags: [], policy: 'coalesce' },
        fetch: async () => {
          const bytes = await read({ token, feed }, upstreams.withSharedDeadline());
          const body = new EncodedBodies(bytes, entityTag(bytes));
          return { body, headers: { 'Content-Type': type, 'X-Robots-Tag': 'noindex' } };
        },
      });
      await sendResponse(req, res, cache, { operation: PRIVATE_GET, response, hasSession: false });
    });
  };
  mount(feedPaths.notifications, 'getNotificationsFeed', 'application/atom+xml; charset=utf-8', notifications(siteUrl));
  mount(feedPaths.events, 'getFollowedEventsFeed', 'text/calendar; charset=utf-8', followedEvents);
}

function notifications(siteUrl: string): ReadFeed {
  return async ({ token, feed }, upstreams) => {
    const response = await upstreams.fetch(listFeedNotifications, { feed }, {});
    return parseResponse(listFeedNotifications, response, (body) =>
      atomDocument({
        ...{ siteUrl, id: tagUri(siteUrl, `feed/${feed}`), title: 'Lobbystats: notifications' },
        self: siteUrl + apiPath(feedPaths.notifications, {}, { token }),
        alternates: { 'text/html': siteUrl + links.following },
        entries: body.notifications.map(({ id, title, at, url, kind, rule, text }) => ({
          ...{ id: tagUri(siteUrl, `notification/${id}`), title, at, text },
          ...{ links: { alternate: url }, categories: [[kind], [rule]] },
        })),
      }),
    );
  };
}

async function followedEvents({ feed }: Asked, upstreams: UpstreamFetcher): Promise<Buffer> {
  const response = await upstreams.fetch(listFeedEvents, { feed }, {});
  const query = parseResponse(listFeedEvents, response, ({ eventIds, titleIds }) => ({
    eventIds: eventIds.join(','),
    titleIds: titleIds.join(','),
  }));
  return (await upstreams.fetch(getFollowedEventsCalendar, {}, query)).body;
}
