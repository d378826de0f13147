import { fraction, mix, pickIndex } from './hash.ts';
import { shufflePrime } from './shuffle-prime.ts';

const { floor, max, min } = Math;

const REGULAR_LANE_SHARE = 0.5;
const REGULAR_SHARE = 1 / 7;

const MAX_CYCLE = 64;

export interface HostPool {
  players: number;
  hostOf(lane: number, block: number): number;
}

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
export function createHostPool(seed: number, lanes: number, players: number): HostPool {
  const isRegular = Uint8Array.from({ length: lanes }, (_, lane) =>
    fraction(mix(seed, lane)) < REGULAR_LANE_SHARE ? 1 : 0,
  );
  const indexInPart = new Uint32Array(lanes);
  const laneCounts = [0, 0];
  isRegular.forEach((part, lane) => {
    indexInPart[lane] = laneCounts[part] ?? 0;
    laneCounts[part] = (laneCounts[part] ?? 0) + 1;
  });
  const [casualLanes = 0, regularLanes = 0] = laneCounts;
  const regulars = partOf(0, floor(players * REGULAR_SHARE), regularLanes);
  const firstCasual = regulars.half * 2;
  const casuals = partOf(firstCasual, players - firstCasual, casualLanes);

  return {
    players: firstCasual + casuals.half * 2,
    hostOf(lane, block) {
      const part = isRegular[lane] === 1 ? regulars : casuals;
      const cycle = floor(block / part.cycle);
      const place = (block - cycle * part.cycle) * part.lanes + (indexInPart[lane] ?? 0);
      const key = mix(seed, cycle);
      const prime = shufflePrime(mix(key, 1));
      const shuffled = (place * prime + pickIndex(mix(key, 2), part.half)) % part.half;
      return part.first + (cycle & 1) * part.half + shuffled;
    },
  };
}

function partOf(first: number, size: number, lanes: number): Part {
  const half = max(floor(size / 2), lanes, 1);
  return { first, half, lanes, cycle: min(MAX_CYCLE, max(1, floor(half / max(1, lanes)))) };
}
