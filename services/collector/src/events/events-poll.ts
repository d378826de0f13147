import type { EpochSeconds } from '@lobbystats/contracts';
import { retryWithinSlot, type RetryParts } from '../slots/retry-within-slot.ts';
import type { EventsFeed } from './events-feed.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { isMetadataDue } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface EventsPollParts extends RetryParts {
  feed: EventsFeed;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
}

/** Reads events every 15 minutes, and at once when they were never read. Publishes them when they changed. */
export function createEventsPoll({ feed, publisher, telemetry, ...asking }: EventsPollParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    if (!isMetadataDue(slot) && (await feed.isKnown())) return;
    const say: Parameters<EventsFeed['poll']>[1] = async ({ skipped, ...announced }, digest) => {
      telemetry.eventsSkipped(skipped);
      const seenAt = Math.floor(asking.time.now() / 1000);
      await publisher.publishEvents(slot, { seenAt, ...announced }, digest, { past: false });
    };
    await retryWithinSlot(slot, asking, (deadlineMs) => feed.poll(deadlineMs, say));
  };
}
