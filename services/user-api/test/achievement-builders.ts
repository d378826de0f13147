import type { AchievementGroup, Definition, Definitions } from '../src/definitions/definitions.ts';
import type { PlayerRecord, UserRecord } from '../src/users/user-record.ts';

export const TITLE = '4d530064';
export const OTHER_TITLE = '4e4c0002';

export const SITE: AchievementGroup = { groupId: 'site', titleId: null, displayName: 'Lobbystats', imageUrl: '' };
export const GAME: AchievementGroup = {
  groupId: 'harbor-racing',
  titleId: TITLE,
  displayName: 'Harbor Racing',
  imageUrl: `/icons/${TITLE}.svg`,
};

/** Returns a site achievement for an hour of play, with the given changes. */
export function definition(id: number, changes: Partial<Definition> = {}): Definition {
  return {
    id,
    key: `key-${id}`,
    name: `Name ${id}`,
    description: `Description ${id}`,
    points: 10,
    isHidden: false,
    group: SITE,
    rule: { kind: 'play-minutes', minutes: 60 },
    ...changes,
  };
}

/** A set of definitions; the digest is the caller's. */
export function definitionsOf(all: readonly Definition[], digest = 'first'): Definitions {
  const groups = new Map(all.map(({ group }) => [group.groupId, group]));
  return { digest, all: all.toSorted((a, b) => a.id - b.id), groups: [...groups.values()] };
}

/** Returns a user without any progress, with the given changes. */
export function userRecord(username: string, changes: Partial<UserRecord> = {}): UserRecord {
  return {
    key: username.toLowerCase(),
    username,
    gamertag: `Tag ${username}`,
    verified: false,
    presence: undefined,
    titles: [],
    ratingsGiven: 0,
    unlocked: [],
    score: 0,
    ...changes,
  };
}

/** When {@link playerOf} reached the ranks. */
export const RANKED_AT = 1_700_000_000;

/** Game activity of the user of {@link userRecord}. Standings by `titleId:leaderboardId`. */
export function playerOf(
  username: string,
  ranks: Readonly<Record<string, number | null>> = {},
  hosted = 0,
): PlayerRecord {
  return {
    key: `tag ${username.toLowerCase()}`,
    standings: new Map(
      Object.entries(ranks).map(([board, rank]) => [
        board,
        { rank, revision: 1, best: rank === null ? [] : [[RANKED_AT, rank]] },
      ]),
    ),
    hosted,
  };
}

/** Converts minutes by titleId to the titles of a user record. */
export function titlePlays(minutes: Readonly<Record<string, number>>): UserRecord['titles'] {
  return Object.entries(minutes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([titleId, some]) => ({ titleId, minutes: some, lastPlayedAt: 1_800_000_000 }));
}
