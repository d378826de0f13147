import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_SECONDS, formatDate, formatTimestamp, secondsClock, type EpochSeconds } from '@lobbystats/contracts';
import { ApiError, ConnectionError, createClient } from '@lobbystats/client/source';
import { messageOf } from '@lobbystats/contracts/errors';
import { OperatorError, readConfig, runCommand, setting, UsageError, type Terminal } from '@lobbystats/service-kit';
import { z } from 'zod';
import type { CliContext } from '../cli-command.ts';
import { datasets } from './datasets.ts';
import { writeParquet } from './parquet-file.ts';

const settings = z.object({
  GATEWAY_URL: setting.url({ protocols: ['http', 'https'] }).default('http://127.0.0.1:8080'),
});

/** Snapshots are kept for 30 days. */
const DAYS_MAX = 29;
/** After midnight, when the last slot of the day is stored. */
const NIGHTLY_SECONDS = 30 * 60;
const RETRY_SECONDS = 15 * 60;
/** Attempts after the first one of a request, for about a minute. */
const RETRIES = 15;

interface ExportOptions {
  readonly out: string;
  readonly date?: string;
  /** Runs until it is stopped. */
  readonly nightly?: boolean;
}

/**
 * Writes the files of a day, or those of each day in the night after it.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 */
export async function runExport({ env, clock, terminal }: CliContext, options: ExportOptions): Promise<number> {
  return runCommand('export', terminal, async () => {
    const { out, date, nightly = false } = options;
    const { GATEWAY_URL } = readConfig(settings, env);
    const now = secondsClock(clock);
    const today = dayOf(now());
    if (nightly) {
      if (date !== undefined) throw new UsageError('--date or --nightly, not both');
      return exportNightly(GATEWAY_URL, out, now, terminal);
    }
    const day = date === undefined ? today - DAY_SECONDS : dayOfDate(date);
    if (day >= today || day < today - DAYS_MAX * DAY_SECONDS) {
      throw new UsageError(`--date must be one of the last ${DAYS_MAX} days, and over (UTC)`);
    }
    try {
      await exportDay(GATEWAY_URL, out, day, now(), terminal);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      throw new OperatorError(`${GATEWAY_URL}: ${messageOf(error)}; check GATEWAY_URL, and that the site runs`, {
        cause: error,
      });
    }
    return 0;
  });
}

async function exportDay(
  url: string,
  out: string,
  from: EpochSeconds,
  now: EpochSeconds,
  terminal: Terminal,
): Promise<void> {
  const date = formatDate(from);
  const client = createClient({ baseUrl: url, retries: RETRIES });
  for (const { name, columns, rows } of datasets) {
    const path = pathOf(out, name, date);
    const count = await writeParquet(path, columns, rows({ client, date, from, now }));
    terminal.out(`${path}: ${count} rows\n`);
  }
}

async function exportNightly(url: string, out: string, now: () => EpochSeconds, terminal: Terminal): Promise<never> {
  for (;;) {
    const due = dayOf(now() - NIGHTLY_SECONDS) - DAY_SECONDS;
    const isDone = datasets.every(({ name }) => existsSync(pathOf(out, name, formatDate(due))));
    const next = due + 2 * DAY_SECONDS + NIGHTLY_SECONDS;
    try {
      if (!isDone) await exportDay(url, out, due, now(), terminal);
      terminal.out(`next export at ${formatTimestamp(next)} UTC\n`);
      await sleep((next - now()) * 1000);
    } catch (error) {
      terminal.error(`export: ${messageOf(error)}; the next attempt is in ${RETRY_SECONDS / 60} minutes\n`);
      await sleep(RETRY_SECONDS * 1000);
    }
  }
}

function pathOf(out: string, dataset: string, date: string): string {
  return join(out, dataset, `${date}.parquet`);
}

function dayOf(at: EpochSeconds): EpochSeconds {
  return at - (at % DAY_SECONDS);
}

function dayOfDate(date: string): EpochSeconds {
  const day = Date.parse(`${date}T00:00:00Z`) / 1000;
  // The 31st of February is another day.
  if (Number.isNaN(day) || formatDate(day) !== date) throw new UsageError('--date must be YYYY-MM-DD');
  return day;
}
