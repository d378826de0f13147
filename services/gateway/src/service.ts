import { resolveWithin } from '@lobbystats/service-kit/concurrency';
import { setTimeout as wait } from 'node:timers/promises';
import { API_VERSION, operations, secondsClock } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { defineService, openServiceBus, readVersion, type Logger, type Metrics } from '@lobbystats/service-kit';
import { readGatewayConfig, type GatewayConfig } from './config.ts';
import { Freshness } from './cache/freshness.ts';
import { TitleDirectory, loadTitles } from './titles/title-directory.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { cacheMetrics } from './cache/cache-metrics.routes.ts';
import { corsHeaders, mountPreflight } from './operations/cors.routes.ts';
import { fixedResponse } from './documents/api-index.ts';
import { mountDocs, readDocs } from './documents/docs.routes.ts';
import { serveFromCache, UrlIndex } from './operations/serve-from-cache.routes.ts';
import { changesFeed, titleChangesFeed } from './feeds/changes-feed.ts';
import { mountSecretFeeds } from './feeds/secret-feeds.routes.ts';
import { mountIcons } from './images/icons.routes.ts';
import { mountImages } from './images/images.routes.ts';
import { createRasterizer } from './images/rasterizer.node.ts';
import { onlineUsers } from './online-users/online-users.ts';
import { player } from './players/compose-player.ts';
import {
  gamesPlayed,
  leaderboardScores,
  ownExport,
  ownProfile,
  playTime,
  profile,
} from './profiles/compose-profiles.ts';
import { mountPublicOperations } from './operations/public-operations.routes.ts';
import { compress } from './operations/send-response.routes.ts';
import { mountBrowserSdk } from './site/browser-sdk.routes.ts';
import { suggestions } from './suggestions/compose-suggestions.ts';
import { createSite } from './site/site.routes.ts';
import { CollectorStatus, collectorStatus } from './status/collector-status.ts';
import { mountStream } from './stream/stream.routes.ts';
import { backfillStream } from './stream/backfill-stream.bus.ts';
import { createStreamHub } from './stream/create-stream-hub.routes.ts';
import { createFactSubscriber } from './facts/create-fact-subscriber.bus.ts';
import { superviseLogReader } from './facts/supervise-log-reader.bus.ts';
import { mountSitemaps } from './well-known/sitemaps.routes.ts';
import { mountSlashRedirect } from './well-known/slash-redirect.routes.ts';
import { mountWellKnown } from './well-known/well-known.routes.ts';
import type { Composition } from './upstreams/upstreams.ts';
import { upstreamHooks } from './upstreams/upstream-outcome.http.ts';
import { UndiciUpstreams } from './upstreams/upstreams.http.ts';

export { gatewaySettings as settings } from './config.ts';

/** Three times the list of 50,000 titles. */
const UPSTREAM_MAX_BYTES = 32 * 1024 * 1024;
/** How long the start waits for titles, in milliseconds: other routes work without them. */
const TITLES_TIMEOUT_MS = 2000;
/** About a kilobyte each. */
const URLS_MAX = 10_000;

