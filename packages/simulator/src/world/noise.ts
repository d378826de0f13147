import { fraction, mix } from './hash.ts';

const { floor } = Math;

/**
 * Smooth noise from 0 to 1 over slots: one random value each `period` slots, eased between. The same `seed` and
 * `slotIndex` give the same value, and neighbouring slots give neighbouring ones.
 */
export function smoothNoise(seed: number, slotIndex: number, period: number): number {
  const cell = floor(slotIndex / period);
  const within = slotIndex / period - cell;
  const eased = within * within * (3 - 2 * within);
  const left = fraction(mix(seed, cell));
  const right = fraction(mix(seed, cell + 1));
  return left + (right - left) * eased;
}

/** The remainder of a floored division: never negative, so that time before an epoch folds as time after it. */
export function floorModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
