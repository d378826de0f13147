import { applyAnnouncement, eventFacts, type Announcement } from './event-announcement.ts';
import type { EventStore, StoredEvent } from './event-store.ts';
import { EventView } from './event-view.ts';
import { rejectFuture, retryStale } from '../database/stale-commits.ts';
import type { Zones } from './event-times.ts';

export interface EventCatalogOptions {
  store: EventStore;
  zones: Zones;
  clock: () => number;
  origin: string;
}

export interface EventCounts {
  readonly changed: number;
  readonly skipped: number;
}

const NO_CHANGES: EventCounts = { changed: 0, skipped: 0 };

export class EventCatalog {
  readonly #options: EventCatalogOptions;
  #cachedView: EventView | undefined;
  #pendingRead: Promise<EventView> | undefined;

  constructor(options: EventCatalogOptions) {
    this.#options = options;
  }

  async view(): Promise<EventView> {
    const { store } = this.#options;
    const revision = await store.eventRevision();
    if (this.#cachedView?.revision === revision) return this.#cachedView;
    this.#pendingRead ??= this.#read().finally(() => {
      this.#pendingRead = undefined;
    });
    return this.#pendingRead;
  }

  /** Includes archived events. */
  find(id: number): Promise<StoredEvent | undefined> {
    return this.#options.store.readEvent(id);
  }

  /**
   * Applies an announcement with its facts in one commit; an older one has no effect. `past` marks a replay.
   *
   * @throws AppError `invalid` for a far-future announcement
   * @throws AppError `unavailable` when it is not durable; safe to repeat
   */
  async observe(announcement: Announcement, past: boolean): Promise<EventCounts> {
    rejectFuture('Events', [announcement.seenAt], this.#options.clock());
    return retryStale('events', () => this.#tryObserve(announcement, past));
  }

  async #read(): Promise<EventView> {
    this.#cachedView = new EventView(await this.#options.store.readEvents());
    return this.#cachedView;
  }

  async #tryObserve(announcement: Announcement, past: boolean): Promise<EventCounts | 'stale'> {
    const { store, zones, origin } = this.#options;
    const { seenAt } = announcement;
    const list = await store.readEvents();
    if (seenAt <= list.seenAt) return NO_CHANGES;
    const { put, archived, removed, withdrawn, skipped } = applyAnnouncement(list, announcement, zones);
    const changed = put.length + withdrawn.length;
    // Written even without changes: otherwise an older announcement that arrives late would win.
    const committed = await store.commitEvents({
      expectedRevision: list.revision,
      seenAt,
      changedAt: changed === 0 ? list.changedAt : seenAt,
      put,
      archived,
      removed,
      facts: eventFacts(put, withdrawn, { origin, occurredAt: seenAt, past }),
    });
    return committed ? { changed, skipped } : 'stale';
  }
}
