import { PLAYERS_PER_MESSAGE, type EpochSeconds, type ObservedPlayer } from '@lobbystats/contracts';
import type { ObservationPublisher, PublishOptions } from '../messages/observation-publisher.ts';

export async function publishPlayers(
  publisher: ObservationPublisher,
  { slot, seenAt, players }: { slot: EpochSeconds; seenAt: EpochSeconds; players: readonly ObservedPlayer[] },
  tense: PublishOptions,
): Promise<void> {
  for (let first = 0; first < players.length; first += PLAYERS_PER_MESSAGE) {
    await publisher.publishPlayers(slot, seenAt, players.slice(first, first + PLAYERS_PER_MESSAGE), tense);
  }
}
