import { Command, CommanderError } from 'commander';
import type { CliContext, ToAction } from './cli-command.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addDeploymentCommands } from './commands/deployment.ts';
import { addDlq } from './commands/dlq.ts';
import { addExport, addSlots, addTitles } from './commands/series.ts';
import { addModerate } from './commands/moderate.ts';
import { addNetworkCommands } from './commands/network.ts';

const USAGE = '<command> [options]';
const USAGE_EXIT_CODE = 2;

/** In the order of the help. */
const additions = [
  addDeploymentCommands,
  addBackupCommands,
  addExport,
  addModerate,
  addTitles,
  addDlq,
  addNetworkCommands,
  addSlots,
];

/** Without arguments their help is printed as an error. */
const NEEDS_ARGUMENTS: readonly (string | undefined)[] = [
  'backup',
  'restore',
  'migrate',
  'dlq',
  'network',
  'slots',
  'analyst-token',
  'export',
];

/**
 * Runs `npx lobbystats`.
 *
 * @param args the arguments after the program name
 * @returns the command's exit code; 2 for wrong usage
 */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const { terminal } = context;
  let exitCode = 0;
  let errorText = '';
  const toAction: ToAction =
    (load) =>
    async (...values) => {
      const run = await load();
      exitCode = await run(context, ...values);
    };

  const isIncomplete = args.length === 1 && NEEDS_ARGUMENTS.includes(args[0]);
  const program: Command = new Command('lobbystats')
    .usage(USAGE)
    .description('Runs and maintains Lobbystats.')
    .addHelpText('after', '\nnpx lobbystats <command> --help describes a command.')
    // A command parses the arguments after its name itself, `--` included.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (isIncomplete ? terminal.error(text) : terminal.out(text)),
      writeErr: (text) => void (errorText += text),
      outputError: (text, write) => write(usageError(text, commandName(program, args))),
    });
  for (const add of additions) add(program, toAction);

  try {
    await program.parseAsync(isIncomplete ? [...args, '--help'] : args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    terminal.error(errorText);
    return error.exitCode === 0 && !isIncomplete ? 0 : USAGE_EXIT_CODE;
  }
}

function commandName(program: Command, [name]: readonly string[]): string | undefined {
  return program.commands.find((command) => command.name() === name)?.name();
}

/** Commander's message has the prefix "error: " and may have a second line with a suggestion. */
function usageError(text: string, name: string | undefined): string {
  const reason = text
    .replace(/^error: /, '')
    .trim()
    .replace(/[.]$/, '')
    .replaceAll('\n', ' ');
  return name === undefined
    ? `lobbystats: ${reason}\nUsage: lobbystats ${USAGE}; npx lobbystats --help lists the commands\n`
    : `${name}: ${reason}; see npx lobbystats ${name} --help\n`;
}
