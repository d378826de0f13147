import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { eventsDigest } from './events-digest.ts';
import type { ObservationPublisher } from './observation-publisher.ts';
import type { PlayersReading } from './players-feed.ts';
import type { EventsReading } from './readings.ts';
import { publishPlayers } from './publish-players.ts';

export interface SavedFeeds {
  addEvents(at: EpochSeconds, reading: EventsReading): Promise<void>;
  addPlayers(at: EpochSeconds, reading: PlayersReading): Promise<void>;
  readonly publishedCount: number;
}

export function createSavedFeeds(publisher: ObservationPublisher): SavedFeeds {
  let [lastDigest, publishedCount] = ['', 0];
  return {
    async addEvents(seenAt, reading) {
      const digest = eventsDigest(reading);
      if (digest === lastDigest) return;
      const { events, unread } = reading;
      await publisher.publishEvents(slotOf(seenAt), { seenAt, events, unread }, digest, { past: true });
      lastDigest = digest;
      publishedCount += 1;
    },
    async addPlayers(seenAt, { players }) {
      await publishPlayers(publisher, { slot: slotOf(seenAt), seenAt, players }, { past: true });
      publishedCount += 1;
    },
    get publishedCount() {
      return publishedCount;
    },
  };
}
