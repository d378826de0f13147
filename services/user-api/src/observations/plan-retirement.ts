import { DAY_SECONDS, USER_RETENTION_SECONDS, USERS_PER_FACT, type EpochSeconds } from '@lobbystats/contracts';
import { dayOf } from '../users/play-day.ts';
import { EMPTY_PLAN, type UserCommitPlan } from '../users/user-commit-plan.ts';
import { playerKey, type PlayerRecord, type UserRecord } from '../users/user-record.ts';
import type { DayKey, UserStore } from '../users/user-store.ts';

/** The last key of the batch before; undefined: none. */
export interface RetirementPosition {
  readonly of: 'users' | 'players';
  readonly after: string | undefined;
}

const START: RetirementPosition = { of: 'users', after: undefined };

interface RetirementBatch {
  readonly plan: UserCommitPlan;
  readonly next: RetirementPosition | undefined;
}

/** The users or players of a batch without other data than a name that the network once had. */
export async function planRetirement(
  store: UserStore,
  { of, after }: RetirementPosition = START,
  unseenSince: EpochSeconds,
): Promise<RetirementBatch> {
  if (of === 'users') {
    const users = await store.usersAfter(after, USERS_PER_FACT);
    const plan = { ...EMPTY_PLAN, retired: await retiredUsers(store, users, unseenSince) };
    return { plan, next: nextOf('users', users) ?? { of: 'players', after: undefined } };
  }
  const players = await store.playersAfter(after, USERS_PER_FACT);
  const plan = { ...EMPTY_PLAN, retiredPlayers: await retiredPlayers(store, players, unseenSince) };
  return { plan, next: nextOf('players', players) };
}

function nextOf(of: RetirementPosition['of'], batch: readonly { key: string }[]): RetirementPosition | undefined {
  return batch.length < USERS_PER_FACT ? undefined : { of, after: batch.at(-1)?.key };
}

async function retiredUsers(store: UserStore, users: readonly UserRecord[], unseenSince: EpochSeconds) {
  const unseen = users.filter(
    ({ presence, titles, unlocked, ratingsGiven }) =>
      presence !== undefined &&
      presence.at < unseenSince &&
      titles.length + unlocked.length === 0 &&
      ratingsGiven === 0,
  );
  if (unseen.length === 0) return [];
  const withProfile = await store.keysWithContent(unseen.map(({ key }) => key));
  const gamertags = unseen.flatMap(({ gamertag }) => playerKey(gamertag) ?? []);
  const players = await store.players(gamertags);
  return unseen.filter(({ key, gamertag }) => {
    const player = players.get(playerKey(gamertag) ?? '');
    return !withProfile.has(key) && (player === undefined || (player.hosted === 0 && !hasRank(player)));
  });
}

/** Hosts and former names of leaderboards that are no user's gamertag. */
async function retiredPlayers(store: UserStore, players: readonly PlayerRecord[], unseenSince: EpochSeconds) {
  const unranked = players.filter((player) => !hasRank(player)).map(({ key }) => key);
  if (unranked.length === 0) return [];
  const owners = await store.usersByGamertag(unranked);
  const ownerless = unranked.filter((key) => !owners.has(key));
  const hosts = new Set((await store.hostDays(daysSince(unseenSince, ownerless))).map((day) => day.playerKey));
  return ownerless.filter((key) => !hosts.has(key));
}

function hasRank({ standings }: PlayerRecord): boolean {
  return [...standings.values()].some(({ rank }) => rank !== null);
}

/** Until a day after the newest poll. */
const DAYS = USER_RETENTION_SECONDS / DAY_SECONDS + 2;

function daysSince(unseenSince: EpochSeconds, keys: readonly string[]): DayKey[] {
  const first = dayOf(unseenSince);
  return keys.flatMap((key) => Array.from({ length: DAYS }, (_, index) => ({ key, day: first + index })));
}
