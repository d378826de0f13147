import { nameKey, userErased, type Fact } from '@lobbystats/contracts';
import type { Definition } from '../src/definitions/definitions.ts';
import type { UserDatabase } from '../src/user-database.ts';
import { emptyProfile } from '../src/profiles/profile-view.ts';
import type { NewUser } from '../src/profiles/profile-store.ts';
import type { PlayDay, PlayerRecord, Unlock, UserRecord, ProfileRecord } from '../src/users/user-record.ts';
import type { UserCommit } from '../src/users/user-store.ts';

export const SLOT = 1_800_000_000;
export const DAY = Math.floor(SLOT / 86_400);

/** Hostile user input. */
export const HOSTILE = [
  '__proto__',
  'constructor',
  'toString',
  '$where',
  '$set',
  'a.b.c',
  '.',
  'NUL \0',
  'NUL \0 too',
  `'"; DROP TABLE user; --`,
  '%_\\',
  '🏁',
  '\uFFFD',
] as const;

/** Returns a user with play time. */
export function user(key: string, changes: Partial<UserRecord> = {}): UserRecord {
  return {
    key,
    username: key,
    gamertag: `${key} tag`,
    verified: true,
    presence: { at: SLOT, isOnline: true, titleId: '4d530064', game: 'Harbor Racing' },
    titles: [{ titleId: '4d530064', minutes: 125, lastPlayedAt: SLOT }],
    ratingsGiven: 0,
    unlocked: [],
    score: 0,
    ...changes,
  };
}

/** Returns a user with the given unlocks of ten points each. */
export function userWithUnlocks(
  key: string,
  unlocked: readonly number[],
  changes: Partial<UserRecord> = {},
): UserRecord {
  return user(key, { unlocked, score: 10 * unlocked.length, ...changes });
}

export function unlock(userKey: string, achievementId: number, unlockedAt = SLOT): Unlock {
  return { userKey, achievementId, unlockedAt };
}

/** Returns a play day with the given slots in one title. */
export function playDay(userKey: string, slots: readonly number[], titleId = '4d530064', day = DAY): PlayDay {
  return { userKey, day, titles: new Map([[titleId, bits(slots)]]) };
}

/** Returns the bitmap of a day with the given slots set. */
export function bits(slots: readonly number[]): Uint8Array {
  const map = new Uint8Array(36);
  for (const slot of slots) map[slot >> 3] = (map[slot >> 3] ?? 0) | (1 << (slot & 7));
  return map;
}

/** Returns a player with one rank on each of the given leaderboards. */
export function player(gamertag: string, boards: readonly string[], revision = 1): PlayerRecord {
  const standings = boards.map((board, index) => {
    return [board, { rank: index + 1, revision, best: [[SLOT, index + 1]] }] as const;
  });
  return { key: nameKey(gamertag), standings: new Map(standings), hosted: boards.length };
}

export function definition(id: number, changes: Partial<Definition> = {}): Definition {
  const group = { groupId: 'harbor', titleId: '4d530064', displayName: 'Harbor Racing', imageUrl: '' };
  const rule = { kind: 'play-minutes', minutes: 60 } as const;
  return { id, key: `k${id}`, name: `N${id}`, description: '', points: 10, isHidden: false, group, rule, ...changes };
}

/** Returns an empty profile, with the given changes. */
export function profile(userKey: string, changes: Partial<ProfileRecord> = {}): ProfileRecord {
  return { ...emptyProfile(userKey), ...changes };
}

/** Returns a user to create with a profile. */
export function newUserOf(key: string, changes: Partial<UserRecord> = {}): NewUser {
  return { user: user(key, changes), revision: 1, hash: `hash of ${key}` };
}

/** Returns a fact with the given ID. */
export function fact(id: string): Fact {
  const data = { username: '__proto__ \0 🏁', gamertag: '"' };
  return { type: userErased.key, id, occurredAt: SLOT, past: false, data };
}

const circle: { within?: unknown } = {};
circle.within = circle;
/** A fact that no store can write. */
export const unwritable: Fact = { ...fact('unwritable'), data: circle };

/** Commits on the current revision. */
export async function put(
  { users }: UserDatabase,
  commit: Omit<UserCommit, 'expectedRevision' | 'revision'>,
): Promise<void> {
  const expectedRevision = await users.revision();
  if (!(await users.commit({ expectedRevision, revision: expectedRevision + 1, ...commit }))) {
    throw new Error('Revision conflict');
  }
}

/** Returns the IDs of the facts in the outbox. */
export async function factIds({ outbox }: UserDatabase): Promise<string[]> {
  return (await outbox.pending(1000)).map(({ id }) => id);
}
