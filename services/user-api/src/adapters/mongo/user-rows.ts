import { nameKey } from '@lobbystats/contracts';
import type { ProfileRecord } from '../../domain/profile-store.ts';
import type { Sight, UserRecord } from '../../domain/user-record.ts';
import { packIds, packTitles, unpackIds, unpackTitles } from '../packed-fields.ts';
import type { ProfileFields } from './people-rows.ts';

/** What no index is on. */
interface StateFields extends Pick<UserRecord, 'verified' | 'ratingsGiven'> {
  /** null: never seen in the feed. */
  sight: Sight | null;
  /** Of `packTitles`. */
  titles: string;
  /** Of `packIds`. */
  unlocked: string;
}

/** What a person is found by, and counted. */
interface PlaceFields extends Pick<UserRecord, 'username' | 'gamertag' | 'score'> {
  playerKey: string;
  unlockCount: number;
  /** The score of those who have an unlock: the leaderboard sees no other. */
  rankedScore: number | null;
}

/** A person. */
export interface UserRow extends StateFields, PlaceFields {
  /** The user's key. */
  _id: string;
  profile?: ProfileFields;
}

/** What a person is read without, when nobody asks for it. */
export const WITHOUT_PROFILE = { profile: 0 } as const;

/** The person of a row. */
export function userOf(row: Omit<UserRow, 'profile'>): UserRecord {
  const { _id: key, username, gamertag, verified, sight, ratingsGiven, score } = row;
  return {
    key,
    username,
    gamertag,
    verified,
    sight: sight ?? undefined,
    titles: unpackTitles(row.titles),
    ratingsGiven,
    unlocked: unpackIds(row.unlocked),
    score,
  };
}

/** What the person of a row says of themself. */
export function profileOf({ _id: userKey, profile }: Pick<UserRow, '_id' | 'profile'>): ProfileRecord | undefined {
  return profile && { userKey, ...profile };
}

/** What no index is on. */
export function stateFields({ verified, sight, titles, ratingsGiven, unlocked }: UserRecord): StateFields {
  return {
    verified,
    sight: sight === undefined ? null : sightFields(sight),
    titles: packTitles(titles),
    ratingsGiven,
    unlocked: packIds(unlocked),
  };
}

/** What a person is found by, and counted. */
export function placeFields({ username, gamertag, unlocked, score }: UserRecord): PlaceFields {
  const unlockCount = unlocked.length;
  return {
    username,
    gamertag,
    playerKey: nameKey(gamertag),
    unlockCount,
    score,
    rankedScore: unlockCount > 0 ? score : null,
  };
}

function sightFields({ at, isOnline, titleId, game }: Sight): Sight {
  return { at, isOnline, titleId, game };
}
