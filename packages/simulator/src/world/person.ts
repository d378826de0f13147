import { gamertag } from './gamertags.ts';
import { fraction, mix } from './hash.ts';
import { username } from './usernames.ts';

const VERIFIED_SHARE = 0.12;

/** How the network knows a person. */
export interface Person {
  /** The name on the site. */
  username: string;
  /** The name in games and on leaderboards. */
  gamertag: string;
  /** Whether the network vouches for them. */
  verified: boolean;
}

/** The person behind a player's number: always the same. */
export function personOf(player: number): Person {
  return {
    username: username(player),
    gamertag: gamertag(player),
    verified: fraction(mix(player, 0x7e51f1ed)) < VERIFIED_SHARE,
  };
}
