import { DailyGrowth } from '@lobbystats/service-kit/concurrency';
import type { AnnouncedEvent } from '@lobbystats/contracts';
import { applyAnnouncement, eventFacts, type Announcement } from './event-announcement.ts';
import type { EventList, EventQueries, StoredEvent } from './events.queries.ts';
import { EventView } from './event-view.ts';
import { rejectFuture, retryStale } from '../commits/commits.ts';
import type { Zones } from './event-times.ts';

export interface EventCatalogOptions {
  store: EventQueries;
  zones: Zones;
  clock: () => number;
  origin: string;
}

export interface EventCounts {
  readonly changed: number;
  readonly skipped: number;
  /** New events above the limit of a day. */
  readonly refused: number;
}

const NO_CHANGES: EventCounts = { changed: 0, skipped: 0, refused: 0 };

/** New events of a day: networks announce some a week. */
const NEW_EVENTS = { base: 100, share: 0.1 };

export class EventCatalog {
  readonly #options: EventCatalogOptions;
  readonly #growth: DailyGrowth;
  #cachedView: EventView | undefined;
  #pendingRead: Promise<EventView> | undefined;

  constructor(options: EventCatalogOptions) {
    this.#options = options;
    this.#growth = new DailyGrowth(NEW_EVENTS, options.clock);
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
    const admitted = this.#admit(list, announcement.events.map(withinBounds));
    const bounded = { ...announcement, events: admitted.events };
    const { put, archived, removed, withdrawn, skipped } = applyAnnouncement(list, bounded, zones);
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
    if (!committed) return 'stale';
    this.#growth.record(admitted.added);
    return { changed, skipped, refused: announcement.events.length - admitted.events.length };
  }

  /** Archived events are kept for good, so new ones are limited. All of the first announcement are new. */
  #admit({ seenAt, events: stored }: EventList, events: readonly AnnouncedEvent[]) {
    if (seenAt === 0) return { events, added: 0 };
    const known = new Set(stored.map(({ event }) => event.id));
    const fresh = events.filter(({ id }) => !known.has(id));
    const excess = new Set(fresh.slice(this.#growth.allowance(stored.length)));
    return { events: events.filter((event) => !excess.has(event)), added: fresh.length - excess.size };
  }
}

/** UTF-16 units. Longer texts are cut; longer URLs lead nowhere. */
const TEXT_MAX = 200;
const DESCRIPTION_MAX = 5000;
const URL_MAX = 2048;

function withinBounds(event: AnnouncedEvent): AnnouncedEvent {
  const { title, game_name: game, game_image: image, banner_url: banner, description } = event;
  const { tournament_status: status, prize_amount: prize, sponsor_name: sponsor } = event;
  return {
    ...event,
    title: cut(title),
    game_name: cut(game),
    game_image: image.length > URL_MAX ? '' : image,
    banner_url: banner.length > URL_MAX ? '' : banner,
    description: cut(description, DESCRIPTION_MAX),
    tournament_status: status && cut(status),
    prize_amount: prize && cut(prize),
    sponsor_name: sponsor && cut(sponsor),
  };
}

function cut(text: string, max = TEXT_MAX): string {
  return text.length <= max ? text : text.slice(0, max).toWellFormed();
}
