import {
  defaultRules,
  EXPIRY_SECONDS,
  FOLLOWING_MAX,
  followedPagePath,
  followKey,
  formatTimestamp,
  LATE_SECONDS,
  lateText,
  usernameKey,
  type EpochSeconds,
  type Followed,
  type FollowKind,
  type FollowRule,
  type FollowRules,
  type Notification,
  type operations,
  type OperationResponse,
  type QuietHours,
} from '@lobbystats/contracts';
import { AppError } from '@lobbystats/contracts/errors';
import { unknownUserError } from '../users/erased-users.ts';
import type { FollowStore, NotificationRecord, Subscription } from './follow-store.ts';

interface FollowingOptions {
  readonly store: FollowStore;
  /** Creates the profile of a caller who has none. @throws AppError `forbidden` for an erased one */
  readonly createUser: (username: string) => Promise<void>;
  readonly publicUrl: string;
  readonly now: () => EpochSeconds;
}

/** Rules about who is there now. */
const MOMENTARY_RULES: ReadonlySet<FollowRule> = new Set(['lobbyPlayers', 'onlineAbove', 'online']);

/** Far more than rules make in the time that notifications are kept. */
const EXPORTED_MAX = 100_000;

/** Keeps what users follow, and returns their notifications. */
export class Following {
  readonly #options: FollowingOptions;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  async list(username: string): Promise<OperationResponse<typeof operations.listFollowing>> {
    const userKey = usernameKey(username);
    const { store } = this.#options;
    const [subscriptions, quietHours] = await Promise.all([
      store.subscriptionsOf(userKey),
      store.quietHours([userKey]),
    ]);
    return {
      following: subscriptions.map(followedOf),
      limit: FOLLOWING_MAX,
      quietHours: quietHours.get(userKey) ?? null,
    };
  }

  /** @throws AppError `forbidden` for an erased caller, `invalid` for one who follows too much */
  async follow(
    username: string,
    { kind, id, rules = {} }: { kind: FollowKind; id: string; rules?: FollowRules | undefined },
  ): Promise<Followed> {
    const userKey = usernameKey(username);
    const { store, createUser, now } = this.#options;
    await createUser(username);
    const target = followKey(kind, id) ?? '';
    const subscription = { userKey, kind, target, id, rules: { ...defaultRules[kind], ...rules }, followedAt: now() };
    const outcome = await store.putSubscription(subscription, FOLLOWING_MAX);
    if (outcome === 'unknown') throw unknownUserError();
    if (outcome === 'full') throw new AppError('invalid', `One account follows at most ${FOLLOWING_MAX}`);
    const stored = (await store.subscriptionsOf(userKey)).find((one) => one.kind === kind && one.target === target);
    return followedOf(stored ?? subscription);
  }

  async unfollow(username: string, kind: FollowKind, id: string): Promise<boolean> {
    const target = followKey(kind, id);
    return target !== undefined && this.#options.store.removeSubscription(usernameKey(username), kind, target);
  }

  /** @throws AppError `forbidden` for an erased caller */
  async setQuietHours(username: string, quietHours: QuietHours | null): Promise<void> {
    await this.#options.createUser(username);
    if (!(await this.#options.store.putQuietHours(usernameKey(username), quietHours))) throw unknownUserError();
  }

  async notifications(username: string, limit: number): Promise<Notification[]> {
    const { store, now, publicUrl } = this.#options;
    const records = await store.notificationsOf(usernameKey(username), now(), limit);
    return records.map((record) => notificationOf(record, publicUrl));
  }

  /** Returns all of a user, with the notifications that wait. */
  async export(username: string) {
    const { following, quietHours } = await this.list(username);
    const { store, publicUrl } = this.#options;
    const records = await store.notificationsOf(usernameKey(username), Number.MAX_SAFE_INTEGER, EXPORTED_MAX);
    return { following, quietHours, notifications: records.map((record) => notificationOf(record, publicUrl)) };
  }
}

function followedOf({ kind, id, rules, followedAt }: Subscription): Followed {
  return { kind, id, rules, followedAt: formatTimestamp(followedAt) };
}

/**
 * The public form.
 *
 * @param publicUrl the site, without a trailing slash
 * @param sentAt when a channel sends it, which its text tells if it is late
 */
export function notificationOf(record: NotificationRecord, publicUrl: string, sentAt = record.dueAt): Notification {
  const { id, dueAt, happenedAt, kind, target, rule, title, items, count } = record;
  const lines = [...items];
  if (count > items.length) lines.push(`… and ${count - items.length} more`);
  if (sentAt - happenedAt > LATE_SECONDS) lines.push(lateText(formatTimestamp(happenedAt), count));
  const expiresAt = expiryOf(record);
  return {
    ...{ id, at: formatTimestamp(dueAt), happenedAt: formatTimestamp(happenedAt) },
    expiresAt: expiresAt === null ? null : formatTimestamp(expiresAt),
    ...{ kind, target, rule, title, text: lines.join('\n'), count },
    url: publicUrl + followedPagePath(kind, target),
  };
}

/** When a notification is no news any more; null: never. Channels send none after it. */
export function expiryOf({ rule, happenedAt }: Pick<NotificationRecord, 'rule' | 'happenedAt'>): EpochSeconds | null {
  return MOMENTARY_RULES.has(rule) ? happenedAt + EXPIRY_SECONDS : null;
}
