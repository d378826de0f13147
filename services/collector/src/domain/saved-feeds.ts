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

export function createSavedFeeds(outlet: ObservationPublisher): SavedFeeds {
  let [lastDigest, said] = ['', 0];
  return {
    async addEvents(seenAt, reading) {
      const digest = eventsDigest(reading);
      if (digest === lastDigest) return;
      const { events, unread } = reading;
      await outlet.publishEvents(slotOf(seenAt), { seenAt, events, unread }, digest, { past: true });
      lastDigest = digest;
      said += 1;
    },
    async addPlayers(seenAt, { players }) {
      await publishPlayers(outlet, { slot: slotOf(seenAt), seenAt, players }, { past: true });
      said += 1;
    },
    get publishedCount() {
      return said;
    },
  };
}
