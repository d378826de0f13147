import { registeredObserved, slotObserved, titleStored, type EpochSeconds } from '@lobbystats/contracts';
import { handle, handleBatch, type MessageBus, type Running } from '@lobbystats/message-bus';
import type { SeriesStore } from '../domain/series-store.ts';
import { storeRegistered } from '../domain/store-registered.ts';
import { storeSlots } from '../domain/store-slots.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { publishFacts } from './publish-facts.ts';

/** Slots that are stored with one commit, at most. */
const SLOT_BATCH = 256;
/**
 * The next batch arrives while one is stored. With a single batch in hand, the first message that its acknowledgement lets
 * in would be stored alone, and every other batch of a backlog would be a batch of one.
 */
const PREFETCH = 2 * SLOT_BATCH;

export interface MessageConsumer {
  bus: MessageBus;
  store: SeriesStore;
  now: () => EpochSeconds;
  ingest: IngestMetrics;
}

/**
 * Takes in slots, registered users and titles' names. A slot's message is done with when the slot is durable and the facts
 * that follow from it are: it comes again until both are so.
 */
export function consumeMessages({ bus, store, now, ingest }: MessageConsumer): Promise<Running> {
  const slots = handleBatch(slotObserved, SLOT_BATCH, async (messages) => {
    const done = ingest.began();
    const observed = messages.map(({ data, past }) => ({ observation: data, past }));
    const batch = await storeSlots(store, observed, now());
    done(batch);
    await publishFacts(bus, batch);
    ingest.newestSlot(await store.slotBefore(now() + 1));
  });
  const registered = handle(registeredObserved, ({ data }) => storeRegistered(store, data, now()));
  const titles = handle(titleStored, ({ data }) => store.putTitleNames(data.revision, data.titles));
  return bus.consume({
    queue: 'series-api',
    handlers: [slots, registered, titles],
    prefetch: PREFETCH,
  });
}
