import { SLOT_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import { SLOT_MINUTES, type PlayHistory } from '../play-time/credit-titles.ts';
import { countBits, slotAt, slotsIn, type DayTitles } from '../users/play-day.ts';
import type { NewUnlock } from '../users/user-commit-plan.ts';
import type { HostDay, PlayerRecord, Unlock, UserRecord } from '../users/user-record.ts';
import { pointsOf, type Definition, type Definitions } from '../definitions/definitions.ts';
import { ruleIndex, type BoundedRule, type RuleIndex } from '../definitions/rule-index.ts';

/** Times at which the fulfilled rules were first fulfilled, by all that is known now. */
export type FulfilmentTimes = Map<Definition, EpochSeconds>;

/** Stored times of a user's unlocks, by achievement. */
export type UnlockTimes = ReadonlyMap<number, EpochSeconds>;

export function unlockTimesOf(unlocks: readonly Unlock[]): Map<string, Map<number, EpochSeconds>> {
  const times = new Map<string, Map<number, EpochSeconds>>();
  for (const { userKey, achievementId, unlockedAt } of unlocks) {
    const ofUser = times.get(userKey) ?? new Map<number, EpochSeconds>();
    times.set(userKey, ofUser.set(achievementId, unlockedAt));
  }
  return times;
}

/** Data of a user. Rules about absent data have no time. */
export interface Known {
  readonly play?: { readonly titles: UserRecord['titles']; readonly history: PlayHistory } | undefined;
  readonly hosting?: Hosting | undefined;
  readonly standings?: PlayerRecord['standings'] | undefined;
}

/** Sessions hosted, and the days of them that are still stored. */
export interface Hosting {
  readonly hosted: number;
  readonly days: readonly HostDay[];
  readonly firstDay: number;
}

/**
 * Reads the stored slots and ranks in order of time, so the order of messages doesn't matter. Minutes and sessions of
 * days that are no longer stored count from just before the first stored day.
 */
export function fulfilmentTimes(definitions: Definitions, { play, hosting, standings }: Known): FulfilmentTimes {
  const times: FulfilmentTimes = new Map();
  const index = ruleIndex(definitions);
  const reach = reacherOf(times);
  if (play !== undefined) addPlayTimes(index, play.titles, play.history, reach);
  if (hosting !== undefined) addHostingTimes(index, hosting, reach);
  if (standings !== undefined) addRankTimes(index, standings, times, reach);
  return times;
}

export interface Earned {
  readonly user: UserRecord;
  readonly unlocks: readonly NewUnlock[];
  /** Unlocks of before with another time. */
  readonly moved: readonly NewUnlock[];
  readonly lost: readonly NewUnlock[];
}

/**
 * Adds the fulfilled achievements that the user does not have, and moves the times of others back.
 *
 * @param stored times of the user's unlocks
 * @param before times until a slot moved to another title or was withdrawn: what they alone fulfilled moves forward, or is lost
 */
export function earn(
  user: UserRecord,
  times: FulfilmentTimes,
  stored: UnlockTimes = new Map(),
  before: FulfilmentTimes = new Map(),
): Earned {
  const all = [...times].sort(([a], [b]) => a.id - b.id);
  const isUnlocked = ({ id }: Definition) => user.unlocked.includes(id);
  const earned = all.filter(([definition]) => !isUnlocked(definition));
  const moved = all.filter(([definition, at]) => {
    const isEarlier = at < (stored.get(definition.id) ?? -Infinity);
    return isUnlocked(definition) && (isEarlier || at > (before.get(definition) ?? Infinity));
  });
  const lost = [...before].filter(([definition]) => isUnlocked(definition) && !times.has(definition));
  const lostIds = new Set(lost.map(([{ id }]) => id));
  const unlocked = [...user.unlocked, ...earned.map(([{ id }]) => id)].filter((id) => !lostIds.has(id));
  const score = user.score + pointsOf(earned.map(first)) - pointsOf(lost.map(first));
  const after = earned.length + lost.length === 0 ? user : { ...user, unlocked: unlocked.sort((a, b) => a - b), score };
  const unlocksOf = (some: typeof all) =>
    some.map(([definition, unlockedAt]): NewUnlock => ({ user: after, definition, unlockedAt }));
  return { user: after, unlocks: unlocksOf(earned), moved: unlocksOf(moved), lost: unlocksOf(lost) };
}

function first([definition]: readonly [Definition, EpochSeconds]): Definition {
  return definition;
}

/** Called with values that grow in order of time: notes when each of the rules, sorted by bound, is fulfilled. */
type Reach = (rules: readonly BoundedRule[] | undefined, value: number, at: EpochSeconds) => void;

function reacherOf(times: FulfilmentTimes): Reach {
  const reached = new Map<readonly BoundedRule[], number>();
  return (rules = [], value, at) => {
    let next = reached.get(rules) ?? 0;
    for (let rule = rules[next]; rule !== undefined && rule.bound <= value; rule = rules[next]) {
      times.set(rule.definition, at);
      next += 1;
    }
    reached.set(rules, next);
  };
}

function addPlayTimes(
  { playMinutes, playMinutesInTitle, titlesPlayed }: RuleIndex,
  titles: UserRecord['titles'],
  { firstDay, days }: PlayHistory,
  reach: Reach,
): void {
  const minutes = minutesBefore(titles, days.values());
  let total = 0;
  const before = slotAt(firstDay, 0) - SLOT_SECONDS;
  for (const [titleId, some] of minutes) {
    total += some;
    reach(playMinutesInTitle.get(titleId), some, before);
  }
  reach(playMinutes, total, before);
  reach(titlesPlayed, minutes.size, before);
  for (const { slot, titleId } of playedSlots(days)) {
    const some = (minutes.get(titleId) ?? 0) + SLOT_MINUTES;
    minutes.set(titleId, some);
    reach(playMinutesInTitle.get(titleId), some, slot);
    total += SLOT_MINUTES;
    reach(playMinutes, total, slot);
    reach(titlesPlayed, minutes.size, slot);
  }
}

/** Minutes of days that are no longer stored. */
function minutesBefore(titles: UserRecord['titles'], days: Iterable<DayTitles>): Map<string, number> {
  const minutes = new Map(titles.map((title) => [title.titleId, title.minutes]));
  for (const day of days) {
    for (const [titleId, bits] of day) {
      minutes.set(titleId, (minutes.get(titleId) ?? 0) - countBits(bits) * SLOT_MINUTES);
    }
  }
  return new Map([...minutes].filter(([, some]) => some > 0));
}

function playedSlots(days: PlayHistory['days']): { slot: EpochSeconds; titleId: string }[] {
  const slots = Array.from(days, ([day, titles]) =>
    Array.from(titles, ([titleId, bits]) => slotsIn(day, bits).map((slot) => ({ slot, titleId }))),
  );
  return slots.flat(2).sort((a, b) => a.slot - b.slot);
}

function addHostingTimes({ sessionsHosted }: RuleIndex, { hosted, days, firstDay }: Hosting, reach: Reach): void {
  const slots = days.flatMap(({ day, slots: bits }) => slotsIn(day, bits)).sort((a, b) => a - b);
  const before = hosted - slots.length;
  reach(sessionsHosted, before, slotAt(firstDay, 0) - SLOT_SECONDS);
  for (const [index, slot] of slots.entries()) reach(sessionsHosted, before + index + 1, slot);
}

function addRankTimes(
  { rank, rankInTitle, leaderboardsOn }: RuleIndex,
  standings: PlayerRecord['standings'],
  times: FulfilmentTimes,
  reach: Reach,
): void {
  const firsts: EpochSeconds[] = [];
  for (const [board, { best }] of standings) {
    if (best[0] !== undefined) firsts.push(best[0][0]);
    const titleId = board.slice(0, board.indexOf(':'));
    for (const { bound, definition } of [...rank, ...(rankInTitle.get(titleId) ?? [])]) {
      const at = best.find(([, reached]) => reached <= bound)?.[0];
      if (at !== undefined) times.set(definition, Math.min(at, times.get(definition) ?? Infinity));
    }
  }
  for (const [index, at] of firsts.sort((a, b) => a - b).entries()) reach(leaderboardsOn, index + 1, at);
}
