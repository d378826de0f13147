import type { EpochSeconds } from '@lobbystats/contracts';
import { askWithinSlot, type AskingParts } from './ask-within-slot.ts';
import type { Outlet } from './outlet.ts';
import type { PlayersFeed } from './players-feed.ts';
import { sayPlayers } from './say-players.ts';
import type { Telemetry } from './telemetry.ts';

export interface PlayersErrandParts extends AskingParts {
  feed: PlayersFeed;
  outlet: Outlet;
  telemetry: Telemetry;
}

export function createPlayersErrand({ feed, outlet, telemetry, ...asking }: PlayersErrandParts) {
  return async (slot: EpochSeconds): Promise<void> => {
    await askWithinSlot(slot, asking, (deadlineMs) =>
      feed.look(deadlineMs, async ({ players, skipped }) => {
        telemetry.playersSkipped(skipped);
        const seenAt = Math.floor(asking.time.now() / 1000);
        await sayPlayers(outlet, { slot, seenAt, players }, { past: false });
      }),
    );
  };
}
