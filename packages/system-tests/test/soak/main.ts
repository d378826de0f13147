import { randomInt } from 'node:crypto';
import { messageOf } from '@lobbystats/contracts/errors';
import { engineFault } from '@lobbystats/test-kit/docker';
import { installExpect } from '../drills/install-expect.ts';
import { openStack, stackStage } from '../drills/stages/stack-stage.ts';
import { closeOnSignal } from '../stack/close-on-signal.ts';
import { readSoakOptions, USAGE, type SoakOptions } from './soak-options.ts';
import { soak } from './soak.ts';

/** Ten times the default rate limit of all collectors. */
const PAGES_PER_SECOND = '200';
/** Default number of open matches per title. */
const MATCHES_PER_TITLE = 0.4;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const options = readSoakOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(USAGE);
  else await run({ ...options, seed: options.seed === 0 ? randomInt(1, 2 ** 31) : options.seed });
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(options: SoakOptions): Promise<void> {
  const fault = await engineFault();
  if (fault !== undefined)
    throw new Error(`npm run soak needs a Docker engine with Compose v2, and there is none here: ${fault}`);
  installExpect();
  const { minutes, seed, rate, titles, collectors, gateways } = options;
  printLine(`${minutes} minutes, ${rate} requests a second, ${titles} titles: --seed ${seed}`);
  // A running stack, as passed by the compose suites, with the default simulated network.
  const running = process.env['TEST_STACK'];
  const network = { titles, openMatches: Math.round(titles * MATCHES_PER_TITLE) };
  const settings = { COLLECTOR_MAX_RPS: PAGES_PER_SECOND, BACKFILL_DAYS: '1', BACKFILL_LEADERBOARD_DAYS: '0' };
  const stage =
    running === undefined
      ? await openStack({ settings, network, scale: { collector: collectors, gateway: gateways } })
      : await stackStage(JSON.parse(running) as string[]);
  closeOnSignal(() => stage.close());
  try {
    const faults = await soak(stage, options, { network, say: printLine });
    for (const one of faults) process.stderr.write(`! ${one}\n`);
    printLine(faults.length === 0 ? 'passed: no faults' : `${faults.length} faults`);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}
