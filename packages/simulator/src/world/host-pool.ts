import { fraction, mix, pickIndex, shufflePrime } from './hash.ts';

const { floor, max, min } = Math;

const REGULAR_LANE_SHARE = 0.5;
const REGULAR_SHARE = 1 / 7;

const MAX_CYCLE = 64;

interface Part {
  first: number;
  half: number;
  lanes: number;
  cycle: number;
}

/**
 * Assigns hosts without state so that no player hosts two matches at once: regulars and others, each in halves that
 * alternate between cycles of a keyed shuffle.
 */
export function createHostPool(seed: number, sequenceCount: number, players: number) {
  const isRegular = Uint8Array.from({ length: sequenceCount }, (_, sequence) =>
    fraction(mix(seed, sequence)) < REGULAR_LANE_SHARE ? 1 : 0,
  );
  const indexInPart = new Uint32Array(sequenceCount);
  const sequenceCounts = [0, 0];
  isRegular.forEach((part, sequence) => {
    indexInPart[sequence] = sequenceCounts[part] ?? 0;
    sequenceCounts[part] = (sequenceCounts[part] ?? 0) + 1;
  });
  const [casualSequences = 0, regularSequences = 0] = sequenceCounts;
  const regulars = partOf(0, floor(players * REGULAR_SHARE), regularSequences);
  const firstCasual = regulars.half * 2;
  const casuals = partOf(firstCasual, players - firstCasual, casualSequences);

  return {
    players: firstCasual + casuals.half * 2,
    hostOf(sequence: number, block: number): number {
      const part = isRegular[sequence] === 1 ? regulars : casuals;
      const cycle = floor(block / part.cycle);
      const position = (block - cycle * part.cycle) * part.lanes + (indexInPart[sequence] ?? 0);
      const key = mix(seed, cycle);
      const prime = shufflePrime(mix(key, 1));
      const shuffled = (position * prime + pickIndex(mix(key, 2), part.half)) % part.half;
      return part.first + (cycle & 1) * part.half + shuffled;
    },
  };
}

function partOf(first: number, size: number, sequenceCount: number): Part {
  const half = max(floor(size / 2), sequenceCount, 1);
  return { first, half, lanes: sequenceCount, cycle: min(MAX_CYCLE, max(1, floor(half / max(1, sequenceCount)))) };
}
