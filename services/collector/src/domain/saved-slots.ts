import { formatInstant, slotOf, type EpochSeconds, type ObservedMatch } from '@lobbystats/contracts';
import type { Outlet } from './outlet.ts';
import type { GamePageReading, HomepageReading } from './readings.ts';
import { composeSlot, missingOf, slotHomeOf } from './slot-observation.ts';
import type { TitleAnnouncer } from './title-announcer.ts';

export interface SavedSlotsParts {
  outlet: Outlet;
  announcer: TitleAnnouncer;
  onFault: (line: number, reason: string) => void;
}

interface SavedAt {
  line: number;
  at: EpochSeconds;
}

/** The first reading of a page in a slot counts. */
export interface SavedSlots {
  reach(saved: SavedAt): Promise<boolean>;
  home(reading: () => Promise<HomepageReading>): Promise<void>;
  game(titleId: string, reading: () => Promise<GamePageReading>): Promise<GamePageReading | undefined>;
  end(): Promise<void>;
  readonly said: number;
  readonly incomplete: number;
}

interface SlotPages extends SavedAt {
  slot: EpochSeconds;
  home?: HomepageReading;
  games: Map<string, GamePageReading>;
}

/** Without the homepage a slot is not published; without a title's page it lacks that title. */
export function createSavedSlots({ outlet, announcer, onFault }: SavedSlotsParts): SavedSlots {
  let pages: SlotPages | undefined;
  let [said, incomplete] = [0, 0];

  return {
    async reach({ line, at }) {
      const slot = slotOf(at);
      if (pages !== undefined && slot < pages.slot) return false;
      if (pages?.slot === slot) return true;
      await end();
      pages = { slot, line, at, games: new Map() };
      return true;
    },
    async home(reading) {
      if (pages !== undefined) pages.home ??= await reading();
    },
    async game(titleId, reading) {
      if (pages === undefined || pages.games.has(titleId)) return undefined;
      const game = await reading();
      pages.games.set(titleId, game);
      return game;
    },
    end,
    get said() {
      return said;
    },
    get incomplete() {
      return incomplete;
    },
  };

  async function end(): Promise<void> {
    if (pages !== undefined) await say(pages);
    pages = undefined;
  }

  async function say({ slot, line, at, home, games }: SlotPages): Promise<void> {
    if (home === undefined) {
      if (games.size === 0) return;
      onFault(line, `the slot ${formatInstant(slot)} has no homepage that can be read: it is left out`);
      return;
    }
    await announcer.homes(home.titles, at);
    const matches = new Map<string, ObservedMatch[]>();
    for (const [titleId, game] of games) {
      if (game.matches !== null) matches.set(titleId, game.matches);
      await announcer.page(titleId, game.metadata, slot, at);
    }
    const observation = composeSlot(slot, { home: slotHomeOf(home), matches });
    await outlet.slot(observation, { past: true });
    said += 1;
    if (missingOf(observation) > 0) incomplete += 1;
  }
}
