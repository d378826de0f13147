import { z } from 'zod';

const count = z.int().nonnegative();

/** Counts about matches and lobbies, each with the sense it has wherever an answer, a fact or the stream shows it. */
export const openLobbies = count.meta({
  description: 'Lobbies that were open at once in that snapshot; with buckets their rounded mean',
});
export const matchesBegun = count.meta({ description: 'Matches that began on that UTC day, however long they lasted' });
export const maxPlayers = count.meta({ description: 'How many players the lobby admits; 0 = unknown' });
export const matchPeakPlayers = count.meta({ description: 'Most players of this one match in any snapshot' });
export const summedPeakPlayers = count.meta({
  description: 'Most players in one snapshot, summed over all hosts of the game that were open at once',
});

/** @param when the time that is counted, as "that UTC day" */
export function uniqueHosts(when: string) {
  return count.meta({ description: `Different hosts with an open lobby in any snapshot of ${when}; each counts once` });
}
