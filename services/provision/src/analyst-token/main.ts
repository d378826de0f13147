import { processTerminal } from '@lobbystats/service-kit';
import { runAnalystToken } from './analyst-token-command.ts';

process.exitCode = await runAnalystToken(process.argv.slice(2), process.env, processTerminal);
