import type { Asker, OwnerAnswer, Values } from '../domain/owners.ts';

interface Asked {
  readonly params: Values;
  readonly query: Values;
}

/**
 * Composes an answer from those of several upstreams.
 *
 * @throws AppError as owners do; when one of several can't answer there is none
 */
export type Composition = (asked: Asked, owners: Asker) => Promise<OwnerAnswer>;
