import { registeredObserved, slotObserved, titleStored, type EpochSeconds } from '@lobbystats/contracts';
import { handle, handleBatch, type MessageBus, type Subscription } from '@lobbystats/message-bus';
import type { SeriesStore } from '../domain/series-store.ts';
import { storeRegistered } from '../domain/store-registered.ts';
import { storeSlots } from '../domain/store-slots.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { publishFacts } from './publish-facts.ts';

const MAX_SLOT_BATCH = 256;
/** Keeps a second batch ready: otherwise every other batch of a backlog would have one message. */
const PREFETCH = 2 * MAX_SLOT_BATCH;

export interface MessageConsumer {
  bus: MessageBus;
  store: SeriesStore;
  now: () => EpochSeconds;
  ingest: IngestMetrics;
}

/** Acknowledges a slot once it and its facts are durable. */
export function consumeMessages({ bus, store, now, ingest }: MessageConsumer): Promise<Subscription> {
  const slots = handleBatch(slotObserved, MAX_SLOT_BATCH, async (messages) => {
    const done = ingest.startBatch();
    const observed = messages.map(({ data, past }) => ({ observation: data, past }));
    const batch = await storeSlots(store, observed, now());
    done(batch);
    await publishFacts(bus, batch);
    ingest.setNewestSlot(await store.slotBefore(now() + 1));
  });
  const registered = handle(registeredObserved, ({ data }) => storeRegistered(store, data, now()));
  const titles = handle(titleStored, ({ data }) => store.putTitleNames(data.revision, data.titles));
  return bus.consume({
    queue: 'series-api',
    handlers: [slots, registered, titles],
    prefetch: PREFETCH,
  });
}
