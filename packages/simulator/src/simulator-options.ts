import { z } from 'zod';
import { worldOptionsSchema } from './world/world-options.ts';

export const simulatorOptionsSchema = worldOptionsSchema.extend({
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
