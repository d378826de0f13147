import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { eventsDigest } from '../events/events-digest.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import type { PlayersReading } from '../players/players-feed.ts';
import type { EventsReading } from '../network/readings.ts';
import { publishPlayers } from '../players/publish-players.ts';

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
