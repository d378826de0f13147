import {
  defaultRules,
  ERASED_MESSAGE,
  formatTimestamp,
  operations,
  usernameKey,
  type Channel,
  type Followed,
  type OperationResponse,
  type Profile,
  type UserAchievement,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { notFound, route, type Route, type Sessions } from '@lobbystats/service-kit';
import { stubRoutes } from './captured-responses.ts';
import { usersOnlineRoute, type WithUsersOnline } from './users-online-response.ts';

type UserProfile = OperationResponse<typeof operations.getUserProfile>;
type UserGames = OperationResponse<typeof operations.getUserGames>;

/** The data of the only user. */
export interface TestUser {
  username: string;
  linkedGamertag: string | null;
  bio?: string;
  /** Makes their own operations answer 404 or 403. Default: they have a profile. */
  own?: 'unknown' | 'erased';
  playTime: UserProfile['playTime'];
  games: UserGames['games'];
}

/** The only valid session key and its user. */
export const SESSION = { key: 'k3y-of:Marlow,;"', username: 'Marlow' };
/** The only user with a profile. */
export const FOX = 'EmberFox';
/** The gamertag of that user. */
export const GAMERTAG = 'Ember Fox';
/** A session key that can not be verified. */
export const UNVERIFIABLE_KEY = 'k3y-of:nobody-knows';

/** Session verification of the stub upstreams. */
export const sessions: Sessions = {
  verify: async (key, need) => {
    if (key === UNVERIFIABLE_KEY && need === 'required')
      throw new AppError('unavailable', 'Sessions can not be checked');
    return key === SESSION.key ? { username: SESSION.username } : undefined;
  },
};

export const PROFILE: Profile = {
  avatar_url: '',
  avatar_hue: null,
  discord_profile_url: '',
  linked_gamertag: '',
  console_verified: true,
  bio: '__proto__ </script>',
  social_links: [],
  sync_avatar_from_discord: false,
  discord_verified: false,
};

export function testUser(rest: Partial<TestUser> = {}): TestUser {
  return {
    username: FOX,
    linkedGamertag: null,
    playTime: {
      totalMinutes: 65,
      lastState: 'online',
      current: { titleId: '4d530064', game: 'Harbor Racing' },
      byTitle: [
        { titleId: '4d530064', minutes: 60 },
        { titleId: '0000000a', minutes: 5 },
      ],
      lastPlayedTitleId: '0000000a',
      lastPlayedAt: '2027-01-15 07:55:00',
      lastOnlineAt: '2027-01-15 08:00:00',
    },
    games: [
      { titleId: '4d530064', totalMinutes: 60, lastPlayedAt: '2027-01-15 07:50:00' },
      { titleId: '0000000a', totalMinutes: 5, lastPlayedAt: '2027-01-15 07:55:00' },
    ],
    ...rest,
  };
}

const ACHIEVEMENT: UserAchievement = {
  id: 4,
  key: 'ten-hours',
  name: 'Ten Hours',
  description: 'Play for ten hours.',
  points: 25,
  is_hidden: false,
  game_title_id: null,
  category: 'Site',
  earned: true,
  unlocked_at: '2027-01-15 07:55:00',
};
const GROUP = { groupId: 'site', titleId: null, displayName: 'Site', imageUrl: '' };

const FOLLOWED: Followed = {
  ...{ kind: 'game', id: '4d530064', rules: defaultRules.game },
  followedAt: '2027-01-15 07:55:00',
};

const CHANNEL: Channel = {
  ...{ name: 'phone', kind: 'discord', state: 'active', createdAt: '2027-01-15 07:55:00' },
  ...{ failingSince: null, problem: null },
};

/** Data of the responses. */
export interface UserData extends WithUsersOnline {
  user: TestUser;
  /** Epoch seconds. */
  newest: number;
}

/** The routes of user-api; `own` come first. */
export function userRoutes(known: UserData, own: readonly Route[] = []): Route[] {
  return stubRoutes('user-api', [...own, ...userResponses(known)], known.newest);
}

function userResponses(known: UserData): Route[] {
  const at = () => formatTimestamp(known.newest);
  const find = (username: string) => {
    if (usernameKey(username) !== usernameKey(known.user.username)) throw notFound('username');
    return known.user;
  };
  const isGamertag = (name: string) => usernameKey(name) === usernameKey(GAMERTAG);
  const nameOf = ({ username, linkedGamertag }: TestUser) => linkedGamertag ?? username;
  const { earned: _, unlocked_at, ...described } = ACHIEVEMENT;
  const profileFields = ({ linkedGamertag, bio = PROFILE.bio }: TestUser): Profile => ({
    ...PROFILE,
    linked_gamertag: linkedGamertag ?? '',
    bio,
  });
  const checkOwn = () => {
    if (known.user.own === 'unknown') throw notFound('username');
    if (known.user.own === 'erased') throw new AppError('forbidden', ERASED_MESSAGE);
  };
  const profileOf = (found: TestUser): UserProfile => ({
    username: found.username,
    profile: profileFields(found),
    achievementScore: 25,
    achievementCount: 1,
    newUnlocks: [{ id: 4, key: ACHIEVEMENT.key, name: ACHIEVEMENT.name, points: 25, unlocked_at: at() }],
    leaderboardPlayerName: nameOf(found),
    usesExplicitConsoleLiveGamertag: found.linkedGamertag !== null,
    playTime: found.playTime,
  });
  return [
    route(operations.getUserProfile, async ({ params }) => ({
      lastModified: known.newest - 300,
      body: profileOf(isGamertag(params.username) ? known.user : find(params.username)),
    })),
    usersOnlineRoute(known),
    route(operations.getOwnProfile, async ({ caller }) => {
      checkOwn();
      return { body: { ...profileOf({ ...known.user, username: caller.username }), gamertag: GAMERTAG } };
    }),
    route(operations.getOwnPresence, async ({ caller }) => ({
      body: { isOnline: true, game: `Game of ${caller.username}` },
    })),
    route(operations.exportUser, async ({ caller }) => ({
      body: {
        ...{ username: caller.username, profile: PROFILE, gamertag: '', mostRatingsGiven: 0, achievementScore: 0 },
        ...{ presence: null, playTime: [], unlocks: [], player: null },
        ...{ following: [], quietHours: null, notifications: [], channels: [] },
      },
    })),
    route(operations.eraseMe, async ({ query }) => ({
      body:
        query.confirmation === undefined
          ? { erased: false, confirmation: 'c0nfirmation', expiresAt: '2027-01-15 08:05:00' }
          : { erased: true, confirmation: null, expiresAt: null },
    })),
    route(operations.listFollowing, async () => ({ body: { following: [FOLLOWED], limit: 100, quietHours: null } })),
    route(operations.follow, async () => ({ body: FOLLOWED })),
    route(operations.unfollow, async () => ({ body: { removed: true } })),
    route(operations.setQuietHours, async ({ body }) => ({ body })),
    route(operations.listNotifications, async () => ({ body: { notifications: [] } })),
    route(operations.listChannels, async () => ({ body: { channels: [CHANNEL], limit: 10, pushKey: 'a2V5' } })),
    route(operations.addChannel, async () => ({
      body: { ...CHANNEL, secret: null, feedUrl: null, calendarUrl: null },
    })),
    route(operations.testChannel, async () => ({ body: CHANNEL })),
    route(operations.listDeliveries, async () => ({ body: { deliveries: [] } })),
    route(operations.removeChannel, async () => ({ body: { removed: true } })),
    route(operations.listPlayDays, async ({ params }) => {
      find(params.username);
      return { body: { days: [{ date: at().slice(0, 10), minutes: 65 }] } };
    }),
    route(operations.getUserGames, async ({ params }) => {
      const found = find(params.username);
      return { body: { leaderboardPlayerName: nameOf(found), games: found.games, hasPlayTimeTracking: true } };
    }),
    route(operations.getGamertagUser, async ({ params: { player: gamertag } }) => {
      const isKnown = isGamertag(gamertag);
      return { body: isKnown ? { username: known.user.username, gamertag } : { username: null, gamertag: null } };
    }),
    route(operations.getLeaderboardName, async ({ params }) => {
      const found = find(params.username);
      return { body: { playerName: nameOf(found), explicitConsoleLiveGamertag: found.linkedGamertag } };
    }),
    route(operations.getUserAchievements, async ({ params }) => {
      find(params.username);
      const counts = { unlockedCount: 1, totalCount: 1, earnedPoints: 25 };
      const groups = [{ ...GROUP, ...counts, achievements: [ACHIEVEMENT] }];
      return { body: { score: 25, achievements: [ACHIEVEMENT], groups } };
    }),
    route(operations.listAchievements, async () => ({
      body: {
        achievements: [{ ...described, groupId: 'site', unlockedBy: 1 }],
        groups: [{ ...GROUP, totalCount: 1, totalPoints: 25 }],
        stats: { maxGamerscore: 25, totalAchievements: 1, playersWithAchievements: 1 },
      },
    })),
    route(operations.getAchievementLeaderboard, async () => ({
      body: { leaderboard: [{ rank: 1, username: known.user.username, totalScore: 25, achievementCount: 1 }] },
    })),
    route(operations.listRecentUnlocks, async () => ({
      body: {
        recent: [
          {
            username: known.user.username,
            unlockedAt: unlocked_at ?? at(),
            achievementId: 4,
            achievementKey: ACHIEVEMENT.key,
            achievementName: ACHIEVEMENT.name,
            gameName: '',
            points: 25,
          },
        ],
      },
    })),
    route(operations.updateProfile, async ({ body }) => {
      if (body.social_links !== undefined) throw new AppError('forbidden', 'Social links need a verified Discord');
      if (body.discord_profile_url !== undefined) throw new AppError('lookup-failed', 'Discord does not answer');
      if (known.user.own === 'unknown') delete known.user.own;
      checkOwn();
      known.user.bio = body.bio ?? '';
      return { body: { success: true as const, profile: profileFields(known.user) } };
    }),
  ];
}
