import type { BoardBackfillStore } from './board-backfill-store.ts';
import type { BoardCrawlState } from './board-crawl-state.ts';
import type { BackfillStore } from './backfill-store.ts';
import type { PlayerBackfillStore } from './player-backfill-store.ts';
import type { PageCache } from './page-cache.ts';
import type { SlotStore } from './slot-store.ts';
import type { AnnouncedTitles } from './announced-titles.ts';

export interface CollectorStore {
  readonly slots: SlotStore;
  readonly pages: PageCache;
  readonly titles: AnnouncedTitles;
  readonly backfill: BackfillStore;
  readonly boards: BoardCrawlState;
  readonly boardBackfill: BoardBackfillStore;
  readonly playerBackfill: PlayerBackfillStore;
  check(): Promise<void>;
  close(): Promise<void>;
}
