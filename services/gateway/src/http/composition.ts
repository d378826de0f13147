import type { Asker, OwnerAnswer, Values } from '../domain/owners.ts';

/** What a request asks of the gateway itself. */
interface Asked {
  /** Validated. */
  readonly params: Values;
  /** Canonical: see `canonicalQuery`. */
  readonly query: Values;
}

/**
 * An answer put together from those of owners.
 *
 * @throws AppError as owners do; when one of several can't answer there is none
 */
export type Composition = (asked: Asked, owners: Asker) => Promise<OwnerAnswer>;
