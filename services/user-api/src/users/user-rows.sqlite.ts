import { nameKey } from '@lobbystats/contracts';
import { chunk } from '@lobbystats/service-kit/concurrency';
import type { UserRecord } from './user-record.ts';
import { packIds, packTitles, unpackIds, unpackTitles } from './packed-fields.ts';

export const USER_COLUMNS = `key, username, gamertag, verified, seen_at AS seenAt, is_online AS isOnline, title_id AS titleId,
  game, titles, ratings_given AS ratingsGiven, unlocked, score`;

export interface UserRow extends Pick<UserRecord, 'key' | 'username' | 'gamertag' | 'ratingsGiven' | 'score'> {
  verified: number;
  seenAt: number | null;
  isOnline: number | null;
  titleId: string | null;
  game: string | null;
  titles: string;
  unlocked: string;
}

export function userOf(row: UserRow): UserRecord {
  const { key, username, gamertag, seenAt, titleId, game, ratingsGiven, score } = row;
  return {
    key,
    username,
    gamertag,
    verified: row.verified === 1,
    presence: seenAt === null ? undefined : { at: seenAt, isOnline: row.isOnline === 1, titleId, game },
    titles: unpackTitles(row.titles),
    ratingsGiven,
    unlocked: unpackIds(row.unlocked),
    score,
  };
}

type Values = readonly (string | number | null)[];

/** Writes the fields that most polls change, of whose indexes only that of users online has some: {@link stateValues}, then the key. */
export const UPDATE_STATE = `UPDATE user SET verified = ?, seen_at = ?, is_online = ?, title_id = ?, game = ?, titles = ?,
  ratings_given = ?, unlocked = ? WHERE key = ?`;

export function stateValues({ verified, presence, titles, ratingsGiven, unlocked }: UserRecord): Values {
  const seen = [presence?.at ?? null, presence === undefined ? null : Number(presence.isOnline)];
  return [
    Number(verified),
    ...seen,
    presence?.titleId ?? null,
    presence?.game ?? null,
    packTitles(titles),
    ratingsGiven,
    packIds(unlocked),
  ];
}

/** Upserts a user: {@link indexedValues}, then {@link stateValues}. */
export const PUT_USER = `
  INSERT INTO user (
    key, username, gamertag, player_key, unlock_count, score,
    verified, seen_at, is_online, title_id, game, titles, ratings_given, unlocked
  ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET username = excluded.username, gamertag = excluded.gamertag,
    player_key = excluded.player_key, unlock_count = excluded.unlock_count, score = excluded.score,
    verified = excluded.verified, seen_at = excluded.seen_at, is_online = excluded.is_online,
    title_id = excluded.title_id, game = excluded.game, titles = excluded.titles,
    ratings_given = excluded.ratings_given, unlocked = excluded.unlocked`;

export function indexedValues({ key, username, gamertag, unlocked, score }: UserRecord): Values {
  return [key, username, gamertag, nameKey(gamertag), unlocked.length, score];
}

const LENGTHS = [1, 16, 256] as const;
const MAX_LENGTH = 256;

export interface KeyList {
  readonly sql: string;
  readonly values: readonly string[];
}

export function keyLists(keys: Iterable<string>): KeyList[] {
  const distinct = [...new Set(keys)];
  return chunk(distinct, MAX_LENGTH).map(keyList);
}

/** Pads a list to one of the lengths by repeating the last key. */
function keyList(keys: readonly string[]): KeyList {
  const length = LENGTHS.find((candidate) => candidate >= keys.length) ?? MAX_LENGTH;
  const filling = new Array<string>(length - keys.length).fill(keys.at(-1) ?? '');
  return { sql: `(${new Array<string>(length).fill('?').join(', ')})`, values: [...keys, ...filling] };
}
