import type { PlayerRecord, UserRecord } from '../users/user-record.ts';

export interface Progress {
  readonly user: Pick<UserRecord, 'titles' | 'ratingsGiven' | 'unlocked'>;
  readonly player: PlayerRecord | undefined;
}
