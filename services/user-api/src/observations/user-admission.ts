import type { EpochSeconds } from '@lobbystats/contracts';
import type { UserObservation } from './user-observation.ts';
import type { ObservationsByUser, UserState } from './read-user-state.ts';

/** New users of a day that the live feed may bring. */
export const NEW_USERS = { base: 20_000, share: 0.02 };

export interface Admission {
  /** Without the new users above the limit, and those who would retire at once. */
  readonly users: ObservationsByUser;
  readonly added: number;
  readonly refused: number;
}

interface AdmissionLimits {
  /** Number of new users that may come. */
  readonly allowance: () => Promise<number>;
  /** New users last seen before this, without play time, are ignored. */
  readonly unseenSince: EpochSeconds;
}

/** Limits what a feed with ever new names adds to the store. */
export async function admitUsers(
  observed: ObservationsByUser,
  { users, erasedKeys }: UserState,
  { allowance, unseenSince }: AdmissionLimits,
): Promise<Admission> {
  const isNew = ({ key }: UserObservation) => !users.has(key) && !erasedKeys.has(key);
  const isUnseen = ({ claims, snapshot }: UserObservation) => claims.size === 0 && snapshot.presence.at < unseenSince;
  const [unseen, fresh] = partition([...observed.values()].filter(isNew), isUnseen);
  if (fresh.length + unseen.length === 0) return { users: observed, added: 0, refused: 0 };
  const excess = fresh.length === 0 ? [] : fresh.slice(await allowance());
  const left = new Set([...unseen, ...excess].map(({ key }) => key));
  const admitted = new Map([...observed].filter(([key]) => !left.has(key)));
  return { users: admitted, added: fresh.length - excess.length, refused: excess.length };
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [passed: Item[], failed: Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
