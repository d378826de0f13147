import type { BoardStore } from '../leaderboards/board-store.ts';
import type { EventStore } from '../events/event-store.ts';
import type { Outbox } from '@lobbystats/contracts';
import type { IconStore } from '../titles/icon-store.ts';
import type { PlayerStore } from '../players/player-store.ts';
import type { TitleContentStore, TitleStore } from '../titles/title-store.ts';

/** One database, so that commits share transactions and the outbox. */
export interface CatalogStore {
  readonly titles: TitleStore;
  readonly icons: IconStore;
  readonly contents: TitleContentStore;
  readonly boards: BoardStore;
  readonly events: EventStore;
  readonly players: PlayerStore;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
