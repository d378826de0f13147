import { AppError } from '@lobbystats/errors';
import { applyAnnouncement, type Announcement } from './event-announcement.ts';
import { eventFacts } from './event-facts.ts';
import type { EventStore, StoredEvent } from './event-store.ts';
import { EventView } from './event-view.ts';
import { MAX_CLOCK_SKEW_SECONDS, MAX_ATTEMPTS } from '../titles/title-catalog.ts';
import type { Zones } from './zones.ts';

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
  async find(id: number): Promise<StoredEvent | undefined> {
    return this.#options.store.readEvent(id);
  }

  /**
   * Applies an announcement with its facts in one commit; an older one has no effect. `past` marks a replay.
   *
   * @throws AppError `invalid` for a far-future announcement
   * @throws AppError `unavailable` when it is not durable; safe to repeat
   */
  async observe(announcement: Announcement, past: boolean): Promise<EventCounts> {
    if (announcement.seenAt > this.#options.clock() / 1000 + MAX_CLOCK_SKEW_SECONDS) {
      throw new AppError('invalid', 'Events were seen in the future: a clock is wrong');
    }
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const observed = await this.#tryObserve(announcement, past);
      if (observed !== 'stale') return observed;
    }
    throw new AppError('unavailable', 'Too many concurrent commits of events');
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
