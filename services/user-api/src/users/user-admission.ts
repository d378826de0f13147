import type { UserObservation } from '../play-time/user-observation.ts';
import type { ObservationsByUser, UserState } from './read-user-state.ts';

/** New users of a day that the live feed may bring. */
export const NEW_USERS = { base: 20_000, share: 0.02 };

export interface Admission {
  /** Without the new users above the limit. */
  readonly users: ObservationsByUser;
  readonly added: number;
  readonly refused: number;
}

/** Limits what a feed with ever new names adds to the store for good. */
export async function admitUsers(
  observed: ObservationsByUser,
  { users, erasedKeys }: UserState,
  allowance: () => Promise<number>,
): Promise<Admission> {
  const isNew = ({ key }: UserObservation) => !users.has(key) && !erasedKeys.has(key);
  const fresh = [...observed.values()].filter(isNew);
  if (fresh.length === 0) return { users: observed, added: 0, refused: 0 };
  const excess = new Set(fresh.slice(await allowance()).map(({ key }) => key));
  const admitted = new Map([...observed].filter(([key]) => !excess.has(key)));
  return { users: admitted, added: fresh.length - excess.size, refused: excess.size };
}
