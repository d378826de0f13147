import { z } from 'zod';

/** Leaves enough of the 4,096,000 gamertags for pools that are raised to what the most matches need. */
const MOST_PLAYERS = 3_000_000;

const count = (least: number, most: number, usual: number) => z.int().min(least).max(most).default(usual);

/** What a simulated world is made from. The same options give the same world. */
export const worldOptionsSchema = z.strictObject({
  /** Any text or number; the number 7 and the text `7` are the same seed. */
  seed: z.union([z.string(), z.number()]).default(1),
  /** How many titles there are; from 12 on, three of the places are for titles that come and go. */
  titles: count(1, 50_000, 200),
  /** How many leaderboards all titles have together. */
  boards: count(0, 5_000_000, 3_000),
  /** About how many entries all leaderboards have together. */
  entries: count(0, 50_000_000, 500_000),
  /** About which part of the leaderboards changes in an hour. */
  boardChanges: z.number().min(0).max(1).default(0.01),
  /** How many gamertags there are. Raised where more are needed so that nobody hosts two matches at a time. */
  players: count(1, MOST_PLAYERS, 25_000),
  /** How many matches are open in an average slot. */
  openMatches: z.number().min(0).max(100_000).default(80),
  /** How unevenly titles are played: the exponent of Zipf's law; 0 makes all alike. */
  skew: z.number().min(0).max(3).default(1.1),
});

/** World options as a caller gives them: all may be left out. */
export type WorldOptions = z.input<typeof worldOptionsSchema>;
