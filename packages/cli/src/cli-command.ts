import type { Env, Terminal } from '@lobbystats/service-kit';
import type { Command } from 'commander';

/** Inputs and outputs of a command besides its arguments. */
export interface CliContext {
  readonly env: Env;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly terminal: Terminal;
}

/** Runs a command and returns its exit code. `values` are the arguments and the options that commander parsed. */
type Run<Values extends unknown[]> = (context: CliContext, ...values: Values) => Promise<number>;

/** Returns a commander action. `load` imports the modules of one command, so that other commands don't load them. */
export type ToAction = <Values extends unknown[]>(
  load: () => Promise<Run<Values>>,
) => (...values: Values) => Promise<void>;

/** Declares commands: name, description, arguments, options, help text. */
export type AddCommands = (program: Command, toAction: ToAction) => void;
