import { fraction, mix, pickIndex } from './hash.ts';
import { shufflePrime } from './shuffle-prime.ts';

const { floor, max, min } = Math;

/** Half of the lanes are hosted by a seventh of the players: regulars, whom one meets again. */
const REGULAR_LANES = 0.5;
const REGULAR_SHARE = 1 / 7;

/** After this many blocks a pool is shuffled anew, be it used up or not. */
const LONGEST_CYCLE = 64;

/** Who hosts in a lane's block. */
export interface HostPool {
  /** How many players there are: as many as asked for, or as many as the lanes need. */
  players: number;
  /** A player's number. No two lanes have one player in blocks whose numbers differ by 1 at most. */
  hostOf(lane: number, block: number): number;
}

interface Part {
  first: number;
  half: number;
  lanes: number;
  cycle: number;
}

/**
 * Gives each lane and block a host so that no player hosts two matches at a time, without remembering anything. The
 * players are parted into regulars and others, each part into halves that take turns: within one turn ("cycle") every
 * lane and block has a player of its own by a keyed shuffle, and lanes that already are in the next turn draw from the
 * other half.
 */
export function createHostPool(seed: number, lanes: number, players: number): HostPool {
  const isRegular = Uint8Array.from({ length: lanes }, (_, lane) =>
    fraction(mix(seed, lane)) < REGULAR_LANES ? 1 : 0,
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
  return { first, half, lanes, cycle: min(LONGEST_CYCLE, max(1, floor(half / max(1, lanes)))) };
}
