import type { Outbox } from '@lobbystats/contracts';
import type { ProfileStore } from './profile-store.ts';
import type { UserStore } from './user-store.ts';

export interface UserDatabase {
  readonly users: UserStore;
  readonly profiles: ProfileStore;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
