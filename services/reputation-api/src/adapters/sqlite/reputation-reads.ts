import { keyedHash } from '@lobbystats/service-kit';
import type { SqliteStore } from '@lobbystats/sqlite-store';
import type { Person } from '../../domain/person.ts';
import { ratingId, type Rating, type RatingKey } from '../../domain/rating.ts';
import type { Before, Reads, ReputationStore } from '../../domain/reputation-store.ts';
import { PERSON, personOf, RATING, ratingOf, type PersonRow, type RatingRow } from './reputation-rows.ts';

const FEEDBACK = `SELECT ${RATING} FROM rating WHERE profile_key = ? AND counts = 1
  ORDER BY created_at DESC, rater_username LIMIT ?`;
const KEYS = 'SELECT profile_key AS profileKey, rater_key AS raterKey FROM rating';

export function reputationReads(sqlite: SqliteStore) {
  return {
    readProfile: async ({ profileKey, feedbackLimit, viewerKey }) =>
      atOneInstant(sqlite, () => {
        const profile = readPerson(sqlite, profileKey);
        if (profile === undefined) return undefined;
        const feedback = sqlite.all<RatingRow>(FEEDBACK, profileKey, feedbackLimit).map(ratingOf);
        const own = viewerKey === undefined ? undefined : readRating(sqlite, { profileKey, raterKey: viewerKey });
        return { profile, feedback, own: own?.counts === true ? own : undefined };
      }),
    ratingsBy: async (raterKey, { after = '', limit }) =>
      sqlite.all<RatingKey>(
        `${KEYS} WHERE rater_key = ? AND profile_key > ? ORDER BY profile_key LIMIT ?`,
        raterKey,
        after,
        limit,
      ),
    ratingsOf: async (profileKey, { after = '', limit }) =>
      sqlite.all<RatingKey>(
        `${KEYS} WHERE profile_key = ? AND rater_key > ? ORDER BY rater_key LIMIT ?`,
        profileKey,
        after,
        limit,
      ),
  } satisfies Partial<ReputationStore>;
}

/** A read transaction: another process may write between two statements. */
function atOneInstant<T>(sqlite: SqliteStore, read: () => T): T {
  sqlite.run('BEGIN');
  try {
    return read();
  } finally {
    if (sqlite.db.isTransaction) sqlite.run('ROLLBACK');
  }
}

export function readBefore(sqlite: SqliteStore, { people = [], ratings = [], mayBeForgotten = [] }: Reads): Before {
  const { revision, markKey } = readState(sqlite);
  const isForgotten = (key: string) =>
    sqlite.get('SELECT 1 FROM forgotten WHERE mark = ?', keyedHash(markKey, key)) !== undefined;
  return {
    revision,
    people: new Map(people.flatMap((key) => readPerson(sqlite, key) ?? []).map((person) => [person.key, person])),
    ratings: new Map(ratings.flatMap((key) => readRating(sqlite, key) ?? []).map((one) => [ratingId(one), one])),
    forgotten: new Set(mayBeForgotten.filter(isForgotten)),
  };
}

export function readState(sqlite: SqliteStore): { revision: number; markKey: string } {
  const state = sqlite.get<{ revision: number; markKey: string }>(
    'SELECT revision, mark_key AS markKey FROM reputation',
  );
  if (state === undefined) throw new Error('The store has lost its row');
  return state;
}

function readPerson(sqlite: SqliteStore, key: string): Person | undefined {
  const row = sqlite.get<PersonRow>(`SELECT ${PERSON} FROM person WHERE user_key = ?`, key);
  return row && personOf(row);
}

function readRating(sqlite: SqliteStore, { profileKey, raterKey }: RatingKey): Rating | undefined {
  const sql = `SELECT ${RATING} FROM rating WHERE profile_key = ? AND rater_key = ?`;
  const row = sqlite.get<RatingRow>(sql, profileKey, raterKey);
  return row && ratingOf(row);
}
