import { formatInstant, slotOf, type EpochSeconds, type ObservedMatch } from '@lobbystats/contracts';
import type { ReplayParts } from './saved-page.ts';
import type { GamePageReading, HomepageReading } from '../network/network.ts';
import { boundMatches, composeSlot, missingOf, slotHomeOf } from '../slots/slot-observation.ts';

interface SavedAt {
  line: number;
  at: EpochSeconds;
}

interface SlotPages extends SavedAt {
  slot: EpochSeconds;
  home?: HomepageReading;
  games: Map<string, GamePageReading>;
}

/**
 * The first reading of a page in a slot counts. Without the homepage a slot is not published; without a title's page it
 * lacks that title.
 */
export function createSavedSlots({ publisher, announcer, onFault }: Omit<ReplayParts, 'readers' | 'nameOf' | 'now'>) {
  let pages: SlotPages | undefined;
  let [publishedCount, incomplete] = [0, 0];

  return {
    async advanceTo({ line, at }: SavedAt): Promise<boolean> {
      const slot = slotOf(at);
      if (pages !== undefined && slot < pages.slot) return false;
      if (pages?.slot === slot) return true;
      await end();
      pages = { slot, line, at, games: new Map() };
      return true;
    },
    async addHomepage(reading: () => Promise<HomepageReading>): Promise<void> {
      if (pages !== undefined) pages.home ??= await reading();
    },
    async addGamePage(titleId: string, reading: () => Promise<GamePageReading>): Promise<GamePageReading | undefined> {
      if (pages === undefined || pages.games.has(titleId)) return undefined;
      const game = await reading();
      pages.games.set(titleId, game);
      return game;
    },
    flush: end,
    get publishedCount() {
      return publishedCount;
    },
    get incompleteCount() {
      return incomplete;
    },
  };

  async function end(): Promise<void> {
    if (pages !== undefined) await publish(pages);
    pages = undefined;
  }

  async function publish({ slot, line, at, home, games }: SlotPages): Promise<void> {
    if (home === undefined) {
      if (games.size === 0) return;
      onFault(line, `the slot ${formatInstant(slot)} has no readable homepage: skipped`);
      return;
    }
    await announcer.publishHomes(home.titles, at);
    const matches = new Map<string, ObservedMatch[]>();
    for (const [titleId, game] of games) {
      if (game.matches !== null) matches.set(titleId, game.matches);
      await announcer.publishPage(titleId, game.metadata, slot, at);
    }
    const observation = boundMatches(composeSlot(slot, { home: slotHomeOf(home), matches }));
    await publisher.publishSlot(observation, { past: true });
    publishedCount += 1;
    if (missingOf(observation) > 0) incomplete += 1;
  }
}
