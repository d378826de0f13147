import { slotOf, type EpochSeconds } from '@lobbystats/contracts';
import { eventsDigest } from './events-digest.ts';
import type { Outlet } from './outlet.ts';
import type { PlayersReading } from './players-feed.ts';
import type { EventsReading } from './readings.ts';
import { sayPlayers } from './say-players.ts';

export interface SavedFeeds {
  events(at: EpochSeconds, reading: EventsReading): Promise<void>;
  players(at: EpochSeconds, reading: PlayersReading): Promise<void>;
  readonly said: number;
}

export function createSavedFeeds(outlet: Outlet): SavedFeeds {
  let [lastDigest, said] = ['', 0];
  return {
    async events(seenAt, reading) {
      const digest = eventsDigest(reading);
      if (digest === lastDigest) return;
      const { events, unread } = reading;
      await outlet.events(slotOf(seenAt), { seenAt, events, unread }, digest, { past: true });
      lastDigest = digest;
      said += 1;
    },
    async players(seenAt, { players }) {
      await sayPlayers(outlet, { slot: slotOf(seenAt), seenAt, players }, { past: true });
      said += 1;
    },
    get said() {
      return said;
    },
  };
}
