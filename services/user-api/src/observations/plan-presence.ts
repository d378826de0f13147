import type { Definitions } from '../definitions/definitions.ts';
import { newlyFulfilled } from '../achievements/evaluate.ts';
import { earn, fulfilmentTimes, type Earned } from '../achievements/fulfilment-times.ts';
import { createUserRecord } from '../profiles/profile-view.ts';
import type { UserHistories, UserState, ObservationsByUser } from './read-user-state.ts';
import { EMPTY_PLAN, type NewUnlock, type UserCommitPlan } from '../users/user-commit-plan.ts';
import {
  playerKey,
  supersedes,
  type IdentitySnapshot,
  type PlayDay,
  type PlayerRecord,
  type TitlePlay,
  type UserRecord,
} from '../users/user-record.ts';
import { creditTitles } from '../play-time/credit-titles.ts';
import { hasBit, indexOf, mergeDay, slotsIn, type DayChange, type DayTitles } from '../users/play-day.ts';
import type { UserObservation } from './user-observation.ts';

export interface PresencePlan extends UserCommitPlan {
  /** Users who are planned once their histories are read. */
  readonly needHistory: readonly string[];
}

/** Independent of order and repetition. */
export function planPresence(
  observations: ObservationsByUser,
  known: UserState,
  definitions: Definitions,
  histories?: UserHistories,
): PresencePlan {
  const users: UserRecord[] = [];
  const playDays: PlayDay[] = [];
  const unlocks: NewUnlock[] = [];
  const movedUnlocks: NewUnlock[] = [];
  const lostUnlocks: NewUnlock[] = [];
  const named: UserRecord[] = [];
  const needHistory: string[] = [];
  let slots = 0;
  for (const observation of observations.values()) {
    if (known.erasedKeys.has(observation.key)) continue;
    const outcome = planUser(observation, known, definitions, histories);
    if (outcome === undefined) continue;
    if (outcome === 'needs-history') {
      needHistory.push(observation.key);
      continue;
    }
    const { user } = outcome;
    users.push(user);
    if (outcome.isNamed) named.push(user);
    for (const { day, after } of outcome.changes) playDays.push({ userKey: user.key, day, titles: after });
    unlocks.push(...outcome.unlocks);
    movedUnlocks.push(...outcome.moved);
    lostUnlocks.push(...outcome.lost);
    slots += outcome.slots;
  }
  const changed = { users, playDays, unlocks, movedUnlocks, lostUnlocks, named, credited: users, slots };
  return { ...EMPTY_PLAN, ...changed, needHistory };
}

interface UserPlan {
  readonly user: UserRecord;
  readonly changes: readonly DayChange[];
  readonly unlocks: readonly NewUnlock[];
  readonly moved: readonly NewUnlock[];
  readonly lost: readonly NewUnlock[];
  readonly isNamed: boolean;
  readonly slots: number;
}

function planUser(
  { key, snapshot, claims }: UserObservation,
  { users, days, players }: UserState,
  definitions: Definitions,
  histories: UserHistories | undefined,
): UserPlan | 'needs-history' | undefined {
  const known = users.get(key);
  const isLatest = known === undefined || !hasPresence(known) || supersedes(snapshot, known);
  const changes = mergeDays(key, claims, days);
  if (!isLatest && changes.length === 0) return undefined;

  const before = known ?? createUserRecord(key, snapshot.username);
  const history = histories?.play.get(key);
  const { titles, slots, needsHistory } = creditTitles(before.titles, changes, history);
  const { username, gamertag, verified, presence } = isLatest ? snapshot : before;
  const { ratingsGiven, unlocked, score } = before;
  const user: UserRecord = { key, username, gamertag, verified, presence, titles, ratingsGiven, unlocked, score };
  const isNamed = known?.username !== user.username || known.gamertag !== user.gamertag;
  const player = isNamed ? players.get(playerKey(user.gamertag) ?? '') : undefined;
  if (history === undefined) {
    const isInOrder = !needsHistory && areLater(changes, before.titles);
    if (!isInOrder || newlyFulfilled(definitions, { user, player }).length > 0) return 'needs-history';
    return { user, changes, unlocks: [], moved: [], lost: [], isNamed, slots };
  }
  const earned = earnByPlay(user, before, changes, { definitions, histories, player });
  return { ...earned, changes, isNamed, slots };
}

interface EarningState {
  readonly definitions: Definitions;
  readonly histories: UserHistories | undefined;
  /** Whose ranks and hosted sessions count for the first time. */
  readonly player?: PlayerRecord | undefined;
}

/** What a user earns, and does not earn any more, by changed days. */
export function earnByPlay(
  user: UserRecord,
  before: Pick<UserRecord, 'titles'>,
  changes: readonly DayChange[],
  { definitions, histories, player }: EarningState,
): Earned {
  const history = histories?.play.get(user.key) ?? { firstDay: 0, days: new Map<number, DayTitles>() };
  const days = new Map([...history.days, ...changes.map(({ day, after }) => [day, after] as const)]);
  const times = fulfilmentTimes(definitions, {
    play: { titles: user.titles, history: { ...history, days } },
    hosting: player && histories?.hosting.get(player.key),
    standings: player?.standings,
  });
  const timesBefore = fulfilmentTimes(definitions, { play: { titles: before.titles, history } });
  return earn(user, times, histories?.unlockTimes.get(user.key), timesBefore);
}

/** Whether all slots of the changes come after the last one that was known: no known time can move. */
function areLater(changes: readonly DayChange[], titles: readonly TitlePlay[]): boolean {
  const last = Math.max(...titles.map(({ lastPlayedAt }) => lastPlayedAt));
  return changes.every(({ day, before, after }) =>
    Array.from(after).every(([titleId, bits]) => {
      const known = before.get(titleId);
      return (
        bits === known || slotsIn(day, bits).every((slot) => slot > last || (known && hasBit(known, indexOf(slot))))
      );
    }),
  );
}

function hasPresence(user: UserRecord): user is UserRecord & IdentitySnapshot {
  return user.presence !== undefined;
}

const NO_TITLES: DayTitles = new Map();

function mergeDays(key: string, claims: UserObservation['claims'], days: UserState['days']): DayChange[] {
  const changes: DayChange[] = [];
  for (const [day, claimed] of claims) {
    const before = days.get(day)?.get(key) ?? NO_TITLES;
    const after = mergeDay(before, claimed);
    if (after !== undefined) changes.push({ day, before, after });
  }
  return changes;
}
