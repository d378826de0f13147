import {
  activityCounts,
  compareCodePoints,
  formatInstant,
  type EpochSeconds,
  type OperationQuery,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { retained } from '../series/periods.ts';
import type { SlotQueries } from '../slots/slots.queries.ts';
import type { LobbyQueries } from './lobbies.queries.ts';

/** In seconds. */
export const LOBBIES_MAX_AGE_SECONDS = 3600;

/** A title whose page was missing keeps its last lobbies for an hour. */
export async function getLatestActivity(
  store: SlotQueries & LobbyQueries,
  { titleId: asked }: OperationQuery<typeof operations.getLatestActivity>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLatestActivity>> {
  const slot = await store.slotBefore(now + 1);
  if (slot === null || slot <= retained(now).after) return { body: { slot: null, titles: [] } };
  const [titles, lobbies] = await Promise.all([store.titlesIn(slot, asked), store.lobbiesIn(slot, asked)]);
  const unread = titles.filter((title) => title.lobbies === null).map(({ titleId }) => titleId);
  const earlier = await store.newestLobbies(unread, { after: slot - LOBBIES_MAX_AGE_SECONDS - 1, until: slot - 1 });
  const hosts = new Map(
    [...lobbies, ...earlier].map((title) => [title.titleId, title.hosts.toSorted(compareCodePoints)]),
  );
  const body = {
    slot: formatInstant(slot),
    titles: titles.map((title) => {
      const { titleId, sessions } = title;
      const lobbyHostNames = hosts.get(titleId) ?? [];
      return {
        titleId,
        ...activityCounts((name) => title[name]),
        activeLobbies: lobbyHostNames.length,
        hasActiveSession: sessions > 0,
        lobbyHostNames,
      };
    }),
  };
  return { body, lastModified: slot };
}
