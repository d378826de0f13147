import { processTerminal } from '@lobbystats/service-kit';
import { runRestore } from './run-restore.ts';

process.exitCode = await runRestore(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: processTerminal,
});
