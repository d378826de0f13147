import { readFileSync } from 'node:fs';
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
 * Reads a typed, frozen configuration. Variables that the schema doesn't name are ignored; empty ones count as unset. What a
 * setting `X` has no value for is read from the file that `X_FILE` names: that is how secrets are mounted into containers.
 *
 * @param schema an object whose keys are the variables' names; messages of its fields read on from the name
 * @throws ConfigError with every fault at once
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Env): Readonly<z.output<S>> {
  const faults: string[] = [];
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = valueOf(name, env, faults);
    if (value !== undefined) given[name] = value;
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) faults.push(...parsed.error.issues.map(describe));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(parsed.data);
}

function valueOf(name: string, env: Env, faults: string[]): string | undefined {
  const value = env[name] ?? '';
  if (value !== '') return value;
  const file = env[`${name}_FILE`] ?? '';
  if (file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    faults.push(`${name}_FILE names a file that can't be read: ${codeOf(error)}`);
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

function describe(issue: z.core.$ZodIssue): string {
  return [...issue.path.map(String), issue.message].join(' ');
}
