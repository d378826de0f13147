import { chunk } from '@lobbystats/concurrency';
import { PLAYERS_PER_MESSAGE, type EpochSeconds, type ObservedPlayer } from '@lobbystats/contracts';
import type { PlayersReading } from '../network/network.ts';
import { retryWithinSlot } from '../slots/slot-side-tasks.ts';
import type { RetryParts } from '../time/time.ts';
import type { ObservationPublisher, PublishOptions } from '../messages/observation-publisher.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Rejects with a PageFailure. */
export interface PlayersFeed {
  /** Reads players since the last poll of any replica. The cursor moves once `say` has resolved. */
  poll(deadlineMs: number, say: (reading: PlayersReading) => Promise<void>): Promise<void>;
}

interface PlayersPollParts extends RetryParts {
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

export async function publishPlayers(
  publisher: ObservationPublisher,
  { slot, seenAt, players }: { slot: EpochSeconds; seenAt: EpochSeconds; players: readonly ObservedPlayer[] },
  tense: PublishOptions,
): Promise<void> {
  for (const some of chunk(players, PLAYERS_PER_MESSAGE)) {
    await publisher.publishPlayers(slot, seenAt, some, tense);
  }
}
