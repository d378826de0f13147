import { processTerminal } from '@lobbystats/service-kit';
import { runCommand } from './run-command.ts';
import { collectorService } from './service.ts';

const outcome = await runCommand(process.argv.slice(2), process.env, processTerminal);
if (typeof outcome === 'number') {
  process.exitCode = outcome;
} else {
  await collectorService.run(outcome);
}
