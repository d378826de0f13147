import { runProcess } from '@lobbystats/service-kit';
import { readStandaloneConfig } from './config.ts';
import { fillProgressLine } from './fill-progress.ts';
import { createSystem, stopTimeoutOf } from './system.ts';

const help = `Lobbystats, the whole system in one process: npm start

Without settings it shows a simulated network. Settings are environment variables; .env.example explains each:
  PORT            where the page and the API are (8080)       HOST          the address to listen on (127.0.0.1)
  DATA_DIR        where everything is kept (./data)           SIMULATOR_PORT  where the simulated network is (8090)
  NETWORK_URL     a real network's site to watch              NETWORK_ORIGIN  its name, kept with all data of it
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
      const system = createSystem(config, { onFillProgress: fillProgressLine(process.stderr) });
      const start = async () => {
        await system.start();
        process.stdout.write(`\n  Lobbystats is ready: ${system.url()}\n\n`);
      };
      const service = { ...system, start };
      return Promise.resolve({ service, logger: system.logger, stopTimeoutMs: stopTimeoutOf(config) });
    },
  });
}
