import { fraction, mix } from './hash.ts';
import { smoothNoise } from './noise.ts';

const { floor } = Math;

/** People in a game's menus for each open match of an average slot. */
const IN_MENUS_PER_MATCH = 1.6;
const IDLE_SHARE = 0.12;

/** A person stays in a menu for about half an hour, on the site's pages for an hour. */
const MENU_SLOTS = 6;
const IDLE_SLOTS = 12;

/** What is left of usual numbers in an outage. */
const OUTAGE_SHARE = 0.03;

/**
 * People who are in a title without being in a match: `expected` is the number of open matches that one would expect
 * just now. A fraction is rounded up for some stretches of time and down for others, so that a title that hardly
 * anyone plays has somebody now and then.
 */
export function usersInMenus(seed: number, slotIndex: number, expected: number, isOutage: boolean): number {
  const swing = 0.6 + 0.8 * smoothNoise(mix(seed, 1), slotIndex, MENU_SLOTS);
  const users = expected * IN_MENUS_PER_MATCH * swing * (isOutage ? OUTAGE_SHARE : 1);
  return floor(users + fraction(mix(mix(seed, 2), floor(slotIndex / MENU_SLOTS))));
}

/** People who are online without being in any title, where `inTitles` are in one. */
export function idleUsers(seed: number, slotIndex: number, inTitles: number): number {
  return floor(inTitles * IDLE_SHARE * (0.5 + smoothNoise(seed, slotIndex, IDLE_SLOTS)));
}
