import { iconStored, type EpochSeconds } from '@lobbystats/contracts';
import { rejectFuture } from '../database/stale-commits.ts';
import type { IconQueries } from './icons.queries.ts';

export interface IconObservation {
  readonly titleId: string;
  readonly seenAt: EpochSeconds;
  readonly image: Uint8Array;
}

export interface ObserveIconOptions {
  readonly store: IconQueries;
  readonly clock: () => number;
  readonly origin: string;
}

/**
 * Stores the icon of a title. Order and repetition don't matter. Returns whether the title's image is another one now.
 *
 * @throws AppError `invalid` for a far-future observation
 */
export async function observeIcon(
  { titleId, seenAt, image }: IconObservation,
  past: boolean,
  { store, clock, origin }: ObserveIconOptions,
): Promise<boolean> {
  rejectFuture('Icons', [seenAt], clock());
  const id = `${iconStored.key}:${origin}:${titleId}:${seenAt}`;
  const fact = { type: iconStored.key, id, occurredAt: seenAt, past, data: { titleId } };
  return store.put(titleId, { seenAt, image }, [fact]);
}
