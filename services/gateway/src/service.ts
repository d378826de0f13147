import { setTimeout as wait } from 'node:timers/promises';
import { resolveWithin } from '@lobbystats/concurrency';
import { operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { composeService, createHealth, readVersion, type ComposedService, type Logger } from '@lobbystats/service-kit';
import type { GatewayConfig } from './config.ts';
import { createContext, type GatewayOverrides } from './context.ts';
import { Freshness } from './cache/freshness.ts';
import { TitleDirectory, loadTitles } from './titles/title-directory.ts';
import { ResponseCache } from './cache/response-cache.ts';
import { cacheMetrics } from './cache/cache-metrics.server.ts';
import { corsHeaders, mountPreflight } from './operations/cors.server.ts';
import { mountDocs, readDocs } from './documents/docs.routes.ts';
import { serveFromCache, UrlIndex } from './cache/serve-from-cache.server.ts';
import { onlineUsers } from './online-users/online-users.ts';
import { gamesPlayed, leaderboardScores, profile } from './profiles/compose-profiles.ts';
import { mountPublicOperations } from './operations/public-operations.routes.ts';
import { compress } from './operations/send-response.server.ts';
import { mountSite, readSite } from './documents/site.routes.ts';
import { mountStream } from './stream/stream.routes.ts';
import { backfillStream } from './stream/backfill-stream.consumer.ts';
import { createStreamHub, startStreamHeartbeat } from './stream/create-stream-hub.server.ts';
import { createFactSubscriber, type FactSubscriberOptions } from './facts/create-fact-subscriber.consumer.ts';
import { superviseLogReader, type LogReaderHandle } from './facts/supervise-log-reader.consumer.ts';

export { readGatewayConfig, type GatewayConfig } from './config.ts';
export type { GatewayOverrides } from './context.ts';

/** Listens once the titles are loaded, or after a short wait without them. */
export async function createGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const version = readVersion();
  const site = readSite({
    network: origin,
    version,
    networkPublicUrl: config.NETWORK_PUBLIC_URL,
    authPublicUrl: config.AUTH_PUBLIC_URL,
  });
  const docs = readDocs({ publicUrl: config.PUBLIC_URL, version });
  const { bus, upstreams, clock, logger, metrics, disposers } = await createContext(config, overrides);
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
  const stream = createStreamHub(metrics);

  const health = createHealth({
    service: 'gateway',
    details: { network: { origin, simulated: origin === 'simulated' } },
  });
  let isFollowing = () => false;
  health.dependency('titles', async () => {
    if (!directory.isLoaded()) throw new AppError('unavailable', 'not loaded yet');
    if (!isFollowing()) throw new AppError('unavailable', 'changes are not followed');
  });

  let firstAttempt = Promise.resolve();
  const service = composeService({
    name: 'gateway',
    config,
    logger,
    metrics,
    health,
    routes: [],
    defaultHeaders: corsHeaders,
    trustedProxies: config.TRUSTED_PROXIES,
    fastPath: serveFromCache({ cache, urlIndex, defaultHeaders: corsHeaders }),
    configure: (app) => {
      mountPreflight(app);
      mountPublicOperations(app, {
        upstreams,
        directory,
        cache,
        urlIndex,
        compositions: new Map([
          [operations.getOnlineUsers.id, onlineUsers(directory)],
          [operations.getProfile.id, profile(directory)],
          [operations.getGamesPlayed.id, gamesPlayed(directory)],
          [operations.getLeaderboardScores.id, leaderboardScores],
        ]),
      });
      mountSite(app, site);
      mountDocs(app, docs);
      mountStream(app, stream);
    },
    disposers,
    startComponents: async (started) => {
      const facts = {
        bus,
        directory,
        freshness,
        cache,
        known: urlIndex,
        stream,
        backfillStream: backfillStream({ bus, directory }),
        loadTitles: () => loadTitles(upstreams),
      };
      const following = startLogReader(facts, logger);
      isFollowing = () => following.isCurrent();
      ({ firstAttempt } = following);
      started(async () => {
        await Promise.all([following.stop(), upstreams.close()]);
      });
      started(startStreamHeartbeat(stream));
      // A listening gateway is used at once, so load titles first.
      await Promise.race([firstAttempt, wait(TITLES_TIMEOUT_MS, undefined, { ref: false })]);
    },
  });
  const start = async () => {
    await service.start();
    await firstAttempt;
  };
  const stop = () => {
    stream.close();
    return service.stop();
  };
  return { ...service, start, stop };
}

/** How long the start waits for titles, in milliseconds: other routes work without them. */
const TITLES_TIMEOUT_MS = 2000;
/** About a kilobyte each. */
const URLS_MAX = 10_000;

function startLogReader(facts: FactSubscriberOptions, logger: Logger): LogReaderHandle {
  return superviseLogReader({
    start: createFactSubscriber(facts),
    onFault: (error, failures) => {
      // Retried every few seconds: an outage is logged once.
      logger.log(failures === 1 ? 'warn' : 'debug', 'the fact log can not be read', { failures, error });
    },
  });
}
