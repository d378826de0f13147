import { boardPlayers, type BoardPlayers } from './board-players.ts';
import { touchesOf, positionState } from './board-changes.ts';
import { ratingScale, type RatingScale } from './board-rating.ts';
import { fraction, mix, pickIndex, shufflePrime } from './hash.ts';

const { floor } = Math;

const TWIN_SHARE = 1 / 400;

const POSITION_FACTOR = 65_536;

export interface BoardEntry {
  /** Competition ranking. */
  rank: number;
  name: string;
  rating: string;
  timeMs: number;
}

export interface BoardPlan {
  seed: number;
  isTime: boolean;
  places: number;
  players: number;
}

/** Computes one board, at a cost independent of its history. */
export function boardEntries(
  { seed, isTime, places: positionCount, players }: BoardPlan,
  changes: number,
): readonly BoardEntry[] {
  const names = boardPlayers(seed, positionCount, players);
  const scale = ratingScale(seed, isTime);
  const touches = touchesByPosition(seed, positionCount, touchesOf(changes));
  const order: number[] = [];
  for (let position = 0; position < positionCount; position += 1) {
    const state = stateOf(seed, position, touches);
    if (!state.isTaken) continue;
    const careerSeed = mix(mix(mix(seed, 31), position), state.career);
    order.push(scale.distanceOf(careerSeed, state.improvements) * POSITION_FACTOR + position);
  }
  return rankEntries(Float64Array.from(order).sort(), scale, (position) => nameOf(seed, position, touches, names));
}

function rankEntries(
  order: Float64Array,
  scale: RatingScale,
  name: (position: number) => string,
): readonly BoardEntry[] {
  const entries: BoardEntry[] = [];
  let rank = 0;
  let latest = -1;
  for (const [index, key] of order.entries()) {
    const distance = floor(key / POSITION_FACTOR);
    if (distance !== latest) rank = index + 1;
    latest = distance;
    entries.push({ rank, name: name(key % POSITION_FACTOR), ...scale.ratingAt(distance) });
  }
  return entries;
}

/** Each round of touches has another order. */
function touchesByPosition(seed: number, positionCount: number, touches: number): Uint32Array {
  const rounds = floor(touches / Math.max(1, positionCount));
  const result = new Uint32Array(positionCount).fill(rounds);
  const prime = shufflePrime(mix(seed, 41));
  const start = pickIndex(mix(mix(seed, 42), rounds), positionCount);
  for (let index = 0; index < touches - rounds * positionCount; index += 1) {
    const position = (index * prime + start) % positionCount;
    result[position] = rounds + 1;
  }
  return result;
}

function nameOf(seed: number, position: number, touches: Uint32Array, names: BoardPlayers): string {
  const holder = isTwin(seed, position) ? position - 1 : position;
  const { career, isRenamed } = stateOf(seed, holder, touches);
  return names.nameOf(holder, career, isRenamed);
}

function stateOf(seed: number, position: number, touches: Uint32Array): ReturnType<typeof positionState> {
  // The first position is never vacant; a twin repeats the name of another position.
  return positionState(mix(mix(seed, 43), position), touches[position] ?? 0, position > 0, !isTwin(seed, position));
}

function isTwin(seed: number, position: number): boolean {
  return position > 0 && fraction(mix(mix(seed, 44), position)) < TWIN_SHARE;
}
