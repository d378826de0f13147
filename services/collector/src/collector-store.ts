import type { BoardBackfillStore, BackfillStore, PlayerBackfillStore } from './backfills/backfill-store.ts';
import type { KeptPages } from './slots/kept-pages.ts';
import type { BoardCrawlState } from './boards/board-crawl-state.ts';
import type { PageCache } from './network/page-cache.ts';
import type { SlotStore } from './slots/slot-store.ts';
import type { WithdrawalStore } from './slots/withdrawal-store.ts';
import type { AnnouncedTitles } from './titles/announced-titles.ts';

export interface CollectorStore {
  readonly slots: SlotStore;
  readonly withdrawals: WithdrawalStore;
  readonly pages: PageCache;
  readonly kept: KeptPages;
  readonly titles: AnnouncedTitles;
  readonly backfill: BackfillStore;
  readonly boards: BoardCrawlState;
  readonly boardBackfill: BoardBackfillStore;
  readonly playerBackfill: PlayerBackfillStore;
  check(): Promise<void>;
  close(): Promise<void>;
}
