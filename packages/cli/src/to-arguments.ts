import type { Command } from 'commander';

/**
 * Returns the arguments of a parsed command in one form: names of subcommands, options as `--name=value`, positional arguments.
 * The name of the command itself is omitted.
 */
export function toArguments(command: Command): string[] {
  const options = command.options.flatMap((option) => {
    const value = command.getOptionValue(option.attributeName()) as string | boolean | readonly string[] | undefined;
    return optionArguments(`--${option.name()}`, value);
  });
  // After `--`, a value that begins with a hyphen is no option.
  const separator = command.args.some((value) => value.startsWith('-')) ? ['--'] : [];
  return [...subcommandNames(command), ...options, ...separator, ...command.args];
}

function optionArguments(name: string, value: string | boolean | readonly string[] | undefined): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [name];
  return [value].flat().map((one) => `${name}=${one}`);
}

function subcommandNames(command: Command): string[] {
  const { parent } = command;
  const isTopLevel = parent === null || parent.parent === null;
  return isTopLevel ? [] : [...subcommandNames(parent), command.name()];
}
