import type { EpochSeconds, Fact } from '@lobbystats/contracts';

export interface Icon {
  readonly seenAt: EpochSeconds;
  /** WebP. */
  readonly image: Uint8Array;
}

/** Icons of titles. Throws AppError `unavailable`. */
export interface IconStore {
  read(titleId: string): Promise<Icon | undefined>;
  /** Stores an icon unless a later one is known. An image that differs is committed with the facts. Returns whether it does. */
  put(titleId: string, icon: Icon, facts: readonly Fact[]): Promise<boolean>;
}
