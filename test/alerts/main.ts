import { parseArgs } from 'node:util';
import { messageOf } from '@lobbystats/errors';
import { bringExpect } from '../drills/expectations.ts';
import { engineFault } from '../stack/docker.ts';
import { closeWhenTold } from '../stack/when-told.ts';
import type { AlertFault, AlertStage } from './alert-fault.ts';
import { openAlertStack, runningAlertStack } from './alert-stack.ts';
import { faultsFor } from './all-faults.ts';
import { runFault, type AlertResult } from './run-fault.ts';

const USAGE = `npm run alerts [-- NAME…]   breaks a stack until each alert fires, and waits until it is quiet again (an hour)

  --times N   how many times as fast Prometheus judges: windows and waiting are shorter, never below what they need (5)
  --keep      leaves the stack up, and says how the next run takes it
  --list      names the alerts, by the faults that prove them
  --help      this text

Needs a Docker engine with Compose v2. Ends with 1 when an alert doesn't fire, or doesn't become quiet.
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      times: { type: 'string', default: '5' },
      keep: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (!/^[1-9]\d?$/.test(values.times)) throw new Error('--times must be a whole number from 1 to 99');
  const faults = faultsFor(positionals);
  if (values.help) process.stdout.write(USAGE);
  else if (values.list) for (const { name, raises } of faults.flat(2)) say(`${raises.join(', ')}: ${name}`);
  else await run(faults, Number(values.times), values.keep);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(phases: ReturnType<typeof faultsFor>, times: number, isKept: boolean): Promise<void> {
  const missing = await engineFault();
  if (missing !== undefined)
    throw new Error(`npm run alerts needs a Docker engine with Compose v2, and there is none here: ${missing}`);
  bringExpect();
  const running = process.env['TEST_STACK'];
  const stage =
    running === undefined
      ? await openAlertStack(times, isKept)
      : await runningAlertStack(JSON.parse(running) as string[]);
  closeWhenTold(() => stage.close());
  try {
    const results: Promise<AlertResult[]>[] = [];
    for (const phase of phases) {
      const rows = await Promise.all(phase.map((row) => runRow(row, stage)));
      results.push(...rows.flat());
    }
    const all = (await Promise.all(results)).flat();
    const bad = all.filter(({ firedAfter, quietAfter }) => firedAfter === undefined || quietAfter === undefined);
    say(`${all.length - bad.length} alerts fired and are quiet again, ${bad.length} did not`);
    if (bad.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}

/** Resolves when the last fault of a row is mended. */
async function runRow(row: readonly AlertFault[], stage: AlertStage): Promise<Promise<AlertResult[]>[]> {
  const results: Promise<AlertResult[]>[] = [];
  for (const fault of row) {
    say(`… ${fault.name}`);
    const { quiet } = await runFault(fault, stage);
    results.push(quiet.then(told));
  }
  return results;
}

function told(results: AlertResult[]): AlertResult[] {
  for (const { alert, fault, firedAfter, quietAfter, trouble } of results) {
    const fired = firedAfter === undefined ? 'did NOT fire' : `fired after ${firedAfter} s`;
    const quiet = quietAfter === undefined ? 'NOT quiet again' : `quiet ${quietAfter} s after the end`;
    say(`${alert.padEnd(22)} ${fired}, ${quiet}: ${fault}${trouble === undefined ? '' : `\n  ! ${trouble}`}`);
  }
  return results;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
