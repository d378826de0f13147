import type { EpochSeconds } from '@lobbystats/contracts';
import { tokenHash, type Logger, type Metrics } from '@lobbystats/service-kit';
import type { UserApiConfig } from '../config.ts';
import type { UserDatabase } from '../database/user-database.ts';
import { Channels } from './channels.ts';
import { Deliverer } from './deliverer.ts';
import { Feeds } from './feeds.ts';
import { createVapidKeys, httpEndpoints, type Outbound } from './endpoints.http.ts';
import { sealedBox } from './sealed-box.ts';
import { readVapidKeys, type VapidKeys } from './vapid-keys.ts';
import { startBackgroundLoop } from './background-loop.ts';

/** Also finds digests that become due, and what a killed replica left. */
const DELIVERY_INTERVAL_MS = 1000;
const BACKLOG_INTERVAL_MS = 5000;
const DELAY_BUCKETS = [1, 2, 5, 10, 30, 60, 300, 3600];

interface DeliveryOptions {
  readonly config: Pick<UserApiConfig, 'ERASURE_KEY' | 'DISCORD_API_URL' | 'PUBLIC_URL'>;
  readonly store: Pick<UserDatabase, 'following' | 'channels'>;
  readonly outbound: Outbound;
  readonly createUser: (username: string) => Promise<void>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => EpochSeconds;
  /** Wakes the loop, once it runs. */
  readonly wake: () => void;
}

/** Connects channels and the loop that delivers, with their metrics. */
export function composeDelivery({ config, store, outbound, createUser, metrics, logger, now, wake }: DeliveryOptions) {
  const { DISCORD_API_URL: discordUrl, PUBLIC_URL: publicUrl } = config;
  const box = sealedBox(config.ERASURE_KEY.reveal());
  const vapidKeys = cached(() => readVapidKeys(store.following, box, createVapidKeys));
  const endpoints = httpEndpoints({ discordUrl, publicUrl, vapidKeys, now, outbound });
  const channels = new Channels({
    ...{ store: store.channels, endpoints, box, vapidKeys, createUser, publicUrl, tokenHash, now },
    onMessage: wake,
    elapsedMs: () => performance.now(),
  });
  const feeds = new Feeds({ channels: store.channels, following: store.following, publicUrl, now });
  const deliveries = metrics.counter('deliveries_total', 'Requests to channels of users', ['kind', 'outcome']);
  const delays = metrics.histogram(
    'delivery_delay_seconds',
    'Time from when a notification was due to its delivery',
    [],
    DELAY_BUCKETS,
  );
  const deliverer = new Deliverer({
    ...{ store: store.channels, following: store.following, endpoints, box, publicUrl, now, onTurnEnd: wake },
    onDelivery: (kind, outcome, delaySeconds) => {
      deliveries.inc({ kind, outcome });
      if (outcome === 'delivered') delays.observe(delaySeconds);
    },
    onFault: (error) => logger.warn('Results of deliveries were not stored, they are repeated', { error }),
  });
  const queued = metrics.gauge('delivery_queue_channels', 'Channels with something due that no request is sent to');
  const queueAge = metrics.gauge('delivery_queue_age_seconds', 'How long the first of these channels has waited');
  return {
    channels,
    feeds,
    start: () => {
      const loop = startBackgroundLoop({
        everyMs: DELIVERY_INTERVAL_MS,
        work: () => deliverer.begin(),
        onFault: (error) => logger.warn('Deliveries failed, retrying', { error }),
      });
      const stop = async () => {
        await loop.stop();
        await deliverer.stop();
      };
      return { loop, stop };
    },
    startBacklog: () =>
      startBackgroundLoop({
        everyMs: BACKLOG_INTERVAL_MS,
        work: async () => {
          const { channels: count, since } = await store.channels.backlog(now());
          queued.set(count);
          queueAge.set(since === null ? 0 : now() - since);
        },
        onFault: (error) => logger.warn('The queue of deliveries can not be read', { error }),
      }),
  };
}

/** Reads once, and again after a failure. */
function cached(read: () => Promise<VapidKeys>): () => Promise<VapidKeys> {
  let keys: Promise<VapidKeys> | undefined;
  return () => {
    keys ??= read().catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return keys;
  };
}
