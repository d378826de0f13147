import {
  createFacts,
  nameKey,
  playerRanked,
  RANKS_PER_FACT,
  type Fact,
  type FactMetadata,
  type ObservedEntry,
} from '@lobbystats/contracts';
import type { BoardKey } from '../boards/board.ts';
import { splitBySize } from '../commits/commits.ts';

export interface PlayerRank extends BoardKey {
  readonly gamertag: string;
  readonly rank: number | null;
  /** The leaderboard was not known before. */
  readonly isFirst?: boolean;
}

export function bestRanks(entries: readonly Pick<ObservedEntry, 'name' | 'rank'>[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const { name, rank } of entries) {
    const key = nameKey(name);
    const known = best.get(key);
    if (known === undefined || rank < known) best.set(key, rank);
  }
  return best;
}

export function movedRanks(
  before: readonly ObservedEntry[],
  after: readonly ObservedEntry[],
): Map<string, number | null> {
  const [old, now] = [bestRanks(before), bestRanks(after)];
  const moved = new Map<string, number | null>();
  for (const [key, rank] of now) if (old.get(key) !== rank) moved.set(key, rank);
  for (const key of old.keys()) if (!now.has(key)) moved.set(key, null);
  return moved;
}

/** Ranks of a leaderboard that becomes known are of the past: they may be of long ago. */
export function rankFacts(ranks: readonly PlayerRank[], about: FactMetadata): Fact[] {
  const batchesOf = (isFirst: boolean) =>
    splitBySize(
      ranks.filter((rank) => (rank.isFirst === true) === isFirst),
      RANKS_PER_FACT,
    );
  const [live, first] = [batchesOf(false), batchesOf(true)];
  const data = [...live, ...first].map((some) => ({
    revision: about.revision,
    ranks: some.map(({ isFirst: _isFirst, ...rank }) => rank),
  }));
  const facts = createFacts(playerRanked, data, about);
  return facts.map((fact, index) => ({ ...fact, past: about.past || index >= live.length }));
}
