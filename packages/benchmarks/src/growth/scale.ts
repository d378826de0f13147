import type { SimulatorOptions } from '@lobbystats/simulator';

/** A network by its size. */
export interface Scale {
  readonly factor: number;
  readonly titles: number;
  readonly players: number;
  readonly boards: number;
  readonly entries: number;
  /** In an average slot. */
  readonly openMatches: number;
  readonly pollsPerMinute: number;
  readonly streams: number;
}

/** The simulator's default network, and larger ones. */
export function scaleOf(factor: number): Scale {
  return {
    factor,
    titles: 200 * factor,
    players: 25_000 * factor,
    boards: 3000 * factor,
    entries: 500_000 * factor,
    openMatches: 80 * factor,
    pollsPerMinute: 2000 * factor,
    streams: 500 * factor,
  };
}

export function networkOf({ titles, players, boards, entries, openMatches }: Scale): SimulatorOptions {
  return { titles, players, boards, entries, openMatches };
}
