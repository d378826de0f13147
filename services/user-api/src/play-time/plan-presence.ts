import type { EpochSeconds } from '@lobbystats/contracts';
import type { UserObservation } from './user-observation.ts';
import { creditTitles, type PlayHistory } from './credit-titles.ts';
import type { Definitions } from '../achievements/definitions.ts';
import { createUserRecord } from '../profiles/profile-view.ts';
import { thresholdReachedAt } from './play-threshold.ts';
import { mergeDay, type DayChange, type DayTitles } from './play-day.ts';
import { playerKey, supersedes, type IdentitySnapshot, type PlayDay, type UserRecord } from '../users/user-record.ts';
import type { UserState, ObservationsByUser } from '../users/read-user-state.ts';
import { unlockEarned } from '../achievements/evaluate.ts';
import { EMPTY_PLAN, type NewUnlock, type UserCommitPlan } from '../users/user-commit-plan.ts';

export interface EvaluationInput {
  readonly definitions: Definitions;
  readonly at: EpochSeconds;
}

export interface PresencePlan extends UserCommitPlan {
  readonly needHistory: readonly string[];
}

/** Independent of order and repetition. */
export function planPresence(
  observations: ObservationsByUser,
  known: UserState,
  judging: EvaluationInput,
  histories: ReadonlyMap<string, PlayHistory> = new Map(),
): PresencePlan {
  const users: UserRecord[] = [];
  const playDays: PlayDay[] = [];
  const unlocks: NewUnlock[] = [];
  const named: UserRecord[] = [];
  const needHistory: string[] = [];
  let slots = 0;
  for (const observation of observations.values()) {
    if (known.erasedKeys.has(observation.key)) continue;
    const outcome = planUser(observation, known, judging, histories.get(observation.key));
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
    slots += outcome.slots;
  }
  return { ...EMPTY_PLAN, users, playDays, unlocks, named, credited: users, slots, needHistory };
}

interface UserPlan {
  readonly user: UserRecord;
  readonly changes: readonly DayChange[];
  readonly unlocks: readonly NewUnlock[];
  readonly isNamed: boolean;
  readonly slots: number;
}

function planUser(
  { key, snapshot, claims }: UserObservation,
  { users, days, players }: UserState,
  { definitions, at }: EvaluationInput,
  history: PlayHistory | undefined,
): UserPlan | 'needs-history' | undefined {
  const known = users.get(key);
  const isLatest = known === undefined || !hasPresence(known) || supersedes(snapshot, known);
  const changes = mergeDays(key, claims, days);
  if (!isLatest && changes.length === 0) return undefined;

  const before = known ?? createUserRecord(key, snapshot.username);
  const { titles, slots, needsHistory } = creditTitles(before.titles, changes, history);
  if (needsHistory) return 'needs-history';
  const { username, gamertag, verified, presence } = isLatest ? snapshot : before;
  const { ratingsGiven, unlocked, score } = before;
  const user: UserRecord = { key, username, gamertag, verified, presence, titles, ratingsGiven, unlocked, score };
  const isNamed = known?.username !== user.username || known.gamertag !== user.gamertag;
  const player = isNamed ? playerKey(user.gamertag) : undefined;
  if (changes.length === 0 && player === undefined) return { user, changes, unlocks: [], isNamed, slots };

  const earned = unlockEarned(
    user,
    player === undefined ? undefined : players.get(player),
    definitions,
    ({ rule }) => thresholdReachedAt(rule, before.titles, changes) ?? at,
  );
  return { user: earned.user, unlocks: earned.unlocks, changes, isNamed, slots };
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
