import type { SeriesStore } from '../src/open-store.ts';
import { HARBOR, NOW, RALLY } from './observations.ts';

const EVER = { after: 0, until: NOW * 2 };
const TITLES = [HARBOR, RALLY];

/** All readable data of the site and two titles, in an order that is the same for every store. */
export async function stateOf(store: SeriesStore) {
  const sites = await store.siteSnapshots(EVER);
  return {
    sites,
    titles: await Promise.all(sites.map(({ slot }) => store.titlesIn(slot))),
    lobbies: (await store.newestLobbies(TITLES, EVER))
      .map(({ titleId, hosts }) => [titleId, hosts.toSorted()])
      .toSorted(),
    matches: await Promise.all(TITLES.map((id) => store.matches(id, EVER, { limit: Infinity, offset: 0 }))),
    days: await Promise.all(TITLES.map((id) => store.titleDays(id, EVER))),
    registered: await store.registered(EVER),
    siteDays: await store.siteDays(EVER),
    records: await Promise.all(TITLES.map((id) => store.titleRecords(id))),
  };
}
