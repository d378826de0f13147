import type { z } from 'zod';

/** Environment variables, or what stands in for them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Settings that can't be used. Its message has a line for every fault, `NAME what it must be`, and no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Reads a typed, frozen configuration. Variables that the schema doesn't name are ignored; empty ones count as unset.
 *
 * @param schema an object whose keys are the variables' names; messages of its fields read on from the name
 * @throws ConfigError with every fault at once
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Env): Readonly<z.output<S>> {
  const given = Object.entries(env).filter(([name, value]) => Object.hasOwn(schema.shape, name) && value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(describe));
  return Object.freeze(parsed.data);
}

function describe(issue: z.core.$ZodIssue): string {
  return [...issue.path.map(String), issue.message].join(' ');
}
