import { parseArgs } from 'node:util';
import { messageOf } from '@lobbystats/contracts/errors';
import { installExpect } from '../drills/install-expect.ts';
import { engineFault } from '@lobbystats/test-kit/docker';
import { closeOnSignal } from '../stack/close-on-signal.ts';
import type { AlertFault, AlertStage } from './alert-fault.ts';
import { openAlertStack, runningAlertStack } from './alert-stack.ts';
import { faultsFor } from './all-faults.ts';
import { runFault, type AlertResult } from './run-fault.ts';

const USAGE = `npm run alerts [-- NAME…]   injects faults into a stack until each alert fires, and waits until it resolves (an hour)

  --times N   acceleration of the rules: windows and waits are shorter, not below their minimum (5)
  --keep      keeps the stack running, and prints how the next run can use it
  --list      lists the alerts by fault
  --help      this text

Needs a Docker engine with Compose v2. Exits with 1 when an alert doesn't fire or doesn't resolve, or a rule can't be evaluated.
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
  else if (values.list) for (const { name, raises } of faults.flat(2)) printLine(`${raises.join(', ')}: ${name}`);
  else await run(faults, Number(values.times), values.keep);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function run(phases: ReturnType<typeof faultsFor>, times: number, keepRunning: boolean): Promise<void> {
  const missing = await engineFault();
  if (missing !== undefined)
    throw new Error(`npm run alerts needs a Docker engine with Compose v2, and there is none here: ${missing}`);
  installExpect();
  const running = process.env['TEST_STACK'];
  const stage =
    running === undefined
      ? await openAlertStack(times, keepRunning)
      : await runningAlertStack(JSON.parse(running) as string[]);
  closeOnSignal(() => stage.close());
  try {
    const results: Promise<AlertResult[]>[] = [];
    for (const phase of phases) {
      const rows = await Promise.all(phase.map((row) => runRow(row, stage)));
      results.push(...rows.flat());
    }
    const all = (await Promise.all(results)).flat();
    const bad = all.filter(({ firedAfter, quietAfter }) => firedAfter === undefined || quietAfter === undefined);
    printLine(`${all.length - bad.length} alerts fired and resolved, ${bad.length} did not`);
    const broken = await stage.prometheus.brokenRules();
    for (const rule of broken) printLine(`! can't be evaluated: ${rule}`);
    if (bad.length + broken.length > 0) process.exitCode = 1;
  } finally {
    await stage.close();
  }
}

/** Resolves when the last fault of a row has ended. */
async function runRow(row: readonly AlertFault[], stage: AlertStage): Promise<Promise<AlertResult[]>[]> {
  const results: Promise<AlertResult[]>[] = [];
  for (const fault of row) {
    printLine(`… ${fault.name}`);
    const { quiet } = await runFault(fault, stage);
    results.push(quiet.then(reportResults));
  }
  return results;
}

function reportResults(results: AlertResult[]): AlertResult[] {
  for (const { alert, fault, firedAfter, quietAfter, error } of results) {
    const fired = firedAfter === undefined ? 'did NOT fire' : `fired after ${firedAfter} s`;
    const quiet = quietAfter === undefined ? 'NOT resolved' : `resolved ${quietAfter} s after the end`;
    printLine(`${alert.padEnd(22)} ${fired}, ${quiet}: ${fault}${error === undefined ? '' : `\n  ! ${error}`}`);
  }
  return results;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
