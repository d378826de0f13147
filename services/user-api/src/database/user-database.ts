import type { Outbox } from '@lobbystats/contracts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { UserStore } from '../users/user-store.ts';

export interface UserDatabase {
  readonly users: UserStore;
  readonly profiles: ProfileStore;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
