import type { EpochSeconds, FollowKind, FollowRule, FollowRules, QuietHours } from '@lobbystats/contracts';

export interface Subscription {
  readonly userKey: string;
  readonly kind: FollowKind;
  /** Canonical, as `followKey` returns it. */
  readonly target: string;
  /** As the user wrote it. */
  readonly id: string;
  readonly rules: FollowRules;
  readonly followedAt: EpochSeconds;
}

/** Something that happened to what is followed. Its subscribers are notified in batches. */
export interface Occurrence {
  /** Equal for the same occurrence, whatever message reports it. */
  readonly id: string;
  readonly at: EpochSeconds;
  readonly kind: FollowKind;
  readonly target: string;
  readonly rule: FollowRule;
  /** Subscribers whose threshold is in (low, high]; null: those whose rule is on. */
  readonly crossed: { readonly low: number; readonly high: number } | null;
  /** The only subscriber that is notified; null: all. */
  readonly userKey: string | null;
  readonly title: string;
  /** One line. */
  readonly item: string;
}

export interface PendingOccurrence extends Occurrence {
  readonly place: number;
  /** Subscribers up to this user have been notified; '' before the first. */
  readonly after: string;
}

/** One of a rule; open for more items until it is due. */
export interface NotificationRecord {
  readonly id: string;
  readonly userKey: string;
  readonly kind: FollowKind;
  readonly target: string;
  readonly rule: FollowRule;
  readonly dueAt: EpochSeconds;
  /** When the newest item happened. */
  readonly happenedAt: EpochSeconds;
  readonly title: string;
  /** The newest first. */
  readonly items: readonly string[];
  readonly count: number;
}

interface NamedState {
  readonly name: string;
  /** 0: never written. */
  readonly version: number;
  readonly value: string;
}

interface FanOut {
  readonly occurrence: PendingOccurrence;
  /** The last user of the batch; undefined: it was the last batch. */
  readonly after: string | undefined;
  /** New ones, and those that got an item. */
  readonly notifications: readonly NotificationRecord[];
}

/** Lists of keys may be long. Rejects with AppError `unavailable`. */
export interface FollowStore {
  /** The latest first. */
  subscriptionsOf(userKey: string): Promise<Subscription[]>;
  /** Replaces the rules of one that exists. `unknown`: there is no such user. `full`: the user has `limit` others. */
  putSubscription(subscription: Subscription, limit: number): Promise<'written' | 'unknown' | 'full'>;
  removeSubscription(userKey: string, kind: FollowKind, target: string): Promise<boolean>;
  quietHours(userKeys: readonly string[]): Promise<Map<string, QuietHours>>;
  /** Returns false for an unknown user. */
  putQuietHours(userKey: string, quietHours: QuietHours | null): Promise<boolean>;

  followedTargets(kind: FollowKind, targets: readonly string[]): Promise<Set<string>>;
  /** In order of user keys. */
  subscribers(
    of: Pick<Occurrence, 'kind' | 'target' | 'userKey'>,
    after: string,
    limit: number,
  ): Promise<Subscription[]>;

  state(name: string): Promise<NamedState>;
  /** Adds the occurrences that are new. Returns false when the state has another version; nothing changes then. */
  record(occurrences: readonly Occurrence[], state?: NamedState): Promise<boolean>;
  /** In the order in which they were recorded. */
  pendingOccurrences(limit: number): Promise<PendingOccurrence[]>;

  /** The latest of each user that is due after `since`. */
  latestNotifications(
    of: Pick<Occurrence, 'kind' | 'target' | 'rule'>,
    userKeys: readonly string[],
    since: EpochSeconds,
  ): Promise<Map<string, NotificationRecord>>;
  /** Returns false when another process has notified this batch; nothing changes then. */
  commitFanOut(fanOut: FanOut): Promise<boolean>;
  /** The latest first; those that are not due are left out. */
  notificationsOf(userKey: string, until: EpochSeconds, limit: number): Promise<NotificationRecord[]>;
  /** Removes notifications and finished occurrences of earlier times, at most some thousands; returns their number. */
  removeNotificationsBefore(at: EpochSeconds): Promise<number>;
}
