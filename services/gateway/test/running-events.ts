import { formatTimestamp, operations, type EpochSeconds, type PublicEvent } from '@lobbystats/contracts';
import { notFound, route } from '@lobbystats/service-kit';
import { fixedClock } from '@lobbystats/test-kit';
import { EVENT } from './catalog-responses.ts';
import { catalogRoutes, network, NEWEST } from './network.ts';
import { runGateway, startStubUpstream, type GatewayOptions, type RunningGateway } from './running-gateway.ts';

/** An event that begins at an instant. @param endsAt null: its end is not known */
export function eventAt(startsAt: EpochSeconds, endsAt: EpochSeconds | null, rest: Partial<PublicEvent>): PublicEvent {
  const [start, end] = [formatTimestamp(startsAt), endsAt === null ? null : formatTimestamp(endsAt)];
  const clock = (timestamp: string) => timestamp.slice(11, 16);
  return {
    ...EVENT,
    event_timezone: 'UTC',
    event_date: start.slice(0, 10),
    start_time: clock(start),
    end_time: end === null ? null : clock(end),
    start_date_utc: start.slice(0, 10),
    start_datetime_utc: clock(start),
    end_date_utc: end === null ? null : end.slice(0, 10),
    end_datetime_utc: end === null ? null : clock(end),
    starts_at: start,
    ends_at: end,
    ...rest,
  };
}

/** A gateway whose catalog has these events; its clock stands at {@link NEWEST}, unless it is given. */
export async function runWithEvents(
  events: PublicEvent[],
  { network: known = network(), env = {}, overrides = {}, ...rest }: GatewayOptions = {},
): Promise<RunningGateway> {
  const catalog = await startStubUpstream(
    catalogRoutes(known, [
      route(operations.listEvents, async () => ({
        body: events.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at)),
      })),
      route(operations.getEvent, async ({ params: { eventId } }) => {
        const found = events.find(({ id }) => id === eventId);
        if (found === undefined) throw notFound('event');
        return { body: found };
      }),
    ]),
  );
  return runGateway({
    network: known,
    env: { CATALOG_API_URL: catalog.url, PUBLIC_URL: 'https://stats.example', ...env },
    overrides: { clock: fixedClock(new Date(NEWEST * 1000).toISOString()), ...overrides },
    ...rest,
  });
}
