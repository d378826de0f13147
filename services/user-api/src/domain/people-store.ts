import type { Outbox } from '@lobbystats/contracts';
import type { ProfileStore } from './profile-store.ts';
import type { UserStore } from './user-store.ts';

/** Everything that the service keeps, in one database: what is written together shares its transactions and its outbox. */
export interface PeopleStore {
  readonly users: UserStore;
  readonly profiles: ProfileStore;
  readonly outbox: Outbox;
  /** Rejects when the store can't be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}
