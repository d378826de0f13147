import { ApiError, type Client } from '@lobbystats/client';
import { keyOfTarget, type Target } from './browser-follows.ts';
import { onlineNews } from './news.ts';
import type { News } from './notices.ts';

/** When pages ask after a change, in milliseconds: not all at once. */
export interface Timing {
  readonly afterMs: number;
  readonly spreadMs: number;
}

/** Followed players who come online. The stream does not tell: their profiles are asked after each slot. */
export function createPresenceNews(
  api: Pick<Client, 'getProfile'>,
  { afterMs, spreadMs }: Timing,
  onNews: (news: readonly News[]) => void,
) {
  /** By player; null for one without an account, who has no presence. */
  const wasOnline = new Map<string, boolean | null>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let round = 0;

  /** One after the other. The first answer of a player is no news. */
  const ask = async (follows: readonly Target[]) => {
    round += 1;
    const own = round;
    for (const player of follows.filter(({ kind }) => kind === 'player')) {
      const key = keyOfTarget(player);
      if (wasOnline.get(key) === null) continue;
      const found = await profileOf(player.id);
      if (own !== round) return;
      if (found === null) wasOnline.set(key, null);
      if (!found) continue;
      const { lastState, currentGame } = found.playTime;
      const isOnline = lastState === 'online';
      if (isOnline && wasOnline.get(key) === false) onNews([onlineNews(player, currentGame)]);
      wasOnline.set(key, isOnline);
    }
  };
  /** Null for a player without an account; undefined while it is not known. */
  const profileOf = async (username: string) => {
    try {
      return await api.getProfile({ username });
    } catch (error) {
      return error instanceof ApiError && [400, 404].includes(error.status) ? null : undefined;
    }
  };
  const forget = () => {
    clearTimeout(timer);
    round += 1;
    wasOnline.clear();
  };
  const askSoon = (follows: readonly Target[]) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(follows), afterMs + Math.random() * spreadMs);
  };
  return { ask, askSoon, forget };
}
