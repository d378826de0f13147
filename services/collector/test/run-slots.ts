import { parseInstant, SLOT_SECONDS } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import type { Collector } from '../src/service.ts';
import type { SlotObservation } from '../src/network/slot-observation.ts';
import type { Stage } from './running-collector.ts';

/** Runs collectors through the slots from `from` to before `to` (epoch seconds), and waits for all pages of each. */
export async function runSlots(
  stage: Stage,
  { from, to }: { from: number; to: number },
  ...collectors: Collector[]
): Promise<void> {
  for (let slot = from; slot < to; slot += SLOT_SECONDS) {
    stage.clock.nowMs = (slot + 1) * 1000;
    for (const collector of collectors) await collector.tick();
    await stage.pagesRead();
    await stage.until(() => stage.slots.some(({ data }) => parseInstant(data.slot) === slot));
    // Leaderboards are due when their backfill, which waits for the first slot, is done.
    for (const collector of collectors) await collector.backfillDone();
    await stage.pagesRead();
  }
}

/** The expected observation of a slot, from the simulated world, sorted by title ID. */
export function expectedObservation(world: World, slot: number): SlotObservation {
  const { registered, online, titles } = world.observe(slot);
  return {
    slot: `${new Date(slot * 1000).toISOString().slice(0, 19)}Z`,
    registered,
    online,
    titles: titles.map(({ titleId, online: users, sessions, players, matches }) => {
      const shows = world.titleAt(slot, titleId)?.showsCapacity === true;
      const seen = matches.map(({ host, players: count, maxPlayers }) => {
        return { host, players: count, maxPlayers: shows ? (maxPlayers ?? 0) : 0 };
      });
      return { titleId, online: users, sessions, players, matches: seen };
    }),
  };
}

/** The observation with its titles sorted by ID. */
export function sorted({ titles, ...site }: SlotObservation): SlotObservation {
  return { ...site, titles: titles.toSorted((one, other) => (one.titleId < other.titleId ? -1 : 1)) };
}
