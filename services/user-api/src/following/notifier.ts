import { randomUUID } from 'node:crypto';
import {
  NOTIFICATION_INTERVAL_SECONDS,
  NOTIFICATION_RETENTION_SECONDS,
  type EpochSeconds,
} from '@lobbystats/contracts';
import type { FollowStore, PendingOccurrence } from './follow-store.ts';
import { planFanOut } from './plan-fan-out.ts';

/** A commit of this size takes about 20 ms. */
const SUBSCRIBERS_PER_BATCH = 500;
const OCCURRENCES_PER_READ = 100;

/** Makes notifications of occurrences, a batch of subscribers at a time. Interrupted, it goes on where it was. */
export class Notifier {
  readonly #store: FollowStore;
  readonly #now: () => EpochSeconds;
  readonly #onNotified: () => void;

  /** @param onNotified called after each batch with notifications */
  constructor(store: FollowStore, now: () => EpochSeconds, onNotified: () => void = () => undefined) {
    this.#store = store;
    this.#now = now;
    this.#onNotified = onNotified;
  }

  /** Returns the number of notifications made. */
  async notifyAll(isStopping: () => boolean): Promise<number> {
    let made = 0;
    for (;;) {
      const pending = await this.#store.pendingOccurrences(OCCURRENCES_PER_READ);
      for (const occurrence of pending) made += await this.#fanOut(occurrence, isStopping);
      if (pending.length < OCCURRENCES_PER_READ || isStopping()) return made;
    }
  }

  /** Removes what is older than notifications are kept. Returns whether there may be more. */
  async removeOld(): Promise<boolean> {
    return (await this.#store.removeNotificationsBefore(this.#now() - NOTIFICATION_RETENTION_SECONDS)) > 0;
  }

  async #fanOut(pending: PendingOccurrence, isStopping: () => boolean): Promise<number> {
    let occurrence = pending;
    let made = 0;
    while (!isStopping()) {
      const subscribers = await this.#store.subscribers(occurrence, occurrence.after, SUBSCRIBERS_PER_BATCH);
      const userKeys = subscribers.map(({ userKey }) => userKey);
      const now = this.#now();
      const [latest, quietHours] = await Promise.all([
        this.#store.latestNotifications(occurrence, userKeys, now - NOTIFICATION_INTERVAL_SECONDS),
        this.#store.quietHours(userKeys),
      ]);
      const notifications = planFanOut({ occurrence, subscribers, latest, quietHours, now, newId: randomUUID });
      const after = subscribers.length < SUBSCRIBERS_PER_BATCH ? undefined : userKeys.at(-1);
      // Another replica notifies these.
      if (!(await this.#store.commitFanOut({ occurrence, after, notifications }))) return made;
      made += notifications.length;
      if (notifications.length > 0) this.#onNotified();
      if (after === undefined) return made;
      occurrence = { ...occurrence, after };
      // A store in this process commits without yielding.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return made;
  }
}
