import { runProcess } from '@lobbystats/service-kit';
import { readStandaloneConfig } from './config.ts';
import { backfillProgressLine } from './backfill-progress-line.ts';
import { createSystem, SYSTEM_STOP_TIMEOUT_MS } from './system.ts';

const help = `Lobbystats, the whole system in one process: npm start

Without settings it shows a simulated network. Settings are environment variables; .env.example explains each:
  PORT            port of the site and the API (8080)         HOST          the address to listen on (127.0.0.1)
  DATA_DIR        directory of all data (./data)              SIMULATOR_PORT  port of the simulated network (8090)
  NETWORK_URL     URL of a real network                       NETWORK_ORIGIN  its name, stored with all its data
  COLLECTOR_CONTACT  your address for its operator, required with it
  LOG_LEVEL       error, warn, info or debug (info)           METRICS_PORT  Prometheus metrics (9464; 0: none)
  METRICS_HOST    the address of the metrics (127.0.0.1)
`;

const [argument] = process.argv.slice(2);
if (argument === '--help') {
  process.stdout.write(help);
} else if (argument !== undefined) {
  process.stderr.write(`There is no argument ${argument}: settings are environment variables.\n\n${help}`);
  process.exitCode = 2;
} else {
  await runProcess({
    name: 'standalone',
    create: async (env) => {
      const config = readStandaloneConfig(env);
      const system = createSystem(config, { onBackfillProgress: backfillProgressLine(process.stderr) });
      const start = async () => {
        await system.start();
        process.stdout.write(`\n  Lobbystats is ready: ${system.url()}\n\n`);
      };
      const service = { ...system, start };
      return Promise.resolve({ service, logger: system.logger, stopTimeoutMs: SYSTEM_STOP_TIMEOUT_MS });
    },
  });
}
