import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';

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

/** Where Docker and Compose mount secrets, each in a file of its name. */
export const SECRETS = '/run/secrets';

/**
 * Reads an unset or empty `X` from the file named by `X_FILE`, or from the secret `X`. `$(Y)` in a value is the value of Y, as Kubernetes
 * writes it; percent-encoded in a URL.
 *
 * @param secrets the directory of secrets
 * @throws ConfigError
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Env, secrets = SECRETS): Readonly<z.output<S>> {
  const faults: string[] = [];
  const rawValues: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = valueOf(name, env, faults, secrets);
    if (value !== undefined) rawValues[name] = value;
  }
  const parsed = schema.safeParse(rawValues);
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => describe(issue, env, secrets)));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return Object.freeze(parsed.data);
}

/** The file that a setting's value is read from; undefined where the environment has the value itself, or none has. */
export function sourceOf(name: string, env: Env, secrets = SECRETS): string | undefined {
  if ((env[name] ?? '') !== '') return undefined;
  const file = (env[`${name}_FILE`] ?? '') || join(secrets, name);
  return existsSync(file) ? file : undefined;
}

/** Whether a setting has a value, or a file that has it. */
export function isSet(name: string, env: Env): boolean {
  return textOf(name, env, [], SECRETS) !== undefined;
}

function valueOf(name: string, env: Env, faults: string[], secrets: string): string | undefined {
  const value = textOf(name, env, faults, secrets);
  const isUrl = value?.includes('://') === true;
  return value?.replace(/\$\(([A-Z][A-Z_0-9]*)\)/g, (reference, other: string) => {
    const text = other === name ? undefined : textOf(other, env, faults, secrets);
    if (text === undefined) faults.push(`${name} refers to ${other}, which is not set`);
    return text === undefined ? reference : isUrl ? encodeURIComponent(text) : text;
  });
}

function textOf(name: string, env: Env, faults: string[], secrets: string): string | undefined {
  const value = env[name] ?? '';
  if (value !== '') return value;
  const file = env[`${name}_FILE`] ?? '';
  try {
    return readFileSync(file === '' ? join(secrets, name) : file, 'utf8').trim() || undefined;
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (file !== '') faults.push(`${name}_FILE names a file that can't be read: ${code}`);
    else if (!['ENOENT', 'ENOTDIR'].includes(code)) faults.push(`${join(secrets, name)} can't be read: ${code}`);
    return undefined;
  }
}

function describe({ path, message }: z.core.$ZodIssue, env: Env, secrets: string): string {
  const file = sourceOf(String(path[0]), env, secrets);
  return [...path.map(String), message, ...(file === undefined ? [] : [`(its value is in ${file})`])].join(' ');
}
