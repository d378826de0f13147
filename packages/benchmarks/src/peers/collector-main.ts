import { collectorService, type Collector } from '@lobbystats/collector';
import { silentLogger } from '@lobbystats/service-kit';
import type { CollectorCommand } from './collectors.ts';
import { serveCommands } from './serve-commands.ts';

let collector: Collector | undefined;
let clockMs = 0;
let clockSetAt = 0;
/** Runs on from the last time that was set. */
const clock = () => clockMs + performance.now() - clockSetAt;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

serveCommands(async (message) => {
  const command = message as CollectorCommand;
  if (command === 'cost') return cpuSeconds();
  const { slotMs, env } = command;
  clockMs = slotMs;
  clockSetAt = performance.now();
  if (env !== undefined) {
    collector = await collectorService.create(collectorService.readConfig(env), { clock, logger: silentLogger() });
    await collector.start();
  } else {
    // Not awaited: the tick runs in the background.
    collector?.tick().catch((error: unknown) => {
      console.error(error);
    });
  }
  return undefined;
});
