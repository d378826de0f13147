import { createHealth, createHttpService, type Service } from '@lobbystats/service-kit';
import type { GatewayConfig } from './config.ts';
import { createContext, type GatewayOverrides } from './context.ts';
import { onlineUsers } from './http/online-users.ts';
import { corsHeaders, preflight } from './http/cors.ts';
import { mountPublicOperations } from './http/public-operations.ts';
import { mountSite } from './http/site.ts';
import { followFacts } from './messaging/follow-facts.ts';
import { keepFollowing, type Following } from './messaging/keep-following.ts';

export { readGatewayConfig, type GatewayConfig } from './config.ts';
export type { GatewayOverrides } from './context.ts';

const FOLLOW_RETRY_MS = 500;
const version = '0.1.0';

/** The public door: every public operation of the contracts, and the page. */
export async function createGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<Service> {
  const context = await createContext(config, overrides);
  const { bus, logger, metrics, owners, directory, freshness, loadTitles } = context;
  const simulated = config.NETWORK_ORIGIN === 'simulated';
  const health = createHealth({
    service: 'gateway',
    details: { network: { origin: config.NETWORK_ORIGIN, simulated } },
  });
  let following: Following | undefined;
  let listening = '';

  health.dependency('bus', () => bus.check());
  health.dependency('titles', () =>
    following?.current() === true ? Promise.resolve() : Promise.reject(new Error('the title directory is not loaded')),
  );

  const http = createHttpService({
    name: 'gateway',
    host: config.HOST,
    port: config.PORT,
    logger,
    metrics,
    health,
    routes: [],
    stopTimeoutMs: config.STOP_TIMEOUT_MS,
    everyAnswer: corsHeaders,
    configure: (app) => {
      app.use(preflight);
      mountSite(app, { network: config.NETWORK_ORIGIN, version, networkPublicUrl: config.NETWORK_PUBLIC_URL });
      mountPublicOperations(app, {
        owners,
        directory,
        freshness,
        compositions: { getOnlineUsers: onlineUsers(owners, directory) },
      });
    },
  });

  return {
    name: 'gateway',
    url: () => listening,
    start: async () => {
      following = keepFollowing(
        (onFault) => followFacts({ bus, directory, freshness, loadTitles, onFault }),
        FOLLOW_RETRY_MS,
        (error) => logger.warn('can not follow the titles yet', { error }),
      );
      ({ url: listening } = await http.start());
      logger.info('gateway is listening', { url: listening, network: config.NETWORK_ORIGIN });
    },
    stop: async () => {
      health.stopping();
      await http.stop();
      await following?.stop();
      await owners.close();
      if (context.ownsBus) await bus.close();
    },
  };
}
