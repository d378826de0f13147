import { createHash } from 'node:crypto';
import type { EpochSeconds } from '@lobbystats/contracts';
import type { EventsReading } from '../network/network.ts';
import { retryWithinSlot } from '../slots/slot-side-tasks.ts';
import type { RetryParts } from '../time/time.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import { isMetadataDue } from '../slots/slot-times.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Rejects with a PageFailure when the feed could not be read. */
export interface EventsFeed {
  /** Calls `say` with the reading and its digest if it changed, and stores the digest once `say` has resolved. */
  poll(deadlineMs: number, say: (reading: EventsReading, digest: string) => Promise<void>): Promise<void>;
  isKnown(): Promise<boolean>;
}

interface EventsPollParts extends RetryParts {
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

export function eventsDigest({ events, unread }: EventsReading): string {
  const announced = JSON.stringify([events, unread]);
  return createHash('sha256').update(announced).digest('base64url').slice(0, 22);
}
