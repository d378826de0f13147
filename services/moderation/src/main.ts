import { processTerminal } from '@lobbystats/service-kit';
import { runModeration } from './moderation.ts';

process.exitCode = await runModeration(process.argv.slice(2), process.env, processTerminal);
