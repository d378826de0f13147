import { processTerminal } from '@lobbystats/service-kit';
import { runMigrate } from './run-migrate.ts';

process.exitCode = await runMigrate(process.argv.slice(2), process.env, {
  clock: Date.now,
  terminal: processTerminal,
});
