import {
  DAY_SECONDS,
  formatTimestamp,
  nameKey,
  operations,
  SLOT_SECONDS,
  type EpochSeconds,
  type OperationResponse,
} from '@lobbystats/contracts';
import { getJson } from '@lobbystats/test-kit';
import { lastPlayed, minutesByTitle, type ExpectedUser } from './expected-users.ts';
import { bestRanks, type ExpectedEntry, type EntriesByPlayer } from './expected-entries.ts';
import { expectedUnlocks, fileAchievements, type EntryHistory } from './expected-unlocks.ts';

/** Expected state that is common to all users. */
export interface ExpectedContext {
  readonly url: string;
  readonly now: EpochSeconds;
  /** Names and images of titles, as served. */
  readonly titles: ReadonlyMap<string, { readonly name: string; readonly image: string }>;
  /** Entries of the newest pass. */
  readonly entries: EntriesByPlayer;
  readonly standings: EntryHistory;
}

export type AchievementsResponse = OperationResponse<typeof operations.getUserAchievements>;

/** Fetches the names and images of all titles. */
export async function fetchTitles(url: string): Promise<ExpectedContext['titles']> {
  const { body } = await getJson<OperationResponse<typeof operations.listGames>>(url + operations.listGames.path);
  return new Map(body.games.map(({ titleId, name, image }) => [titleId, { name, image }]));
}

/** Fails unless the profile, games and scores of a user equal the expected ones. */
export async function expectUser(user: ExpectedUser, background: ExpectedContext): Promise<void> {
  const { entries } = background;
  const own = entries.get(nameKey(user.username)) ?? [];
  await expectProfile(user, own, background);
  await expectGames(user, own, background);
  await expectScores(user, own, background);
}

async function expectProfile(
  user: ExpectedUser,
  own: readonly ExpectedEntry[],
  { url, titles }: ExpectedContext,
): Promise<void> {
  const { status, body } = await getJson<OperationResponse<typeof operations.getProfile>>(
    url + pathOf(operations.getProfile.path, user),
  );
  expect([user.username, status]).toEqual([user.username, 200]);
  const minutes = minutesByTitle(user);
  const nameOf = (titleId: string) => titles.get(titleId)?.name ?? titleId;
  const last = lastPlayed(user);
  const ranks = [...bestRanks(own).values()];
  expect(body).toMatchObject({
    username: user.username,
    profile: { console_verified: user.verified, linked_gamertag: '' },
    playTime: {
      totalMinutes: user.playedSlots.size * (SLOT_SECONDS / 60),
      lastState: user.now === undefined ? 'offline' : 'online',
      currentGame: user.now ? nameOf(user.now.titleId) : null,
      lastPlayedGame: last === undefined ? null : nameOf(user.playedSlots.get(last) ?? ''),
      lastPlayedAt: last === undefined ? null : formatTimestamp(last),
      lastPlayedTimestamp: last ?? null,
      lastOnlineAt: formatTimestamp(user.lastOnline),
      lastSeenAt: user.lastOnline,
    },
    leaderboardPlayerName: user.username,
    leaderboardStats: { leaderboardsOn: ranks.length, top10Count: ranks.filter((rank) => rank <= 10).length },
    usesExplicitConsoleLiveGamertag: false,
  });
  expect(body.playTime.byGame).toEqual(
    Object.fromEntries([...minutes].map(([titleId, value]) => [nameOf(titleId), value])),
  );
}

async function expectGames(
  user: ExpectedUser,
  own: readonly ExpectedEntry[],
  { url, titles }: ExpectedContext,
): Promise<void> {
  const { body } = await getJson<OperationResponse<typeof operations.getGamesPlayed>>(
    url + pathOf(operations.getGamesPlayed.path, user),
  );
  const gameOf = (titleId: string) => ({
    titleId,
    gameName: titles.get(titleId)?.name ?? titleId,
    imageUrl: titles.get(titleId)?.image ?? '',
  });
  const minutes = minutesByTitle(user);
  const played = [...minutes]
    .map(([titleId, totalMinutes]) => {
      const last = lastPlayed(user, titleId) ?? 0;
      return { ...gameOf(titleId), totalMinutes, lastPlayedAt: formatTimestamp(last), lastPlayedTimestamp: last };
    })
    .sort((a, b) => b.totalMinutes - a.totalMinutes || (a.titleId < b.titleId ? -1 : 1));
  const supplement = [...new Set(own.map(({ titleId }) => titleId))].filter((titleId) => !minutes.has(titleId));
  expect(body).toEqual({
    games: [
      ...played,
      ...body.games
        .slice(played.length)
        .map(({ titleId }) => ({ ...gameOf(titleId), totalMinutes: 0, lastPlayedAt: null, lastPlayedTimestamp: null })),
    ],
    count: played.length + supplement.length,
    leaderboardSupplement: supplement.length > 0,
    hasPlayTimeTracking: true,
  });
  const supplied = body.games.slice(played.length).map(({ titleId }) => titleId);
  expect(supplied.toSorted()).toEqual(supplement.toSorted());
}

