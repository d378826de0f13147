import { inspect, parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { AppError, messageOf, RefusalError } from '@lobbystats/errors';
import { ConfigError } from '../config/read-config.ts';
import { redactText } from '../logs/redact.ts';

/** What a command says, and to whom. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

/** Where the command was typed. */
export const processTerminal: Terminal = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/** A command that can't be understood. Its message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What has gone wrong in a way that the operator can do something about: shown in a line, without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/**
 * Runs one of the operators' commands and says how it went wrong, with no secret in it.
 *
 * @returns the exit code: that of `work`, 1 when it failed, 2 for wrong usage
 */
export async function runCommand(name: string, terminal: Terminal, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`${name}: ${reasonOf(error)}${isUsage ? `; see npm run ${name} -- --help` : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

/** What has gone wrong, in words for the operator. */
export function reasonOf(error: unknown): string {
  const isPlain = [UsageError, OperatorError, ConfigError, RefusalError].some((kind) => error instanceof kind);
  if (isPlain) return redactText(messageOf(error));
  // Its own message is made for callers outside: its cause says more.
  if (error instanceof AppError) {
    return redactText(error.cause === undefined ? error.message : `${error.message} (${messageOf(error.cause)})`);
  }
  return redactText(isOfTheWorld(error) ? messageOf(error) : inspect(error));
}

/**
 * The options of a command that takes no names.
 *
 * @throws UsageError
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

/** A file system's or a server's fault: its message says it all. */
function isOfTheWorld(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || 'errcode' in error || error.name.startsWith('Mongo');
}
