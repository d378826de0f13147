import { operations } from '@lobbystats/contracts';
import { AppError } from '@lobbystats/errors';
import { composeService, createHealth, readVersion, type ComposedService, type Logger } from '@lobbystats/service-kit';
import type { GatewayConfig } from './config.ts';
import { createContext, type GatewayOverrides } from './context.ts';
import { Freshness } from './domain/freshness.ts';
import { loadTitles } from './domain/load-titles.ts';
import { TitleDirectory } from './domain/title-directory.ts';
import { corsHeaders, preflight } from './http/cors.ts';
import { onlineUsers } from './http/online-users.ts';
import { gamesPlayed, leaderboardScores, profile } from './http/profiles.ts';
import { mountPublicOperations } from './http/public-operations.ts';
import { mountSite, readSite } from './http/site.ts';
import { followFacts, type FactFollower } from './messaging/follow-facts.ts';
import { keepFollowing, type Following } from './messaging/keep-following.ts';

export { readGatewayConfig, type GatewayConfig } from './config.ts';
export type { GatewayOverrides } from './context.ts';

/** Composes the public door: every public operation of the contracts, and the page. It listens from `start` on. */
export async function createGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<ComposedService> {
  const { NETWORK_ORIGIN: origin } = config;
  const site = readSite({
    network: origin,
    version: readVersion(),
    networkPublicUrl: config.NETWORK_PUBLIC_URL,
    authPublicUrl: config.AUTH_PUBLIC_URL,
  });
  const { bus, owners, clock, logger, metrics, closers } = await createContext(config, overrides);
  const directory = new TitleDirectory();
  const freshness = new Freshness(clock);

  const health = createHealth({
    service: 'gateway',
    details: { network: { origin, simulated: origin === 'simulated' } },
  });
  let isFollowing = () => false;
  health.dependency('titles', async () => {
    if (!directory.isLoaded()) throw new AppError('unavailable', 'not loaded yet');
    if (!isFollowing()) throw new AppError('unavailable', 'changes are not followed');
  });

  let attempted = Promise.resolve();
  const service = composeService({
    name: 'gateway',
    config,
    logger,
    metrics,
    health,
    routes: [],
    everyAnswer: corsHeaders,
    configure: (app) => {
      app.use(preflight);
      mountSite(app, site);
      mountPublicOperations(app, {
        owners,
        directory,
        freshness,
        compositions: new Map([
          [operations.getOnlineUsers.id, onlineUsers(directory)],
          [operations.getProfile.id, profile(directory)],
          [operations.getGamesPlayed.id, gamesPlayed(directory)],
          [operations.getLeaderboardScores.id, leaderboardScores],
        ]),
      });
    },
    closers,
    startParts: async (started) => {
      const following = keepUp({ bus, directory, freshness, loadTitles: () => loadTitles(owners) }, logger);
      isFollowing = () => following.isCurrent();
      ({ attempted } = following);
      // Loading the titles is cut off with all else that owners are asked.
      started(async () => {
        await Promise.all([following.stop(), owners.close()]);
      });
    },
  });
  const start = async () => {
    await service.start();
    await attempted;
  };
  return { ...service, start };
}

function keepUp(facts: FactFollower, logger: Logger): Following {
  return keepFollowing({
    follow: (onFault) => followFacts(facts, onFault),
    onFault: (error, failures) => {
      // It is tried every few seconds: an outage is told of once.
      logger.log(failures === 1 ? 'warn' : 'debug', 'the titles can not be followed', { failures, error });
    },
  });
}
