import { followKey, usernameKey, type EpochSeconds, type ObservedPlayer } from '@lobbystats/contracts';
import { findErasedKeys, type NameHash } from '../users/erased-users.ts';
import type { UserStore } from '../users/user-store.ts';
import type { Presence } from '../users/user-record.ts';
import type { Occurrence } from './follow-store.ts';
import { presenceOccurrence } from './occurrences.ts';

/** A player who was last seen longer ago comes online again. After polls this far apart nobody does: none was looked for. */
const ABSENCE_SECONDS = 900;

export interface Poll {
  readonly at: EpochSeconds;
  /** Time of the poll before; undefined: none is known. */
  readonly previousAt?: EpochSeconds | undefined;
  readonly players: readonly Pick<ObservedPlayer, 'username' | 'gamertag' | 'isOnline' | 'titleId' | 'game'>[];
}

/** The names by which a player can be followed: username and gamertag. */
function targetsOf({ username, gamertag }: Pick<ObservedPlayer, 'username' | 'gamertag'>): Set<string> {
  return new Set([username, gamertag].flatMap((name) => followKey('player', name) ?? []));
}

export function playersOf(polls: readonly Poll[]): Set<string> {
  return new Set(polls.flatMap(({ players }) => players.flatMap((player) => [...targetsOf(player)])));
}

/** Returns followed players who are online now and were not before, in order of time. The feed has erased users, too. */
export async function cameOnline(
  polls: readonly Poll[],
  followed: ReadonlySet<string>,
  store: Pick<UserStore, 'users' | 'findErased'>,
  nameHash: Pick<NameHash, 'user'>,
): Promise<Occurrence[]> {
  const sightings = polls
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, previousAt = -Infinity, players }) =>
      players.map((player) => ({ at, isAfterGap: at - previousAt > ABSENCE_SECONDS, player })),
    )
    .filter(({ player }) => !targetsOf(player).isDisjointFrom(followed));
  const keys = [...new Set(sightings.map(({ player }) => usernameKey(player.username)))];
  const stored = await store.users(keys);
  const absent = keys.filter((key) => !stored.has(key));
  const erased = await findErasedKeys(absent, (key) => nameHash.user(key), store);
  const presences = new Map<string, Presence | undefined>();
  for (const [key, { presence }] of stored) presences.set(key, presence);
  const found: Occurrence[] = [];
  for (const { at, isAfterGap, player } of sightings) {
    const key = usernameKey(player.username);
    if (erased.has(key)) continue;
    const before = presences.get(key);
    if (before !== undefined && before.at >= at) continue;
    const { isOnline, titleId, game } = player;
    presences.set(key, { at, isOnline, titleId, game });
    const wasOnline = before?.isOnline === true && at - before.at <= ABSENCE_SECONDS;
    if (!isOnline || wasOnline || isAfterGap) continue;
    for (const target of targetsOf(player).intersection(followed)) found.push(presenceOccurrence(player, target, at));
  }
  return found;
}
