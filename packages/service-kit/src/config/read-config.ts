import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { RENAMED_SETTINGS } from './renamed-settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Invalid settings. The message has one line per fault, `NAME must be …`, and never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Reads an unset or empty `X` from the file named by `X_FILE`, as containers mount secrets. @throws ConfigError */
export function readConfig<S extends z.ZodObject>(schema: S, env: Env): Readonly<z.output<S>> {
  const faults: string[] = [];
  const rawValues: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = valueOf(name, env, faults);
    if (value !== undefined) rawValues[name] = value;
  }
  faults.push(...renamedIn(schema, env));
  const parsed = schema.safeParse(rawValues);
  if (!parsed.success) faults.push(...parsed.error.issues.map(describe));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(parsed.data);
}

function renamedIn(schema: z.ZodObject, env: Env): string[] {
  return Object.entries(RENAMED_SETTINGS)
    .filter(([, name]) => name in schema.shape)
    .flatMap(([old, name]) => ['', '_FILE'].map((suffix) => [old + suffix, name + suffix] as const))
    .filter(([old]) => (env[old] ?? '') !== '')
    .map(([old, name]) => `${old} has been renamed: set ${name} to its value`);
}

function valueOf(name: string, env: Env, faults: string[]): string | undefined {
  const value = env[name] ?? '';
  if (value !== '') return value;
  const file = env[`${name}_FILE`] ?? '';
  if (file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    faults.push(`${name}_FILE names a file that can't be read: ${String((error as NodeJS.ErrnoException).code)}`);
    return undefined;
  }
}

function describe(issue: z.core.$ZodIssue): string {
  return [...issue.path.map(String), issue.message].join(' ');
}
