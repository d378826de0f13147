import { fraction, mix, pickIndex, floorModulo } from './hash.ts';

const LAUNCH_EVERY_SLOTS = 20 * 288;
const JITTER_SLOTS = LAUNCH_EVERY_SLOTS / 3;
const MIN_LIFETIME_SLOTS = 2.2 * LAUNCH_EVERY_SLOTS;
const LIFETIME_SPREAD_SLOTS = 0.3 * LAUNCH_EVERY_SLOTS;

export const TEMPORARY_SEATS = 3;

const SEASON_SLOTS = 13 * 288;
const SEASONS = ['Ember', 'Frost', 'Monsoon', 'Harvest', 'Eclipse', 'Thaw', 'Equinox', 'Gale'];

export interface TitleLifetime {
  number: number;
  seat: number;
  fromInclusive: number;
  untilExclusive: number;
}

export function activeLifetimes(seed: number, slotIndex: number): readonly TitleLifetime[] {
  const newest = newestLaunch(seed, slotIndex);
  const lives: TitleLifetime[] = [];
  for (let number = Math.max(0, newest - TEMPORARY_SEATS + 1); number <= newest; number += 1) {
    const life = lifetimeOf(seed, number);
    if (life.fromInclusive <= slotIndex && slotIndex < life.untilExclusive) lives.push(life);
  }
  return lives;
}

/** Undefined before the first one. */
export function lifetimeByResidue(
  seed: number,
  slotIndex: number,
  residue: number,
  modulus: number,
): TitleLifetime | undefined {
  const newest = newestLaunch(seed, slotIndex);
  const latest = lifetimeOf(seed, newest - floorModulo(newest - residue, modulus));
  const launched = latest.fromInclusive <= slotIndex ? latest : lifetimeOf(seed, latest.number - modulus);
  return launched.number < 0 ? undefined : launched;
}

export function seasonNumber(seed: number, slotIndex: number): number {
  return Math.floor((slotIndex + pickIndex(mix(seed, 3), SEASON_SLOTS)) / SEASON_SLOTS);
}

export function seasonName(number: number): string {
  return SEASONS[floorModulo(number, SEASONS.length)] ?? '';
}

function newestLaunch(seed: number, slotIndex: number): number {
  return Math.floor((slotIndex - phaseOf(seed)) / LAUNCH_EVERY_SLOTS);
}

function lifetimeOf(seed: number, number: number): TitleLifetime {
  const hash = mix(mix(seed, 5), number);
  const jitter = pickIndex(mix(hash, 1), JITTER_SLOTS);
  const fromInclusive = number * LAUNCH_EVERY_SLOTS + phaseOf(seed) + jitter;
  const life = Math.floor(MIN_LIFETIME_SLOTS + fraction(mix(hash, 2)) * LIFETIME_SPREAD_SLOTS);
  return { number, seat: floorModulo(number, TEMPORARY_SEATS), fromInclusive, untilExclusive: fromInclusive + life };
}

function phaseOf(seed: number): number {
  return pickIndex(mix(seed, 4), LAUNCH_EVERY_SLOTS);
}
