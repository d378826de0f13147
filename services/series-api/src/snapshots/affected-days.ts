import type { EpochSeconds } from '@lobbystats/contracts';
import { MATCH_END_MAX_SECONDS } from '../matches/read-slots.ts';
import { dayOf } from './periods.ts';

/** The slot's day, and the next one if the slot joins or cuts a match that goes on there. */
export function affectedDays(slots: Iterable<EpochSeconds>): EpochSeconds[] {
  const days = new Set<EpochSeconds>();
  for (const slot of slots) days.add(dayOf(slot)).add(dayOf(slot + MATCH_END_MAX_SECONDS));
  return [...days].sort((a, b) => a - b);
}
