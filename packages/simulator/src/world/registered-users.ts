import { fraction, mix } from './hash.ts';

const SLOTS_PER_DAY = 288;

/** 1 January 2019. */
const REFERENCE_DAY = 17_897;
const REFERENCE_SHARE = 0.4;
const DAILY_SHARE = 0.0002;

/** Never decreases. */
export function registeredUsers(seed: number, players: number, slotIndex: number): number {
  const day = Math.floor(slotIndex / SLOTS_PER_DAY);
  const dayShare = slotIndex / SLOTS_PER_DAY - day;
  const atMidnight = countAt(seed, players, day);
  return Math.floor(atMidnight + (countAt(seed, players, day + 1) - atMidnight) * dayShare);
}

function countAt(seed: number, players: number, day: number): number {
  const reference = players * REFERENCE_SHARE;
  const daily = players * DAILY_SHARE;
  const age = day - REFERENCE_DAY;
  if (age <= 0) return reference * Math.exp((age * daily) / reference);
  return reference + daily * (age + fraction(mix(seed, day)) / 2);
}
