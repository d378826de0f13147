import { fraction, mix } from './hash.ts';
import { smoothNoise } from './noise.ts';

const { floor } = Math;

const IN_MENUS_PER_MATCH = 1.6;
const IDLE_SHARE = 0.12;

const MENU_SLOTS = 6;
const IDLE_SLOTS = 12;

const OUTAGE_SHARE = 0.03;

/** Rounded up for some stretches, so that rare titles sometimes have users. */
export function usersInMenus(seed: number, slotIndex: number, expected: number, isOutage: boolean): number {
  const swing = 0.6 + 0.8 * smoothNoise(mix(seed, 1), slotIndex, MENU_SLOTS);
  const users = expected * IN_MENUS_PER_MATCH * swing * (isOutage ? OUTAGE_SHARE : 1);
  return floor(users + fraction(mix(mix(seed, 2), floor(slotIndex / MENU_SLOTS))));
}

export function idleUsers(seed: number, slotIndex: number, inTitles: number): number {
  return floor(inTitles * IDLE_SHARE * (0.5 + smoothNoise(seed, slotIndex, IDLE_SLOTS)));
}
