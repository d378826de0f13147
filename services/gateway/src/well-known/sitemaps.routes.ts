import { operations, tags, tagsOf } from '@lobbystats/contracts';
import { entityTag, mountPath, notFound } from '@lobbystats/service-kit';
import type { Express, Request } from 'express';
import type { CacheRequest } from '../cache/cache-request.ts';
import { EncodedBodies } from '../cache/encoded-bodies.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { sendResponse } from '../operations/send-response.routes.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { gameSitemap, pagesSitemap, sitemapIndex, sitemapPaths } from './sitemaps.ts';

export interface SitemapsOptions {
  readonly siteUrl: string;
  readonly upstreams: Upstreams;
  readonly directory: TitleDirectory;
  readonly cache: ResponseCache;
}

interface Sitemap {
  readonly key: string;
  readonly tags: readonly string[];
  readonly read: () => Promise<Buffer>;
}

const PUBLIC_GET = { method: 'GET', session: 'none' } as const;

/** Mounts the sitemaps: cached until something that they list changes. */
export function mountSitemaps(app: Express, { siteUrl, upstreams, directory, cache }: SitemapsOptions): void {
  const mount = (path: string, id: string, parse: (req: Request) => Sitemap) => {
    mountPath(app, path, id, async (req, res) => {
      const response = await cache.getOrFetch(cacheRequest(id, parse(req)));
      await sendResponse(req, res, cache, { operation: PUBLIC_GET, response, hasSession: false });
    });
  };
  const titleIds = () => directory.byName().map(({ titleId }) => titleId);
  mount(sitemapPaths.index, 'getSitemapIndex', () => ({
    key: '',
    tags: [tags.titles],
    read: () => Promise.resolve(sitemapIndex(siteUrl, titleIds().sort())),
  }));
  mount(sitemapPaths.pages, 'getPagesSitemap', () => ({
    key: '',
    tags: tagsOf([operations.listAchievements, operations.listEvents], {}),
    read: () => pagesSitemap(siteUrl, upstreams),
  }));
  mount(sitemapPaths.game, 'getGameSitemap', ({ params }) => {
    const title = directory.find(String(params['titleId']));
    if (title === undefined) throw notFound('game');
    const { titleId } = title;
    return {
      key: titleId,
      tags: tagsOf([operations.listLeaderboards], { titleId }),
      read: () => gameSitemap(siteUrl, titleId, upstreams),
    };
  });
}

function cacheRequest(id: string, { key, tags: own, read }: Sitemap): CacheRequest {
  const fetch = async () => {
    const bytes = await read();
    return {
      body: new EncodedBodies(bytes, entityTag(bytes)),
      headers: { 'Content-Type': 'application/xml; charset=utf-8' },
    };
  };
  return { key: JSON.stringify([id, key]), operation: id, upstream: 'gateway', tags: own, policy: 'store', fetch };
}
