/** Sizes of a network and of its audience. */
export interface NetworkSize {
  readonly titles: number;
  readonly players: number;
  /** Leaderboards. */
  readonly boards: number;
  /** Entries of all leaderboards together. */
  readonly entries: number;
  /** In an average slot. */
  readonly openMatches: number;
  /** Clients that each send one request a minute. */
  readonly clients: number;
  /** Live streams. */
  readonly streams: number;
  /** `COLLECTOR_MAX_RPS`: of all collectors together. */
  readonly maxRps: number;
}

/** The simulator's default network. */
export const DEFAULT_SIZE: NetworkSize = {
  ...{ titles: 200, players: 25_000, boards: 3000, entries: 500_000, openMatches: 80 },
  ...{ clients: 2000, streams: 500, maxRps: 20 },
};

/** The default network with every size `factor` times as large, at the same request rate. */
export function timesDefault(factor: number): NetworkSize {
  const { maxRps, ...growing } = DEFAULT_SIZE;
  const grown = Object.fromEntries(Object.entries(growing).map(([name, count]) => [name, count * factor]));
  return { ...(grown as Omit<NetworkSize, 'maxRps'>), maxRps };
}
