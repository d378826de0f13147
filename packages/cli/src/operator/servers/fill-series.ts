import { seriesQueues } from '@lobbystats/contracts';
import { countStored, verifyAdminToken } from '@lobbystats/series-api/admin';
import { OperatorError, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { createProgressReporter } from '../backup/progress.ts';
import { readDeployment, withSettings, type Servers } from '../command/deployment.ts';
import { copySeries } from './copy-series.ts';
import { isInfluxEmpty } from './influx-backup.ts';
import { ensureStopped, influxAdmins } from './servers.ts';

interface FillSeriesOptions {
  /** 1 or 2: position of the server in INFLUXDB_URL. */
  readonly instance: string;
  readonly force?: boolean;
  readonly settings?: string;
}

export async function runFillSeries({ env, clock, terminal }: CliContext, options: FillSeriesOptions): Promise<number> {
  return runCommand('fill-series', terminal, async () => {
    const deployment = readDeployment(withSettings(env, options.settings));
    if (deployment.form === 'standalone') throw new OperatorError('npm start has no InfluxDB');
    const reportProgress = createProgressReporter('fill-series', terminal);
    const { instance, force = false } = options;
    const points = await fillSeries(deployment, { index: Number(instance) - 1, force, clock, reportProgress });
    terminal.out(`Copied ${points} points and compared: all counts match. Next: start the instance of series-api.\n`);
    return 0;
  });
}

interface FillSeries {
  readonly index: number;
  readonly force: boolean;
  readonly clock: () => number;
  readonly reportProgress: (text: () => string) => void;
}

/**
 * Copies the series from the other InfluxDB, whose series-api may run. Slots that are stored meanwhile wait in the queue
 * of the filled instance.
 *
 * @returns the number of points
 * @throws OperatorError when the instance runs, has data (unless `force`), or has stored more slots than the other
 */
export async function fillSeries(
  servers: Servers,
  { index, force, clock, reportProgress }: FillSeries,
): Promise<number> {
  const admins = influxAdmins(servers);
  const [target, source] = [admins[index], admins[1 - index]];
  if (target === undefined || source === undefined) {
    throw new OperatorError('INFLUXDB_URL must have two URLs, and --instance must be 1 or 2');
  }
  for (const admin of [source, target]) await verifyAdminToken(admin);
  await ensureStopped(servers, seriesQueues[index]);
  if (!force && !(await isInfluxEmpty(target))) {
    throw new OperatorError(`${new URL(target.url).host} has data: --force permanently replaces it`);
  }
  const [there, here] = await Promise.all([countStored(source), countStored(target)]);
  if (there.slots < here.slots || there.slots === 0) {
    throw new OperatorError(`${new URL(source.url).host} has ${there.slots} slots, the instance to fill ${here.slots}`);
  }
  return copySeries(source, target, { nowMs: clock(), reportProgress });
}
