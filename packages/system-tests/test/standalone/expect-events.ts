import { DAY_SECONDS, formatDate, type EpochSeconds } from '@lobbystats/contracts';
import type { World } from '@lobbystats/simulator';
import { siteClient } from './site-client.ts';

/** Events are listed until 30 days after their end; near that limit, time zones and end times decide. */
const CERTAINLY_LISTED_DAYS = 28;
const CERTAINLY_REMOVED_DAYS = 33;

/**
 * Fails unless the listed events equal those that the network announces in a slot, ordered by start.
 *
 * @param networkUrl public URL of the network
 */
export async function expectEvents(
  url: string,
  world: World,
  { slot, networkUrl }: { slot: EpochSeconds; networkUrl: string },
): Promise<void> {
  const body = await siteClient(url).listEvents();
  const listedIds = new Set(body.map(({ id }) => id));
  const [surely, over] = [CERTAINLY_LISTED_DAYS, CERTAINLY_REMOVED_DAYS].map((days) =>
    formatDate(slot - days * DAY_SECONDS),
  );
  const announced = world.eventsAt(slot).filter(({ id, event_date: day }) => {
    if (surely !== undefined && day >= surely) return true;
    return over !== undefined && day >= over && listedIds.has(id);
  });
  const picture = (path: string) => (path === '' ? '' : networkUrl + path);
  const truth = announced.map((event) => ({
    ...event,
    game_image: picture(event.game_image),
    banner_url: picture(event.banner_url),
  }));
  expect(truth.length).toBeGreaterThan(0);
  expect(body.toSorted((a, b) => a.id - b.id)).toMatchObject(truth);
  expect(body.map(({ starts_at }) => starts_at)).toEqual(body.map(({ starts_at }) => starts_at).toSorted());
}
