import { inspect } from 'node:util';
import { AppError, messageOf, StartupError } from '@lobbystats/contracts/errors';
import { ConfigError } from '../config/read-config.ts';
import { redactText } from '../logs/redact.ts';
import { describeFileError } from '../file-errors.ts';

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

export const processTerminal: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the operator can resolve: shown as one line without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Prints a failure, redacted. @returns the exit code of `work`, 1 if it failed, 2 for wrong usage */
export async function runCommand(name: string, terminal: Terminal, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`${name}: ${describeError(error)}${isUsage ? `; see npx lobbystats ${name} --help` : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

export function describeError(error: unknown): string {
  if (error instanceof AppError || error instanceof StartupError) return redactText(withCause(error));
  const isPlain = [UsageError, OperatorError, ConfigError].some((kind) => error instanceof kind);
  return redactText(isPlain ? messageOf(error) : isSystemError(error) ? describeFileError(error) : inspect(error));
}

/** The message of an AppError is written for API callers: the cause has the details. */
function withCause({ message, cause }: Error): string {
  if (cause === undefined || message.includes(messageOf(cause))) return message;
  return `${message} (${messageOf(cause)})`;
}

/** File system, SQLite and MongoDB errors: their messages suffice. */
function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || 'errcode' in error || error.name.startsWith('Mongo');
}
