import {
  compareCodePoints,
  formatInstant,
  type EpochSeconds,
  type operations,
  type Reply,
} from '@lobbystats/contracts';
import { reply } from './reply.ts';
import { retained } from './periods.ts';
import type { SeriesReader } from './series-reader.ts';

/** In seconds. */
const LOBBIES_MAX_AGE_SECONDS = 3600;

/** A title whose page was missing keeps its last lobbies for an hour. */
export async function getLatestActivity(
  store: Pick<SeriesReader, 'slotBefore' | 'titlesIn' | 'newestLobbies'>,
  now: EpochSeconds,
): Promise<Reply<typeof operations.getLatestActivity>> {
  const slot = await store.slotBefore(now + 1);
  if (slot === null || slot <= retained(now).after) return { body: { slot: null, titles: [] } };
  const [titles, lobbies] = await Promise.all([
    store.titlesIn(slot),
    store.newestLobbies({ after: slot - LOBBIES_MAX_AGE_SECONDS - 1, until: slot }),
  ]);
  const hosts = new Map(lobbies.map((title) => [title.titleId, title.hosts.toSorted(compareCodePoints)]));
  const body = {
    slot: formatInstant(slot),
    titles: titles.map(({ titleId, online, sessions, players }) => {
      const lobbyHostNames = hosts.get(titleId) ?? [];
      return {
        titleId,
        online,
        activeLobbies: lobbyHostNames.length,
        hasActiveSession: sessions > 0,
        sessionCount: sessions,
        activeLobbyPlayers: players,
        lobbyHostNames,
      };
    }),
  };
  return reply(body, slot);
}
