import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  context as workContext,
  createLogger,
  createMetrics,
  openResources,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { upstreamHooks } from './upstreams/upstream-hooks.http.ts';
import { UndiciUpstreams } from './upstreams/upstreams.http.ts';
import type { GatewayConfig } from './config.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

export interface GatewayOverrides {
  bus?: MessageBus;
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
}

export interface Context {
  readonly bus: MessageBus;
  readonly upstreams: Upstreams;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly disposers: readonly (() => Promise<void>)[];
}

/** Three times the list of 50,000 titles. */
const UPSTREAM_MAX_BYTES = 32 * 1024 * 1024;

export async function createContext(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<Context> {
  const { LOG_LEVEL, LOG_FORMAT, NETWORK_ORIGIN: origin, BUS_URL } = config;
  const clock = overrides.clock ?? Date.now;
  const logger = overrides.logger ?? createLogger({ service: 'gateway', level: LOG_LEVEL, format: LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('gateway');
  const upstreams = new UndiciUpstreams({
    urls: {
      'series-api': config.SERIES_API_URL,
      'catalog-api': config.CATALOG_API_URL,
      'user-api': config.USER_API_URL,
      'reputation-api': config.REPUTATION_API_URL,
    },
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    maxBytes: UPSTREAM_MAX_BYTES,
    headers: requestHeaders,
    hooks: upstreamHooks(logger, metrics),
  });
  return openResources(async (part) => {
    const bus = await part(overrides.bus, () =>
      openBus({ url: BUS_URL, origin, hooks: busHooks(logger, metrics), clock, service: 'gateway' }),
    );
    return { bus, upstreams, clock, logger, metrics };
  });
}

function requestHeaders(): Record<string, string> {
  const current = workContext.getStore();
  if (current === undefined) return {};
  const { requestId, traceparent } = current;
  return requestId === undefined ? { traceparent } : { traceparent, 'x-request-id': requestId };
}
