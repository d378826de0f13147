import { messageOf } from '@lobbystats/contracts/errors';
import { engineFault } from '@lobbystats/test-kit/docker';
import { closeOnSignal } from '../stack/close-on-signal.ts';
import { allDrills } from './all-drills.ts';
import { readCommandLine, USAGE, type CommandLine } from './command-line.ts';
import { installExpect } from './install-expect.ts';
import { summary, tableRow } from './report.ts';
import { checkAlerts } from './run-alert-drill.ts';
import { runDrill, type DrillResult } from './run-drill.ts';
import { Stages } from './stages/stages.ts';

// A running stack, as passed by the compose suites.
const running = process.env['TEST_STACK'];
const line = readCommandLine(process.argv.slice(2), allDrills);
switch (line.kind) {
  case 'help':
    process.stdout.write(USAGE);
    break;
  case 'list':
    for (const drill of line.drills) {
      const { number, name, on, isShort } = drill;
      const where = drill.on === 'alerts' ? drill.alerts.join(', ') : `${on}${isShort === true ? ', short' : ''}`;
      process.stdout.write(`${String(number).padStart(2)}  ${name} (${where})\n`);
    }
    break;
  case 'bad':
    process.stderr.write(`${line.error}\n\n${USAGE}`);
    process.exitCode = 2;
    break;
  case 'run':
    await run(line);
}

async function run({ drills, on, isJson, keepRunning }: Extract<CommandLine, { kind: 'run' }>): Promise<void> {
  const alerts = drills.flatMap((drill) => (drill.on === 'alerts' ? drill.alerts : []));
  const withAlerts = alerts.length > 0;
  const needsEngine =
    withAlerts || drills.some((drill) => drill.on === 'stack' || (drill.on === 'either' && on === 'stack'));
  const fault = needsEngine ? await engineFault() : undefined;
  if (fault !== undefined) {
    process.stderr.write(`npm run drills needs a Docker engine with Compose v2, and there is none here: ${fault}\n`);
    process.exitCode = 1;
    return;
  }
  installExpect();
  const stages = new Stages(running === undefined ? undefined : (JSON.parse(running) as string[]), {
    keepRunning,
    withAlerts,
  });
  closeOnSignal(() => stages.close());
  const results: DrillResult[] = [];
  try {
    for (const drill of drills) {
      const result = await runDrill(drill, { stack: () => stages.stack(), either: () => stages[on]() });
      results.push(result);
      if (!isJson) process.stdout.write(tableRow(result));
    }
    if (withAlerts) await checkAlerts((await stages.stack()).prometheus, alerts);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    await stages.close();
  }
  process.stdout.write(isJson ? `${JSON.stringify(results, null, 2)}\n` : summary(results));
  if (results.some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;
}
