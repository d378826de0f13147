import {
  formatTimestamp,
  usernameKey,
  type EpochSeconds,
  type operations,
  type OperationResponse,
} from '@lobbystats/contracts';
import { findUnsharedPlayerKey, type EraseUserOptions } from '../erasure/erase-user.ts';
import { ownUserError, type NameHash } from '../users/erased-users.ts';
import type { Channels } from '../channels/channels.ts';
import type { Following } from '../following/following.ts';
import { slotsIn } from '../users/play-day.ts';
import { profileFields, withProfile } from '../profiles/profile-view.ts';
import { readPlayHistories, retainedDays } from '../observations/read-user-state.ts';
import type { UserRecord } from '../users/user-record.ts';

type AccountExport = OperationResponse<typeof operations.exportUser>;
type Store = EraseUserOptions['store'] & {
  readonly nameHash: NameHash;
  readonly following: Pick<Following, 'export'>;
  readonly channels: Pick<Channels, 'export'>;
};

/**
 * Everything that an erasure would remove.
 *
 * @throws AppError `not-found` for an unknown user, `forbidden` for an erased one
 */
export async function exportAccount(username: string, store: Store, now: EpochSeconds): Promise<AccountExport> {
  const found = await store.profiles.readUser(usernameKey(username));
  if (found === undefined) throw await ownUserError(username, store);
  const { user, profile } = withProfile(found);
  const { gamertag, ratingsGiven, presence, score } = user;
  const unlocks = await store.users.unlocksOf(user.key);
  return {
    username: user.username,
    profile: profileFields({ user, profile }),
    gamertag,
    mostRatingsGiven: ratingsGiven,
    achievementScore: score,
    presence: presence === undefined ? null : { ...presence, at: formatTimestamp(presence.at) },
    playTime: await exportPlayTime(user, store, now),
    unlocks: unlocks.map(({ achievementId, unlockedAt }) => ({
      achievementId,
      unlockedAt: formatTimestamp(unlockedAt),
    })),
    player: await exportPlayer(user, store, now),
    ...(await store.following.export(username)),
    channels: await store.channels.export(username),
  };
}

async function exportPlayTime(user: UserRecord, { users }: Store, now: EpochSeconds) {
  const days = [...((await readPlayHistories(users, [user.key], now)).get(user.key)?.days ?? [])];
  return user.titles.map(({ titleId, minutes, lastPlayedAt }) => ({
    titleId,
    minutes,
    lastPlayedAt: formatTimestamp(lastPlayedAt),
    slots: days.flatMap(([day, titles]) => slotTimes(day, titles.get(titleId))),
  }));
}

async function exportPlayer(user: UserRecord, store: Store, now: EpochSeconds): Promise<AccountExport['player']> {
  const key = await findUnsharedPlayerKey(user, store);
  if (key === undefined) return null;
  const player = (await store.users.players([key])).get(key);
  const days = await store.users.hostDays(retainedDays(now).map((day) => ({ key, day })));
  return {
    ranks: Array.from(player?.standings ?? [], ([board, { rank }]) => {
      const [titleId = '', leaderboardId] = board.split(':');
      return { titleId, leaderboardId: Number(leaderboardId), rank };
    }),
    matchesHosted: player?.hosted ?? 0,
    matchEnds: days.flatMap(({ day, slots }) => slotTimes(day, slots)),
  };
}

function slotTimes(day: number, slots: Uint8Array | undefined): string[] {
  return slots === undefined ? [] : slotsIn(day, slots).map(formatTimestamp);
}
