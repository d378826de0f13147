import { gamertag } from './gamertags.ts';
import { fraction, mix } from './hash.ts';
import { username } from './usernames.ts';

const VERIFIED_SHARE = 0.12;

export interface User {
  username: string;
  gamertag: string;
  verified: boolean;
}

export function userOf(player: number): User {
  return {
    username: username(player),
    gamertag: gamertag(player),
    verified: fraction(mix(player, 0x7e51f1ed)) < VERIFIED_SHARE,
  };
}
