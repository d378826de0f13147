import { formatInstant, type EpochSeconds } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import type { SlotObservation } from '@lobbystats/test-kit';

/** The observation that a collector publishes of a simulated slot. */
export function observedSlot(world: World, slot: EpochSeconds): SlotObservation {
  const { registered, online, titles } = world.observe(slot);
  return {
    slot: formatInstant(slot),
    registered,
    online,
    titles: titles.map(({ matches, ...title }) => ({
      ...title,
      matches: matches.map((match) => ({ ...match, maxPlayers: match.maxPlayers ?? 0 })),
    })),
  };
}
