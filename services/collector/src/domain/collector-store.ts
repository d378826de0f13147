import type { BoardFillStore } from './board-fill-store.ts';
import type { BoardMemory } from './board-memory.ts';
import type { FillStore } from './fill-store.ts';
import type { PlayerFillStore } from './player-fill-store.ts';
import type { PageMemory } from './page-memory.ts';
import type { SlotStore } from './slot-store.ts';
import type { TitleMemory } from './title-memory.ts';

export interface CollectorStore {
  readonly slots: SlotStore;
  readonly pages: PageMemory;
  readonly titles: TitleMemory;
  readonly fill: FillStore;
  readonly boards: BoardMemory;
  readonly boardFill: BoardFillStore;
  readonly playerFill: PlayerFillStore;
  check(): Promise<void>;
  close(): Promise<void>;
}
