import { createHash } from 'node:crypto';
import type { EpochSeconds } from '@lobbystats/contracts';
import type { EventsReading, EventsSource } from '../network/network.ts';
import { retryWithinSlot } from '../network/retry-within-slot.ts';
import type { RetryParts } from '../time/time.ts';
import type { ObservationPublisher } from '../network/observation-publisher.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

interface EventsPollParts extends RetryParts {
  source: EventsSource;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
}

/** Reads events at their interval, and in the first slot if they were never read. Publishes them when they changed. */
export function createEventsPoll({ source, publisher, telemetry, ...asking }: EventsPollParts) {
  let isFirst = true;
  return async (slot: EpochSeconds): Promise<void> => {
    const isDue = slot % source.intervalSeconds === 0;
    if (!isDue && (!isFirst || (await source.isKnown()))) return;
    const publish: Parameters<EventsSource['poll']>[1] = async ({ skipped, ...announced }, digest) => {
      telemetry.eventsSkipped(skipped);
      const seenAt = Math.floor(asking.time.now() / 1000);
      await publisher.publishEvents(slot, { seenAt, ...announced }, digest, { past: false });
    };
    await retryWithinSlot(slot, asking, (deadlineMs) => source.poll(deadlineMs, publish));
    isFirst = false;
  };
}

export function eventsDigest({ events, unread }: EventsReading): string {
  const announced = JSON.stringify([events, unread]);
  return createHash('sha256').update(announced).digest('base64url').slice(0, 22);
}
