import { processTerminal } from '@lobbystats/service-kit';
import { runBackup } from './run-backup.ts';

process.exitCode = await runBackup(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: processTerminal,
});
