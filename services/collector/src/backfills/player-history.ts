import type { EpochSeconds, PastPlayer } from '@lobbystats/contracts';

interface PlayerHistoryPart {
  readonly players: readonly PastPlayer[];
  readonly next: string | null;
}

export interface PlayerHistory {
  part(
    fromInclusive: EpochSeconds,
    toExclusive: EpochSeconds,
    cursor: string | null,
  ): Promise<PlayerHistoryPart | undefined>;
}
