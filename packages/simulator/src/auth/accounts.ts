import { randomBytes } from 'node:crypto';
import { cached } from '../world/bounded-cache.ts';
import { hashText, mix } from '../world/hash.ts';
import type { World } from '../world/world.ts';

/** Number of accounts of frequent players; their friends are frequent players too. */
const PLAYING_ACCOUNTS = 5;
const FRIENDS_FROM_POOL = 9;
const FRIEND_POOL = 30;

/** Name of the account that is never online; no player has it. */
const OFFLINE_USERNAME = 'Never Online';

export interface Account {
  email: string;
  password: string;
  username: string;
  player: number | undefined;
  friends: readonly number[];
}

/** Passwords derive from the seed; they open nothing but the simulator. */
export function createAccounts(world: World, seed: string | number): readonly Account[] {
  const faithful = world.frequentPlayers(PLAYING_ACCOUNTS + FRIEND_POOL);
  const players = faithful.slice(0, PLAYING_ACCOUNTS);
  const pool = faithful.slice(PLAYING_ACCOUNTS);
  const playing = players.map((player, index) => ({
    username: world.userOf(player).username,
    player,
    friends: [
      ...players.filter((other) => other !== player),
      ...pool.filter((_, poolIndex) => (poolIndex + index * FRIENDS_FROM_POOL) % FRIEND_POOL < FRIENDS_FROM_POOL),
    ],
  }));
  return [...playing, { username: OFFLINE_USERNAME, player: undefined, friends: [] }].map((account, index) => ({
    email: `${slug(account.username)}@players.example`,
    password: passwordOf(mix(hashText(String(seed)), index)),
    ...account,
  }));
}

export function describeAccounts(accounts: readonly Account[]): string {
  const widest = Math.max(...accounts.map(({ email }) => email.length));
  return accounts
    .map(({ email, password, username }) => `  ${email.padEnd(widest)}  ${password}  ${username}`)
    .join('\n');
}

function slug(username: string): string {
  return username.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function passwordOf(hash: number): string {
  return `sim-${mix(hash, 1).toString(36).padStart(7, '0')}-${mix(hash, 2).toString(36).padStart(7, '0')}`;
}

const MAX_SESSIONS = 10_000;

/** Accounts by session key. */
export type Sessions = Map<string, Account>;

export function openSession(sessions: Sessions, account: Account): string {
  const sessionKey = randomBytes(24).toString('base64url');
  cached(
    sessions,
    sessionKey,
    () => account,
    () => sessions.size > MAX_SESSIONS,
  );
  return sessionKey;
}
