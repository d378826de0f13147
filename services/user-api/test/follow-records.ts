import { defaultRules } from '@lobbystats/contracts';
import type { FollowStore, NotificationRecord, Occurrence, Subscription } from '../src/following/follow-store.ts';
import { Notifier } from '../src/following/notifier.ts';
import { SLOT } from './stored-records.ts';

export const TITLE = '4d530064';

/** Returns a subscription of a game. */
export function subscription(userKey: string, changes: Partial<Subscription> = {}): Subscription {
  return { userKey, kind: 'game', target: TITLE, id: TITLE, rules: defaultRules.game, followedAt: SLOT, ...changes };
}

/** Returns an occurrence of which followers of the game are notified. */
export function occurrence(id: string, changes: Partial<Occurrence> = {}): Occurrence {
  const about = { kind: 'game', target: TITLE, rule: 'newLeaderboards' } as const;
  return { id, at: SLOT, ...about, crossed: null, userKey: null, title: 'News', item: `Item ${id}`, ...changes };
}

/** Follows a game, with quiet hours that are not now. */
export async function follow(store: FollowStore, userKey: string): Promise<void> {
  await store.putSubscription(subscription(userKey), 10);
  await store.putQuietHours(userKey, { from: '00:00', to: '00:01', timeZone: 'Etc/UTC' });
}

/** Records an occurrence and notifies everyone who follows the game. */
export async function notifyAll(store: FollowStore, id = 'one', now = SLOT): Promise<number> {
  await store.record([occurrence(id)]);
  return new Notifier(store, () => now).notifyAll(() => false);
}

export async function notificationsOf(store: FollowStore, userKey: string): Promise<NotificationRecord[]> {
  return store.notificationsOf(userKey, Number.MAX_SAFE_INTEGER, 100);
}
