import { createCollector, readCollectorConfig, type Collector } from '@lobbystats/collector';
import { silentLogger } from '@lobbystats/service-kit';
import type { CollectorCommand } from './collectors.ts';
import { doAsTold } from './do-as-told.ts';

let collector: Collector | undefined;
let saidMs = 0;
let saidAt = 0;
/** It begins anew where it is told to, and runs on from there. */
const clock = () => saidMs + performance.now() - saidAt;

/** Processor time that this process has had. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

doAsTold(async (told) => {
  const command = told as CollectorCommand;
  if (command === 'cost') return cpuSeconds();
  const { slotMs, env } = command;
  saidMs = slotMs;
  saidAt = performance.now();
  if (env !== undefined) {
    collector = await createCollector(readCollectorConfig(env), { clock, logger: silentLogger() });
    await collector.start();
  } else {
    // What it begins goes on beside this.
    collector?.tick().catch((error: unknown) => {
      console.error(error);
    });
  }
  return undefined;
});
