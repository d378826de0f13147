import type { BoardStore } from './board-store.ts';
import type { EventStore } from './event-store.ts';
import type { Outbox } from '@lobbystats/contracts';
import type { PlayerStore } from './player-store.ts';
import type { TitleStore } from './title-store.ts';

/** Everything that the service keeps, in one database: what is written together shares its transactions and its outbox. */
export interface CatalogStore {
  readonly titles: TitleStore;
  readonly boards: BoardStore;
  readonly events: EventStore;
  readonly players: PlayerStore;
  readonly outbox: Outbox;
  /** Rejects when the store can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
