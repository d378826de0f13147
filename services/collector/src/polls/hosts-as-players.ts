import { canonicalUsername, usernameKey, type ObservedPlayer } from '@lobbystats/contracts';
import type { SlotObservation } from '../network/slot-observation.ts';

/**
 * The hosts of open matches as users online in their games, for a network without a list of users. A host whose name can't
 * be a username is left out; one of two matches counts once, in the first title.
 */
export function hostsAsPlayers({ slot, titles }: SlotObservation): ObservedPlayer[] {
  const players = new Map<string, ObservedPlayer>();
  for (const { titleId, matches } of titles) {
    for (const { host } of matches ?? []) {
      if (!canonicalUsername.safeParse(host).success || players.has(usernameKey(host))) continue;
      const identity = { username: host, gamertag: host, verified: false };
      players.set(usernameKey(host), { ...identity, isOnline: true, titleId, game: null, lastSeenAt: slot });
    }
  }
  return [...players.values()];
}
