import type { EpochSeconds } from '@lobbystats/contracts';
import { askWithinSlot, type AskingParts } from './ask-within-slot.ts';
import type { EventsFeed } from './events-feed.ts';
import type { Outlet } from './outlet.ts';
import { isMetadataDue } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';

export interface EventsErrandParts extends AskingParts {
  feed: EventsFeed;
  outlet: Outlet;
  telemetry: Telemetry;
}

/** Reads events every 15 minutes, and at once when they were never read. Publishes them when they changed. */
export function createEventsErrand({ feed, outlet, telemetry, ...asking }: EventsErrandParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    if (!isMetadataDue(slot) && (await feed.isKnown())) return;
    const say: Parameters<EventsFeed['news']>[1] = async ({ skipped, ...announced }, digest) => {
      telemetry.eventsSkipped(skipped);
      const seenAt = Math.floor(asking.time.now() / 1000);
      await outlet.events(slot, { seenAt, ...announced }, digest, { past: false });
    };
    await askWithinSlot(slot, asking, (deadlineMs) => feed.news(deadlineMs, say));
  };
}
