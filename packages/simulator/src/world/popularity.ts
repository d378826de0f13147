import { fraction, mix } from './hash.ts';

const AWKWARD_SEATS = 20;
const AWKWARD_HEAD_START = 0.5;
const EVENTFUL_HEAD_START = 0.15;

/** Zipf's law over a shuffled ranking that favours eventful seats; 0 makes all equal. */
export function popularity(seed: number, seats: number, skew: number, eventful: ReadonlySet<number>): Float64Array {
  const ranking = Array.from({ length: seats }, (_, seat) => ({ seat, place: sortKeyOf(seed, seat, eventful) }));
  ranking.sort((one, other) => one.place - other.place);
  const shares = new Float64Array(seats);
  ranking.forEach(({ seat }, rank) => (shares[seat] = 1 / (rank + 1) ** skew));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

function sortKeyOf(seed: number, seat: number, eventful: ReadonlySet<number>): number {
  const sortKey = fraction(mix(seed, seat));
  if (eventful.has(seat)) return sortKey * EVENTFUL_HEAD_START;
  return seat < AWKWARD_SEATS ? sortKey * AWKWARD_HEAD_START : sortKey;
}
