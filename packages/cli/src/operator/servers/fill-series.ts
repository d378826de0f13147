import {
  clearBucket,
  countLines,
  countPoints,
  countStored,
  exportPoints,
  importLines,
  influxBuckets,
  verifyAdminToken,
  type InfluxAdmin,
  type PointCounts,
} from '@lobbystats/series-api/admin';
import { OperatorError, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { seriesQueues } from '../../provision/series-instances.ts';
import { verifyCounts } from '../backup/manifest.ts';
import { createProgressReporter } from '../backup/progress.ts';
import { readDeployment, withEnvFile, type Servers } from '../command/deployment.ts';
import { isInfluxEmpty } from './influx-backup.ts';
import { influxAdmins, inspectBroker } from './servers.ts';

interface FillSeriesOptions {
  /** 1 or 2: position of the server in INFLUXDB_URL. */
  readonly instance: string;
  readonly force?: boolean;
  readonly envFile?: string;
}

export async function runFillSeries({ env, clock, terminal }: CliContext, options: FillSeriesOptions): Promise<number> {
  return runCommand('fill-series', terminal, async () => {
    const deployment = readDeployment(withEnvFile(env, options.envFile));
    if (deployment.form === 'standalone') throw new OperatorError('npm start has no InfluxDB');
    const reportProgress = createProgressReporter('fill-series', terminal);
    const { instance, force = false } = options;
    const points = await fillSeries(deployment, { index: Number(instance) - 1, force, clock, reportProgress });
    terminal.out(`Copied ${points} points and compared: all counts match. Next: start the instance of series-api.\n`);
    return 0;
  });
}

export interface FillSeries {
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

async function ensureStopped(servers: Servers, queue: string | undefined): Promise<void> {
  const { queues } = await inspectBroker(servers);
  const consumers = queues.find(({ name }) => name === queue)?.consumers;
  if (consumers === undefined) throw new OperatorError(`there is no queue ${String(queue)}: run the init job first`);
  if (consumers > 0) throw new OperatorError(`${String(queue)} runs: stop it first. Its queue collects what it misses`);
}

/**
 * Points of the site mark a slot as stored: they are read first, so that all of a slot that they mark is copied, and
 * written last, so that an interrupted copy does not look complete.
 */
async function copySeries(
  source: InfluxAdmin,
  target: InfluxAdmin,
  { nowMs, reportProgress }: { nowMs: number; reportProgress: (text: () => string) => void },
): Promise<number> {
  for (const kind of ['snapshots', 'daily'] as const) await clearBucket(target, influxBuckets[kind]);
  let points = 0;
  const marks: string[] = [];
  for (const kind of ['daily', 'snapshots'] as const) {
    const bucket = influxBuckets[kind];
    const counts: PointCounts = {};
    const write = async (lines: readonly string[]) => {
      const expired = new Set(await importLines(target, { bucket, kind, nowMs }, lines));
      countLines(
        lines.filter((line) => !expired.has(line)),
        counts,
      );
      points += lines.length - expired.size;
      reportProgress(() => `${points} points`);
    };
    for await (const lines of exportPoints(source, { bucket, kind })) {
      const isMark = (line: string) => line.startsWith('site ');
      marks.push(...lines.filter(isMark));
      await write(lines.filter((line) => !isMark(line)));
    }
    if (kind === 'snapshots') await write(marks);
    verifyCounts(`the bucket ${bucket} has other counts than were copied`, counts, await countPoints(target, bucket));
  }
  return points;
}
