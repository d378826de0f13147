import type { PlayerRecord, UserRecord } from './user-record.ts';

/** What rules are judged by: a person, and the player whom the network's feed says they are. */
export interface Progress {
  readonly user: Pick<UserRecord, 'titles' | 'ratingsGiven' | 'unlocked'>;
  /** undefined: no gamertag, or nothing known of it. */
  readonly player: PlayerRecord | undefined;
}
