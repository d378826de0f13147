import { chunk } from '@lobbystats/service-kit/concurrency';
import { PLAYERS_PER_MESSAGE, type EpochSeconds, type ObservedPlayer } from '@lobbystats/contracts';
import type { PlayersSource } from '../network/network.ts';
import { withinTitles, type TitleBound } from '../titles/title-bound.ts';
import { retryWithinSlot } from '../network/retry-within-slot.ts';
import type { RetryParts } from '../time/time.ts';
import type { ObservationPublisher, PublishOptions } from '../network/observation-publisher.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

interface PlayersPollParts extends RetryParts {
  source: PlayersSource;
  publisher: ObservationPublisher;
  telemetry: Telemetry;
  titleBound: TitleBound;
}

export function createPlayersPoll({ source, publisher, telemetry, titleBound, ...asking }: PlayersPollParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    if (slot % source.intervalSeconds !== 0) return;
    await retryWithinSlot(slot, asking, (deadlineMs) =>
      source.poll(deadlineMs, async ({ players, skipped }) => {
        telemetry.playersSkipped(skipped);
        const seenAt = Math.floor(asking.time.now() / 1000);
        const isAdmitted = await titleBound();
        const bounded = players.map((player) => withinTitles(player, isAdmitted));
        await publishPlayers(publisher, { slot, seenAt, players: bounded }, { past: false });
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
