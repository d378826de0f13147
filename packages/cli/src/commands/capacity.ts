import type { AddCommands } from '../cli-command.ts';

const CAPACITY = `
Computes requests to the network, processors, memory and disk from measured costs (docs/capacity.md), and names the
resource that limits first. Sizes beyond ten times the default are extrapolated.

Exit codes: 0 printed; 2 wrong usage`;

export const addCapacity: AddCommands = (program, toAction) => {
  program
    .command('capacity')
    .description('compute what a network of a given size needs')
    .option('--titles <number>', 'titles (200)')
    .option('--players <number>', 'gamertags (25000)')
    .option('--boards <number>', 'leaderboards (3000)')
    .option('--entries <number>', 'entries of all leaderboards together (500000)')
    .option('--open-matches <number>', 'matches that are open in an average slot (80)')
    .option('--clients <number>', 'clients that each send a request a minute (2000)')
    .option('--streams <number>', 'live streams (500)')
    .option('--max-rps <number>', 'COLLECTOR_MAX_RPS, of all collectors together (20)')
    .option('--json', 'print JSON')
    .addHelpText('after', CAPACITY)
    .action(toAction(async () => (await import('../capacity/run-capacity.ts')).runCapacity));
};
