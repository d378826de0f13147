import { formatTimestamp, type EpochSeconds, type operations, type Reply } from '@lobbystats/contracts';
import type { SiteDayQueries } from '../days/site-days.queries.ts';
import { lastDays } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { TitleQueries } from '../titles/titles.queries.ts';
import { getLatestActivity } from './activity.ts';
import type { LobbyQueries } from './lobbies.queries.ts';

const BUSIEST_GAMES = 5;
/** The homepage may lack a count for some time. */
const REGISTERED_MAX_AGE_DAYS = 30;

export type NowStore = SlotQueries & LobbyQueries & SiteDayQueries & TitleQueries;

/** The newest slot in short. Titles that the catalog doesn't know are no games. */
export async function getNow(store: NowStore, now: EpochSeconds): Promise<Reply<typeof operations.getNow>> {
  const { body: activity, lastModified: slot } = await getLatestActivity(store, {}, now);
  if (slot === undefined) {
    return { body: { slot: null, online: 0, lobbies: 0, registered: null, gamesWithPlayers: 0, busiestGames: [] } };
  }
  const [[site], registered, names] = await Promise.all([
    store.siteOnline({ after: slot - 1, until: slot }),
    store.registered(lastDays(slot, REGISTERED_MAX_AGE_DAYS)),
    store.titleNames(),
  ]);
  const nameOf = (titleId: string) => names.get(titleId) ?? '';
  const played = activity.titles.filter(({ titleId, online }) => online > 0 && nameOf(titleId) !== '');
  const busiestGames = played
    .toSorted((a, b) => b.online - a.online || b.activeLobbies - a.activeLobbies)
    .slice(0, BUSIEST_GAMES)
    .map(({ titleId, online, activeLobbies: lobbies }) => ({ titleId, gameName: nameOf(titleId), online, lobbies }));
  const body = {
    slot: formatTimestamp(slot),
    online: site?.[1] ?? 0,
    lobbies: activity.titles.reduce((sum, { activeLobbies }) => sum + activeLobbies, 0),
    registered: registered.at(-1)?.registered ?? null,
    gamesWithPlayers: played.length,
    busiestGames,
  };
  return { body, lastModified: slot };
}
