import { runCommand } from './run-command.ts';
import { collectorService } from './service.ts';

const outcome = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
if (typeof outcome === 'number') {
  process.exitCode = outcome;
} else {
  await collectorService.run(outcome);
}
