import { fraction, mix } from './hash.ts';

const { floor } = Math;

/** Noise from 0 to 1, one random value every `period` slots, eased between. */
export function smoothNoise(seed: number, slotIndex: number, period: number): number {
  const cell = floor(slotIndex / period);
  const within = slotIndex / period - cell;
  const eased = within * within * (3 - 2 * within);
  const left = fraction(mix(seed, cell));
  const right = fraction(mix(seed, cell + 1));
  return left + (right - left) * eased;
}

/** Never negative. */
export function floorModulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
