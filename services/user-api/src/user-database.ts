import type { Outbox } from '@lobbystats/contracts';
import type { ChannelStore } from './channels/channel-store.ts';
import type { ErasureStore } from './erasure/erasure-store.ts';
import type { FollowStore } from './following/follow-store.ts';
import type { ProfileStore } from './profiles/profile-store.ts';
import type { UserStore } from './users/user-store.ts';

export interface UserDatabase {
  readonly users: UserStore;
  readonly profiles: ProfileStore;
  readonly erasures: ErasureStore;
  readonly following: FollowStore;
  readonly channels: ChannelStore;
  readonly outbox: Outbox;
  check(): Promise<void>;
  close(): Promise<void>;
}