async function expectScores(
  user: ExpectedUser,
  own: readonly ExpectedEntry[],
  { url, titles }: ExpectedContext,
): Promise<void> {
  const { body } = await getJson<OperationResponse<typeof operations.getLeaderboardScores>>(
    `${url}${pathOf(operations.getLeaderboardScores.path, user)}?limit=50`,
  );
  const { scores, ...rest } = body;
  expect(rest).toEqual({
    playerName: user.username,
    explicitConsoleLiveGamertag: null,
    usingSiteUsernameFallback: true,
  });
  expect(scores.map(({ timeFormatted: _, ...row }) => row)).toEqual(
    own.slice(0, 50).map((entry) => ({ ...entry, gameName: titles.get(entry.titleId)?.name })),
  );
}

/**
 * Fails unless a user has exactly the achievements that follow from their activity. Returns the served achievements.
 *
 * @param ratingsGiven number of ratings by this user
 */
export async function expectUserAchievements(
  user: ExpectedUser,
  { url, now, standings }: ExpectedContext,
  ratingsGiven = 0,
): Promise<AchievementsResponse> {
  const { body } = await getJson<AchievementsResponse>(url + pathOf(operations.getUserAchievements.path, user));
  const { must, may } = expectedUnlocks(user, standings, ratingsGiven);
  const has = new Set(body.achievements.map(({ id }) => id));
  const missing = [...must].filter((id) => !has.has(id));
  const tooMany = [...has].filter((id) => !may.has(id));
  expect({ username: user.username, missing, tooMany }).toEqual({
    username: user.username,
    missing: [],
    tooMany: [],
  });
  expect(has.size).toBe(body.achievements.length);

  const points = new Map(fileAchievements.map((achievement) => [achievement.id, achievement.points]));
  const score = [...has].reduce((sum, id) => sum + (points.get(id) ?? NaN), 0);
  expect(body.score).toBe(score);
  const inGroups = body.groups.flatMap(({ achievements }) => achievements);
  expect(inGroups.map(({ id }) => id).sort(byNumber)).toEqual(fileAchievements.map(({ id }) => id).sort(byNumber));
  expect(
    inGroups
      .filter(({ earned }) => earned)
      .map(({ id }) => id)
      .sort(byNumber),
  ).toEqual([...has].sort(byNumber));
  const times = body.achievements.map(({ unlocked_at: at }) => String(at));
  expect(times).toEqual(times.toSorted().reverse());
  expectTimes(user, body.achievements, now);

  const { body: profile } = await getJson<OperationResponse<typeof operations.getProfile>>(
    url + pathOf(operations.getProfile.path, user),
  );
  const dayAgo = formatTimestamp(now - DAY_SECONDS);
  const fresh = body.achievements.filter(({ unlocked_at: at }) => String(at) > dayAgo);
  expect(profile).toMatchObject({ achievementScore: score, achievementCount: has.size });
  expect(profile.newUnlocks.map(({ id }) => id).sort(byNumber)).toEqual(fresh.map(({ id }) => id).sort(byNumber));
  return body;
}

/** Fails unless unlocks by play time have the time of a played slot, and no unlock is in the future. */
function expectTimes(user: ExpectedUser, unlocks: AchievementsResponse['achievements'], now: EpochSeconds): void {
  const slots = new Set([...user.playedSlots.keys()].map(formatTimestamp));
  const kinds = new Map(fileAchievements.map(({ id, rule }) => [id, rule.kind]));
  for (const { id, unlocked_at: at } of unlocks) {
    const kind = kinds.get(id) ?? '';
    const isOfPlay = kind.startsWith('play-') || kind === 'titles-played';
    expect({
      username: user.username,
      kind,
      at,
      isRight: isOfPlay ? slots.has(String(at)) : String(at) <= formatTimestamp(now),
    }).toEqual({ username: user.username, kind, at, isRight: true });
  }
}

function pathOf(path: string, { username }: Pick<ExpectedUser, 'username'>): string {
  return path.replace(':username', encodeURIComponent(username));
}

function byNumber(a: number, b: number): number {
  return a - b;
}
