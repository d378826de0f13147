import { randomInt } from 'node:crypto';
import { messageOf } from '@lobbystats/errors';
import { bringExpect } from '../drills/expectations.ts';
import { stackStage } from '../drills/stages/stack-stage.ts';
import { engineFault } from '../stack/docker.ts';
import { closeWhenTold } from '../stack/when-told.ts';
import { openSoakStack } from './soak-stack.ts';
import { readSoakOptions, USAGE, type SoakOptions } from './soak-options.ts';
import { soak } from './soak.ts';
import { soakedWorld } from './soaked-world.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

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
  bringExpect();
  const { minutes, seed, requestsPerSecond, titles } = options;
  say(`${minutes} minutes, ${requestsPerSecond} requests a second, ${titles} titles: --seed ${seed}`);
  // A stack that is up already, as the compose suites have it; its network is the usual one.
  const running = process.env['TEST_STACK'];
  const world = soakedWorld(titles);
  const stage =
    running === undefined ? await openSoakStack(options, world) : await stackStage(JSON.parse(running) as string[]);
  closeWhenTold(() => stage.close());
  try {
    const faults = await soak(stage, options, { world, say });
    for (const one of faults) process.stderr.write(`! ${one}\n`);
    say(faults.length === 0 ? 'nothing is missing that was not missed' : `${faults.length} faults`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
