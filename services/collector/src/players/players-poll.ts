import type { EpochSeconds } from '@lobbystats/contracts';
import { retryWithinSlot, type RetryParts } from '../slots/retry-within-slot.ts';
import type { ObservationPublisher } from '../messages/observation-publisher.ts';
import type { PlayersFeed } from './players-feed.ts';
import { publishPlayers } from './publish-players.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface PlayersPollParts extends RetryParts {
  feed: PlayersFeed;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
}

export function createPlayersPoll({ feed, publisher, telemetry, ...asking }: PlayersPollParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    await retryWithinSlot(slot, asking, (deadlineMs) =>
      feed.poll(deadlineMs, async ({ players, skipped }) => {
        telemetry.playersSkipped(skipped);
        const seenAt = Math.floor(asking.time.now() / 1000);
        await publishPlayers(publisher, { slot, seenAt, players }, { past: false });
      }),
    );
  };
}
