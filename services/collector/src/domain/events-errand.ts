import type { EpochSeconds } from '@lobbystats/contracts';
import type { EventsFeed } from './events-feed.ts';
import type { Outlet } from './outlet.ts';
import { PageFailure } from './page-failures.ts';
import { endMsOf, isMetadataDue } from './slot-times.ts';
import type { Telemetry } from './telemetry.ts';
import type { Backoff, Time } from './time.ts';

/** How often the feed is asked for in one slot. */
const ATTEMPTS = 5;

export interface EventsErrandParts {
  feed: EventsFeed;
  outlet: Outlet;
  telemetry: Telemetry;
  time: Time;
  backoff: Backoff;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/**
 * Reads the events, by whoever opens the slot in which they are due: each quarter of an hour, and at once when they were never
 * read. They are said when they are other than they were.
 */
export function createEventsErrand({ feed, outlet, telemetry, time, backoff, stopping }: EventsErrandParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    if (!isMetadataDue(slot) && (await feed.isKnown())) return;
    const say: Parameters<EventsFeed['news']>[1] = async ({ skipped, ...announced }, digest) => {
      telemetry.eventsSkipped(skipped);
      await outlet.events(slot, { seenAt: Math.floor(time.now() / 1000), ...announced }, digest);
    };
    for (let attempt = 1; time.now() < endMsOf(slot) && !stopping.aborted; attempt += 1) {
      try {
        await feed.news(endMsOf(slot), say);
        return;
      } catch (error) {
        if (!(error instanceof PageFailure)) throw error;
        if (error.kind === 'refused' || attempt === ATTEMPTS) return;
      }
      await time.sleep(backoff(attempt), stopping);
    }
  };
}
