import { processTerminal, runProcess } from '@lobbystats/service-kit';
import { runCommand } from './run-command.ts';
import { createCollector, readCollectorConfig } from './service.ts';

const outcome = await runCommand(process.argv.slice(2), process.env, processTerminal);
if (typeof outcome === 'number') {
  process.exitCode = outcome;
} else {
  await runProcess({
    name: 'collector',
    create: async (env) => {
      const config = readCollectorConfig(env);
      const service = await createCollector(config, outcome);
      return { service, logger: service.logger, stopTimeoutMs: config.STOP_TIMEOUT_MS };
    },
  });
}
