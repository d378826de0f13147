import { defaultWorld, type SimulatorOptions } from '@lobbystats/simulator';

/** A network by its size. */
export interface Scale {
  readonly factor: number;
  readonly titles: number;
  readonly players: number;
  readonly boards: number;
  readonly entries: number;
  /** In an average slot. */
  readonly openMatches: number;
}

/** The simulator's default network, and larger ones. */
export function scaleOf(factor: number): Scale {
  return {
    factor,
    titles: defaultWorld.titles * factor,
    players: defaultWorld.players * factor,
    boards: defaultWorld.boards * factor,
    entries: defaultWorld.entries * factor,
    openMatches: defaultWorld.openMatches * factor,
  };
}

export function networkOf({ titles, players, boards, entries, openMatches }: Scale): SimulatorOptions {
  return { titles, players, boards, entries, openMatches };
}
