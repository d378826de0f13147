import { z } from 'zod';

import { worldOptionsSchema } from './world/world-options.ts';

/** What a simulator is made from: its world, where it listens, and by what clock it goes. */
export const simulatorOptionsSchema = worldOptionsSchema.extend({
  /** The address to listen on. */
  host: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  port: z.int().min(0).max(65_535).default(0),
  /** How long each answer of the network takes, until other faults are set. */
  latencyMs: z.int().min(0).max(60_000).default(0),
  /** The bot token that Discord is to be asked with; without it any does, and none at all. */
  discordToken: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces')
    .optional(),
  /** Epoch milliseconds. */
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
  /** Gets a line when the simulator starts or stops, when its faults or its clock are set, and on a fault of its own. */
  log: z.custom<(line: string) => void>((value) => typeof value === 'function').default(() => () => undefined),
});

/** Simulator options as a caller gives them: all may be left out. */
export type SimulatorOptions = z.input<typeof simulatorOptionsSchema>;
