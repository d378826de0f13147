import { operations, tagsOf } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { entityTag, mountPath, notFound, parseParams, parseQuery } from '@lobbystats/service-kit';
import { renderPage, type Page, type PageSource, type SiteContext } from '@lobbystats/site';
import type { Express, Request } from 'express';
import { EncodedBodies } from '../cache/encoded-bodies.ts';
import type { OriginResponse } from '../cache/cache-request.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { UrlIndex } from '../operations/serve-from-cache.routes.ts';
import { cacheRule, canonicalQuery } from '../operations/parse-request.routes.ts';
import { preferredEncoding, sendResponse } from '../operations/send-response.routes.ts';
import type { TitleDirectory } from '../titles/title-directory.ts';
import { parseResponse, type Composition, type Upstreams, type Values } from '../upstreams/upstreams.ts';

export interface PagesOptions {
  readonly upstreams: Upstreams;
  /** By operation ID. */
  readonly compositions: ReadonlyMap<string, Composition>;
  readonly directory: TitleDirectory;
  readonly cache: ResponseCache;
  readonly urlIndex: UrlIndex<string>;
  readonly site: SiteContext;
  readonly headers: (page: Page) => Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const PUBLIC_GET = { method: 'GET', session: 'none' } as const;

/** Mounts pages: composed once, then cached and invalidated like the responses that they are made of. */
export function mountPages(app: Express, pages: readonly Page[], options: PagesOptions): void {
  for (const page of pages) mountPage(app, page, options);
}

/** A page with parts that were unavailable: sent, unless the cache has a whole one. */
class PartialPageError extends AppError {
  readonly response: OriginResponse;

  constructor(response: OriginResponse) {
    super('unavailable', 'A part of the page is unavailable');
    this.response = response;
  }
}

function mountPage(app: Express, page: Page, options: PagesOptions): void {
  const { cache, urlIndex, directory } = options;
  const { id, path } = page;
  const headers = options.headers(page);
  // The status is on every page: alone it makes no page one that browsers have to revalidate.
  const freshnessTags = page.asks.filter(({ id }) => id !== operations.getStatus.id).flatMap(({ tags }) => tags);
  const showsPresent = page.asks.some(({ present }) => present === true);
  const rule = cacheRule({ ...page, tags: freshnessTags });
  mountPath(app, path, id, async (req, res) => {
    const { generation } = urlIndex;
    const params = parseParams(page, withTitleId(directory, req.params)) as Values;
    const tags = tagsOf(page.asks, page.tagParams?.(params) ?? params);
    const parsed = parseQuery(page, req.originalUrl);
    const query = canonicalQuery(page, req.originalUrl, parsed);
    const key = rule.key(params, query, undefined);
    const policy = rule.policy(query);
    const isIndexed = policy === 'store' && rule.hasOnlyKnownParameters(req.originalUrl);
    const encoding = preferredEncoding(req.headers['accept-encoding']);
    const fetch = () => render(page, { params, query: parsed, tags }, headers, options);
    try {
      const response = await cache.getOrFetch({
        key,
        policy,
        isPresent: showsPresent && req.originalUrl === path,
        encoding,
        fetch,
        operation: id,
        upstream: 'gateway',
        tags,
        freshnessTags,
      });
      await sendResponse(req, res, cache, { operation: PUBLIC_GET, response, encoding, hasSession: false });
      if (isIndexed) urlIndex.set(req.originalUrl, key, generation);
    } catch (error) {
      if (!(error instanceof PartialPageError)) throw error;
      const { body, headers } = error.response as OriginResponse<EncodedBodies>;
      const { bytes } = body.identity;
      res.writeHead(200, { ...headers, 'Content-Length': bytes.length, 'Cache-Control': 'no-store' }).end(bytes);
    }
  });
}

async function render(
  page: Page,
  request: Parameters<typeof renderPage>[1],
  headers: Readonly<Record<string, string>>,
  options: PagesOptions,
): Promise<OriginResponse> {
  const { bytes, isStorable, isPartial } = await renderPage(page, request, pageSource(options), options.site);
  const response = { body: new EncodedBodies(bytes, entityTag(bytes)), headers, isStorable };
  if (isPartial) throw new PartialPageError(response);
  return response;
}

/** A page's access to the system: the requests of one page share a deadline that starts now. */
function pageSource({ upstreams, compositions, directory, clock }: PagesOptions): PageSource {
  const fetcher = upstreams.withSharedDeadline();
  return {
    ask: async (operation, params, query, body) => {
      const compose = compositions.get(operation.id);
      const response =
        compose === undefined
          ? await fetcher.fetch(operation, params, query, { body })
          : await compose({ params, query }, fetcher);
      return parseResponse(operation, response);
    },
    titles: directory,
    now: Math.floor(clock() / 1000),
  };
}

function withTitleId(directory: TitleDirectory, params: Request['params']): Readonly<Record<string, unknown>> {
  const { game } = params;
  if (game === undefined) return params;
  const titleId = directory.resolveLink(String(game));
  if (titleId === undefined) throw notFound('game');
  return { ...params, titleId };
}