/** Listens once the titles are loaded, or after a short wait without them. */
export const gatewayService = defineService({
  name: 'gateway',
  readConfig: readGatewayConfig,
  parts: { bus: openServiceBus('gateway') },
  compose: ({ config, bus, clock, logger, metrics, stopping }) => {
    const version = readVersion();
    const apiVersion = API_VERSION;
    const form = config.BUS_URL.startsWith('memory:') ? 'standalone' : 'distributed';
    const rasterizer = createRasterizer();
    const { rasterize } = rasterizer;
    const note = config.NETWORK_ORIGIN === 'simulated' ? 'Simulated network' : '';
    const siteUrl = config.PUBLIC_URL.replace(/\/+$/, '');
    const docs = readDocs({ publicUrl: config.PUBLIC_URL, version });
    const upstreams = openUpstreams(config, logger, metrics);
    const directory = new TitleDirectory();
    const freshness = new Freshness(clock);
    const urlIndex = new UrlIndex<string>(URLS_MAX);
    const cache = new ResponseCache({
      maxBytes: config.CACHE_BYTES,
      now: clock,
      freshness,
      compress,
      resolveWithin,
    });
    cacheMetrics(metrics, cache);
    const status = new CollectorStatus();
    const stream = createStreamHub(metrics);
    stopping.addEventListener('abort', () => stream.close(), { once: true });

    let isFollowing = () => false;
    let firstAttempt = Promise.resolve();
    const followFacts = async () => {
      const following = superviseLogReader({
        start: createFactSubscriber({
          bus,
          directory,
          freshness,
          cache,
          known: urlIndex,
          stream,
          status,
          backfillStream: backfillStream({ bus, directory }),
          loadTitles: () => loadTitles(upstreams),
        }),
        onFault: (error, failures) => {
          // Retried every few seconds: an outage is logged once.
          logger.log(failures === 1 ? 'warn' : 'debug', 'the fact log can not be read', { failures, error });
        },
      });
      isFollowing = () => following.isCurrent();
      ({ firstAttempt } = following);
      return {
        stop: async () => {
          await Promise.all([following.stop(), upstreams.close()]);
        },
      };
    };
    // A listening gateway is used at once, so load titles first.
    const startHeartbeat = async () => {
      stream.startHeartbeat();
      await Promise.race([firstAttempt, wait(TITLES_TIMEOUT_MS, undefined, { ref: false })]);
      return { stop: async () => stream.close() };
    };

    const compositions: ReadonlyMap<string, Composition> = new Map([
      [operations.getApiIndex.id, fixedResponse(operations.getApiIndex, docs.index)],
      [operations.getApiVersion.id, fixedResponse(operations.getApiVersion, { version, apiVersion, form })],
      [operations.getStatus.id, collectorStatus(status)],
      [operations.getOnlineUsers.id, onlineUsers(directory)],
      [operations.suggestNames.id, suggestions(clock)],
      [operations.getProfile.id, profile(directory)],
      [operations.getPlayTime.id, playTime(directory)],
      [operations.getGamesPlayed.id, gamesPlayed(directory)],
      [operations.getLeaderboardScores.id, leaderboardScores],
      [operations.getMe.id, ownProfile(directory)],
      [operations.exportMe.id, ownExport],
      [operations.getPlayer.id, player],
      [operations.getChangesFeed.id, changesFeed(siteUrl, directory)],
      [operations.getTitleChangesFeed.id, titleChangesFeed(siteUrl, directory)],
    ]);
    const site = createSite({
      ...{ upstreams, compositions, directory, cache, urlIndex, clock },
      site: { siteUrl, version, network: config.NETWORK_ORIGIN },
      authPublicUrl: config.AUTH_PUBLIC_URL,
    });

    return {
      dependencies: {
        titles: async () => {
          if (!directory.isLoaded()) throw new AppError('unavailable', 'not loaded yet');
          if (!isFollowing()) throw new AppError('unavailable', 'changes are not followed');
        },
      },
      defaultHeaders: corsHeaders,
      trustedProxies: config.TRUSTED_PROXIES,
      errorPages: site.errorPages,
      fastPath: serveFromCache({ cache, urlIndex, defaultHeaders: corsHeaders }),
      configure: (app) => {
        mountPreflight(app);
        mountPublicOperations(app, {
          upstreams,
          directory,
          cache,
          urlIndex,
          compositions,
        });
        mountBrowserSdk(app, config.AUTH_PUBLIC_URL);
        site.mount(app);
        mountWellKnown(app, { siteUrl, rasterize, clock, securityContact: config.SECURITY_CONTACT });
        mountSecretFeeds(app, { siteUrl, upstreams, cache });
        mountSitemaps(app, { siteUrl, upstreams, directory, cache });
        mountImages(app, { upstreams, directory, cache, rasterize, note, now: secondsClock(clock) });
        mountIcons(app, { upstreams, directory, cache });
        mountDocs(app, docs);
        mountStream(app, stream);
        mountSlashRedirect(app);
      },
      components: [() => ({ stop: () => rasterizer.close() }), followFacts, startHeartbeat],
      whenListening: () => firstAttempt,
    };
  },
});

function openUpstreams(config: GatewayConfig, logger: Logger, metrics: Metrics): UndiciUpstreams {
  return new UndiciUpstreams({
    urls: {
      'series-api': config.SERIES_API_URL,
      'catalog-api': config.CATALOG_API_URL,
      'user-api': config.USER_API_URL,
      'reputation-api': config.REPUTATION_API_URL,
    },
    timeoutMs: config.upstreamTimeoutMs,
    maxBytes: UPSTREAM_MAX_BYTES,
    hooks: upstreamHooks(logger, metrics),
  });
}
