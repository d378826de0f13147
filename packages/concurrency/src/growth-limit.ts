/** How much a set that others fill may grow within a period. */
export interface GrowthLimit {
  /** New items that any set may get, however small it is. */
  readonly base: number;
  /** Share of the older items that may come on top. */
  readonly share: number;
}

/** New items that a set may still get, of `known` items of which `recent` came within the period. Never below 0. */
export function growthAllowance({ base, share }: GrowthLimit, { known, recent }: { known: number; recent: number }) {
  return Math.max(0, Math.floor(base + share * (known - recent)) - recent);
}
