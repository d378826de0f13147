import { operations, type OperationAnswer } from '@lobbystats/contracts';
import { openBus, type MessageBus } from '@lobbystats/message-bus';
import {
  busHooks,
  context as workContext,
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
} from '@lobbystats/service-kit';
import { UndiciOwners } from './adapters/http/undici-owners.ts';
import type { GatewayConfig } from './config.ts';
import { Freshness } from './domain/freshness.ts';
import { readAnswer, type Owners } from './domain/owners.ts';
import { TitleDirectory } from './domain/title-directory.ts';

type TitleList = OperationAnswer<typeof operations.listTitles>;

export interface GatewayOverrides {
  bus?: MessageBus;
  /** Epoch milliseconds. */
  clock?: () => number;
  logger?: Logger;
  metrics?: Metrics;
}

export interface GatewayContext {
  bus: MessageBus;
  /** Whether this service opened the bus, and so closes it. */
  ownsBus: boolean;
  logger: Logger;
  metrics: Metrics;
  owners: Owners;
  directory: TitleDirectory;
  freshness: Freshness;
  /** Everything that titles are called now. */
  loadTitles: () => Promise<TitleList['titles']>;
}

/** Decides what the gateway runs on: the only place that knows its adapters. */
export async function createContext(config: GatewayConfig, overrides: GatewayOverrides): Promise<GatewayContext> {
  const logger =
    overrides.logger ?? createLogger({ service: 'gateway', level: config.LOG_LEVEL, format: config.LOG_FORMAT });
  const metrics = overrides.metrics ?? createMetrics('gateway');
  const owners = new UndiciOwners({
    urls: { 'series-api': config.SERIES_API_URL, 'catalog-api': config.CATALOG_API_URL },
    timeoutMs: config.OWNER_TIMEOUT_MS,
    headers: requestHeaders,
  });
  const bus =
    overrides.bus ??
    (await openBus({ url: config.BUS_URL, origin: config.NETWORK_ORIGIN, hooks: busHooks(logger, metrics) }));
  return {
    bus,
    ownsBus: overrides.bus === undefined,
    logger,
    metrics,
    owners,
    directory: new TitleDirectory(),
    freshness: new Freshness(overrides.clock ?? Date.now),
    loadTitles: async () => readAnswer(operations.listTitles, await owners.ask(operations.listTitles, {}, {})).titles,
  };
}

function requestHeaders(): Record<string, string> {
  const current = workContext.current();
  if (current === undefined) return {};
  const { requestId, traceparent } = current;
  return requestId === undefined ? { traceparent } : { traceparent, 'x-request-id': requestId };
}
