import type { Env, Terminal } from '@lobbystats/service-kit';
import type { Command } from 'commander';

/** Inputs and outputs of a command besides its arguments. */
export interface CliContext {
  readonly env: Env;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly terminal: Terminal;
}

/** Runs a command with the values that commander parsed, and returns its exit code. Imports its modules dynamically. */
export type Run<Values extends unknown[]> = (context: CliContext, ...values: Values) => Promise<number>;

/** Returns a commander action that calls `run`. */
export type ToAction = <Values extends unknown[]>(run: Run<Values>) => (...values: Values) => Promise<void>;

/** Declares commands: name, description, arguments, options, help text. */
export type AddCommands = (program: Command, toAction: ToAction) => void;
