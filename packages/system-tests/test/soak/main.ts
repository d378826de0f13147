import { randomInt } from 'node:crypto';
import { messageOf } from '@lobbystats/contracts/errors';
import { installExpect } from '../drills/install-expect.ts';
import { stackStage } from '../drills/stages/stack-stage.ts';
import { engineFault } from '@lobbystats/test-kit/docker';
import { closeOnSignal } from '../stack/close-on-signal.ts';
import { openSoakStack } from './soak-stack.ts';
import { readSoakOptions, USAGE, type SoakOptions } from './soak-options.ts';
import { soak } from './soak.ts';
import { soakWorld } from './soak-world.ts';

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const options = readSoakOptions(process.argv.slice(2), randomInt(1, 2 ** 31));
  if (options === undefined) process.stdout.write(USAGE);
  else await run(options);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(options: SoakOptions): Promise<void> {
  const fault = await engineFault();
  if (fault !== undefined)
    throw new Error(`npm run soak needs a Docker engine with Compose v2, and there is none here: ${fault}`);
  installExpect();
  const { minutes, seed, requestsPerSecond, titles } = options;
  printLine(`${minutes} minutes, ${requestsPerSecond} requests a second, ${titles} titles: --seed ${seed}`);
  // A running stack, as passed by the compose suites, with the default simulated network.
  const running = process.env['TEST_STACK'];
  const world = soakWorld(titles);
  const stage =
    running === undefined ? await openSoakStack(options, world) : await stackStage(JSON.parse(running) as string[]);
  closeOnSignal(() => stage.close());
  try {
    const faults = await soak(stage, options, { world, say: printLine });
    for (const one of faults) process.stderr.write(`! ${one}\n`);
    printLine(faults.length === 0 ? 'passed: no faults' : `${faults.length} faults`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
