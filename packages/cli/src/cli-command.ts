import type { Env, Terminal } from '@lobbystats/service-kit';
import type { Command } from 'commander';

/** Inputs and outputs of a command besides its arguments. */
export interface CliContext {
  readonly env: Env;
  readonly clock: () => number;
  readonly terminal: Terminal;
}

/** Runs a command and returns its exit code. Imports its modules dynamically, so that other commands don't load them. */
export type Run = (args: readonly string[], context: CliContext) => Promise<number>;

interface ActionOptions {
  /** Print the help when there are no arguments. */
  readonly requiresArguments?: boolean;
}

/** Returns a commander action that calls `run` with the parsed arguments. */
export type ToAction = (run: Run, options?: ActionOptions) => (this: Command) => Promise<void>;

/** Declares a command: name, description, arguments, options, help text. */
export type AddCommand = (program: Command, toAction: ToAction) => void;
