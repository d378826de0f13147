import { z } from 'zod';
import { DESIGN_COUNT } from './pages/designs.ts';

const MAX_PLAYERS = 3_000_000;

const count = (least: number, most: number, usual: number) => z.int().min(least).max(most).default(usual);

export const worldOptionsSchema = z.strictObject({
  seed: z.union([z.string(), z.number()]).default(1),
  titles: count(1, 50_000, 200),
  boards: count(0, 5_000_000, 3_000),
  entries: count(0, 50_000_000, 500_000),
  boardChanges: z.number().min(0).max(1).default(0.01),
  players: count(1, MAX_PLAYERS, 25_000),
  openMatches: z.number().min(0).max(100_000).default(80),
  skew: z.number().min(0).max(3).default(1.1),
});

/** The site design that a seed chooses. */
export function designOfSeed(seed: number): number {
  return seed % (DESIGN_COUNT + 1);
}

/** The default network. */
export const defaultWorld = worldOptionsSchema.parse({});

export type WorldOptions = z.input<typeof worldOptionsSchema>;

export const simulatorOptionsSchema = worldOptionsSchema.extend({
  /** Markup of the pages: 0 is the classic one. */
  design: z.int().min(0).max(DESIGN_COUNT).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(0),
  latencyMs: z.int().min(0).max(60_000).default(0),
  discordToken: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
    .optional(),
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
  log: z.custom<(line: string) => void>((value) => typeof value === 'function').default(() => () => undefined),
});

export type SimulatorOptions = z.input<typeof simulatorOptionsSchema>;
