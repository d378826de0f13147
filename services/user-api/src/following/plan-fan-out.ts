import {
  DAY_SECONDS,
  NOTIFICATION_INTERVAL_SECONDS,
  NOTIFICATION_ITEMS_MAX,
  type EpochSeconds,
  type QuietHours,
} from '@lobbystats/contracts';
import type { NotificationRecord, Occurrence, Subscription } from './follow-store.ts';
import { afterQuietHours } from './quiet-time.ts';

/** A notification that is due sooner may be sent before its item is stored. */
const APPEND_SECONDS = 5;
/** Quiet hours delay by less. One that is due later was made while a clock was wrong. */
const DELAY_MAX_SECONDS = 2 * DAY_SECONDS;

/** Whether a subscriber's rule is on and, if it has a threshold, was crossed. */
function isNotified({ rules }: Pick<Subscription, 'rules'>, { rule, crossed }: Occurrence): boolean {
  const value = rules[rule];
  if (typeof value !== 'number') return value === true;
  return crossed !== null && crossed.low < value && value <= crossed.high;
}

interface FanOutInput {
  readonly occurrence: Occurrence;
  readonly subscribers: readonly Subscription[];
  /** The latest notification of each user of this rule, if it is due within the interval before now, or later. */
  readonly latest: ReadonlyMap<string, NotificationRecord>;
  readonly quietHours: ReadonlyMap<string, QuietHours>;
  readonly now: EpochSeconds;
  readonly newId: () => string;
}

/** A notification of each subscriber: a new one, or one more item of that which is not due yet. */
export function planFanOut(input: FanOutInput): NotificationRecord[] {
  const { occurrence, subscribers, latest, quietHours, now, newId } = input;
  return subscribers
    .filter((subscriber) => isNotified(subscriber, occurrence))
    .map(({ userKey, kind, target }): NotificationRecord => {
      const found = latest.get(userKey);
      const last = found !== undefined && found.dueAt > now + DELAY_MAX_SECONDS ? undefined : found;
      if (last !== undefined && last.dueAt > now + APPEND_SECONDS) return withItem(last, occurrence);
      const earliest = last === undefined ? now : Math.max(now, last.dueAt + NOTIFICATION_INTERVAL_SECONDS);
      const { rule, at: happenedAt, title, item } = occurrence;
      const dueAt = afterQuietHours(earliest, quietHours.get(userKey));
      return { id: newId(), userKey, kind, target, rule, dueAt, happenedAt, title, items: [item], count: 1 };
    });
}

function withItem(last: NotificationRecord, { at, title, item }: Occurrence): NotificationRecord {
  const items = [item, ...last.items].slice(0, NOTIFICATION_ITEMS_MAX);
  return { ...last, happenedAt: Math.max(at, last.happenedAt), title, items, count: last.count + 1 };
}
