import { nameKey } from '@lobbystats/contracts';
import type { ProfileRecord } from '../../domain/profile-store.ts';
import type { Sight, UserRecord } from '../../domain/user-record.ts';
import { packIds, packTitles, unpackIds, unpackTitles } from '../packed-fields.ts';
import type { ProfileFields } from './people-rows.ts';

/** Fields without an index. */
interface StateFields extends Pick<UserRecord, 'verified' | 'ratingsGiven'> {
  sight: Sight | null;
  titles: string;
  unlocked: string;
}

/** Fields that indexes and counts use. */
interface PlaceFields extends Pick<UserRecord, 'username' | 'gamertag' | 'score'> {
  playerKey: string;
  unlockCount: number;
  rankedScore: number | null;
}

export interface UserRow extends StateFields, PlaceFields {
  _id: string;
  profile?: ProfileFields;
}

export const WITHOUT_PROFILE = { profile: 0 } as const;

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

export function profileOf({ _id: userKey, profile }: Pick<UserRow, '_id' | 'profile'>): ProfileRecord | undefined {
  return profile && { userKey, ...profile };
}

export function stateFields({ verified, sight, titles, ratingsGiven, unlocked }: UserRecord): StateFields {
  return {
    verified,
    sight: sight === undefined ? null : sightFields(sight),
    titles: packTitles(titles),
    ratingsGiven,
    unlocked: packIds(unlocked),
  };
}

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
