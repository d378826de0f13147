import type { EpochSeconds } from '@lobbystats/contracts';
import { tokenHash, type Logger, type Metrics, type Secret } from '@lobbystats/service-kit';
import { createPortions, startPortions } from '@lobbystats/service-kit/concurrency';
import type { ChannelStore } from './channel-store.ts';
import { Channels } from './channels.ts';
import { channelRoutes } from './channels.routes.ts';
import { Deliverer } from './deliverer.ts';
import { Feeds } from './feeds.ts';
import type { FollowStore } from '../following/follow-store.ts';
import { createVapidKeys, httpEndpoints, type Outbound } from './endpoints.http.ts';
import { sealedBox } from './sealed-box.ts';
import { readVapidKeys, type VapidKeys } from './vapid-keys.ts';

/** Also finds digests that become due, and what a killed replica left. */
const DELIVERY_INTERVAL_MS = 1000;
const BACKLOG_INTERVAL_MS = 5000;
const DELAY_BUCKETS = [1, 2, 5, 10, 30, 60, 300, 3600];

interface DeliveryOptions {
  readonly store: { readonly following: FollowStore; readonly channels: ChannelStore };
  /** Seals the addresses of channels. */
  readonly key: Secret;
  readonly discordUrl: string;
  readonly publicUrl: string;
  readonly outbound: Outbound;
  readonly createUser: (username: string) => Promise<void>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly now: () => EpochSeconds;
}

/** Connects channels and the loop that delivers, with their metrics. */
export function composeDelivery(options: DeliveryOptions) {
  const { store, key, discordUrl, publicUrl, outbound, createUser, metrics, logger, now } = options;
  const box = sealedBox(key.reveal());
  const vapidKeys = cached(() => readVapidKeys(store.following, box, createVapidKeys));
  const endpoints = httpEndpoints({ discordUrl, publicUrl, vapidKeys, now, outbound });
  const delivering = createPortions({
    everyMs: DELIVERY_INTERVAL_MS,
    portion: () => deliverer.begin(),
    onFault: (error) => logger.warn('Deliveries failed, retrying', { error }),
  });
  const channels = new Channels({
    store: store.channels,
    endpoints,
    box,
    vapidKeys,
    createUser,
    publicUrl,
    tokenHash,
    now,
    onMessage: delivering.wake,
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
    store: store.channels,
    following: store.following,
    endpoints,
    box,
    publicUrl,
    now,
    onTurnEnd: delivering.wake,
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
    routes: channelRoutes(channels, feeds),
    wake: delivering.wake,
    components: [
      () => {
        const { stop } = delivering.start();
        return { stop: () => stop().then(() => deliverer.stop()) };
      },
      () =>
        startPortions({
          everyMs: BACKLOG_INTERVAL_MS,
          portion: async () => {
            const { channels: count, since } = await store.channels.backlog(now());
            queued.set(count);
            queueAge.set(since === null ? 0 : now() - since);
          },
          onFault: (error) => logger.warn('The queue of deliveries can not be read', { error }),
        }),
    ],
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
