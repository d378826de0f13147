import { operations, type EpochSeconds } from '@lobbystats/contracts';
import { notFound, route, type Route } from '@lobbystats/service-kit';
import type { EventCatalog } from './event-catalog.ts';
import { summarizeEvents, toPublicEvent, type EventFilter, type EventView } from './event-view.ts';
import type { TitleCatalog } from '../titles/title-catalog.ts';
import { eventFeed, eventFile, eventFileName } from './event-calendar.ts';

export interface EventRoutesOptions {
  events: Pick<EventCatalog, 'view' | 'find'>;
  titles: Pick<TitleCatalog, 'view'>;
  now: () => EpochSeconds;
  publicUrl: string;
}

export function eventRoutes({ events, titles, now, publicUrl }: EventRoutesOptions): Route[] {
  const find = async (filter: EventFilter) => {
    const view = await events.view();
    if (filter.titleId !== undefined) await expectTitle(view, filter.titleId);
    return { found: view.list(now(), filter), lastModified: view.changedAt };
  };
  const list = async ({ limit, ...filter }: EventFilter & { limit?: number | undefined }) => {
    const { found, lastModified } = await find(filter);
    return { body: found.slice(0, limit).map(toPublicEvent), lastModified };
  };
  const calendar = async ({ titleId }: { titleId?: string | undefined }) => {
    const { found, lastModified } = await find({ titleId });
    const name = titleId === undefined ? undefined : await nameOf(titleId);
    return { body: eventFeed(found, publicUrl, name), lastModified };
  };
  const findOne = async (id: number) => {
    const found = await events.find(id);
    if (found === undefined) throw notFound('event');
    return { found, lastModified: found.changedAt };
  };
  const nameOf = async (titleId: string) => (await titles.view()).get(titleId)?.title.name ?? titleId;
  /** An event's title may have no name yet. */
  const expectTitle = async (view: EventView, titleId: string) => {
    if (view.list(now(), { titleId }).length > 0) return;
    if ((await titles.view()).get(titleId) === undefined) throw notFound('title');
  };

  return [
    route(operations.listEvents, ({ query }) => list(query)),

    route(operations.listPaidEvents, ({ query }) => list({ ...query, paidOnly: true })),

    route(operations.getEvent, async ({ params }) => {
      const { found, lastModified } = await findOne(params.eventId);
      return { body: toPublicEvent(found), lastModified };
    }),

    route(operations.getEventCalendar, async ({ params }) => {
      const { found, lastModified } = await findOne(params.eventId);
      const body = eventFile(found, publicUrl);
      return { body, lastModified, fileName: eventFileName(found.event) };
    }),

    route(operations.getPaidEventsSummary, async () => {
      const view = await events.view();
      const at = now();
      return { body: summarizeEvents(view.list(at, { paidOnly: true }), at), lastModified: view.changedAt };
    }),

    route(operations.getEventsCalendar, ({ query }) => calendar(query)),

    route(operations.getTitleEventsCalendar, ({ params }) => calendar(params)),

    route(operations.getFollowedEventsCalendar, async ({ query: { eventIds, titleIds } }) => {
      const found = (await events.view())
        .list(now())
        .filter(({ event: { id, title_id } }) => eventIds.has(String(id)) || titleIds.has(title_id ?? 'none'));
      return { body: eventFeed(found, publicUrl, 'followed') };
    }),
  ];
}
