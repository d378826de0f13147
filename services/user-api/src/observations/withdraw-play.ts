import { SNAPSHOT_RETENTION_SECONDS, type EpochSeconds } from '@lobbystats/contracts';
import type { Definitions } from '../definitions/definitions.ts';
import type { UserHistories } from './read-user-state.ts';
import { EMPTY_PLAN, type UserCommitPlan } from '../users/user-commit-plan.ts';
import type { PlayDay, UserRecord } from '../users/user-record.ts';
import type { DayKey, UserStore, WithdrawnSlots } from '../users/user-store.ts';
import { creditTitles, SLOT_MINUTES } from '../play-time/credit-titles.ts';
import { earnByPlay } from './plan-presence.ts';
import { DAY_BYTES, dayOf, hasBit, setBit, slotAt, type DayChange, type DayTitles } from '../users/play-day.ts';

type Range = Pick<WithdrawnSlots, 'from' | 'to'>;

export const USERS_PER_WITHDRAWAL = 250;

/** Marks of withdrawals with another one; those whose slots can't be earned any more are left out. */
export function withMark(
  marks: readonly WithdrawnSlots[],
  mark: WithdrawnSlots,
  now: EpochSeconds,
): readonly WithdrawnSlots[] {
  const others = marks.filter((other) => !isSame(other, mark) && other.to > now - SNAPSHOT_RETENTION_SECONDS);
  return [...others, mark];
}

export function isDone(marks: readonly WithdrawnSlots[], mark: WithdrawnSlots): boolean {
  return marks.some((other) => isSame(other, mark) && other.done);
}

function isSame(one: WithdrawnSlots, other: WithdrawnSlots): boolean {
  return one.from === other.from && one.to === other.to && one.at === other.at;
}

/** The days of users that have withdrawn slots. */
export function withdrawnDays(userKeys: readonly string[], { from, to }: Range): DayKey[] {
  const days = Array.from({ length: dayOf(to) - dayOf(from) + 1 }, (_, index) => dayOf(from) + index);
  return userKeys.flatMap((key) => days.map((day) => ({ key, day })));
}

/** The stored days that change, by user. */
export function withdrawnChanges(days: readonly PlayDay[], range: Range): Map<string, DayChange[]> {
  const found = new Map<string, DayChange[]>();
  for (const { userKey, day, titles } of days) {
    const after = withoutSlots(day, titles, range);
    if (after !== undefined) found.set(userKey, [...(found.get(userKey) ?? []), { day, before: titles, after }]);
  }
  return found;
}

/** Undefined: no slot is withdrawn. */
function withoutSlots(day: number, titles: DayTitles, { from, to }: Range): DayTitles | undefined {
  const after = new Map<string, Uint8Array>();
  let isChanged = false;
  for (const [titleId, bits] of titles) {
    const rest = new Uint8Array(DAY_BYTES);
    for (let index = 0; index < DAY_BYTES * 8; index += 1) {
      if (!hasBit(bits, index)) continue;
      const slot = slotAt(day, index);
      if (from <= slot && slot <= to) isChanged = true;
      else setBit(rest, index);
    }
    if (rest.some((byte) => byte !== 0)) after.set(titleId, rest);
  }
  return isChanged ? after : undefined;
}

/** Users with play time in the slots, and its minutes. */
export async function playIn(
  store: Pick<UserStore, 'usersAfter' | 'playDays'>,
  slots: Range,
): Promise<{ users: number; minutes: number }> {
  const found = { users: 0, minutes: 0 };
  for (let after: string | undefined; ;) {
    const keys = (await store.usersAfter(after, USERS_PER_WITHDRAWAL)).map(({ key }) => key);
    after = keys.at(-1);
    if (after === undefined) return found;
    const changes = withdrawnChanges(await store.playDays(withdrawnDays(keys, slots)), slots);
    found.users += changes.size;
    for (const ofUser of changes.values()) found.minutes -= creditTitles([], ofUser).slots * SLOT_MINUTES;
  }
}

/** The plan of a commit that takes the changes' slots from users, with the unlocks as if they had never been earned. */
export function planWithdrawal(
  users: readonly UserRecord[],
  changes: ReadonlyMap<string, readonly DayChange[]>,
  definitions: Definitions,
  histories: UserHistories,
): UserCommitPlan {
  const outcomes = users.map((before) => {
    const ofUser = changes.get(before.key) ?? [];
    const { titles } = creditTitles(before.titles, ofUser, histories.play.get(before.key));
    return { ...earnByPlay({ ...before, titles }, before, ofUser, { definitions, histories }), ofUser };
  });
  const changed = outcomes.map(({ user }) => user);
  return {
    ...EMPTY_PLAN,
    users: changed,
    credited: changed,
    playDays: outcomes.flatMap(({ user, ofUser }) =>
      ofUser.map(({ day, after }) => ({ userKey: user.key, day, titles: after })),
    ),
    unlocks: outcomes.flatMap(({ unlocks }) => unlocks),
    movedUnlocks: outcomes.flatMap(({ moved }) => moved),
    lostUnlocks: outcomes.flatMap(({ lost }) => lost),
  };
}
