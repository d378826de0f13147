import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { runReplay } from '@lobbystats/collector/admin';
import { formatInstant, SLOT_SECONDS, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';
import { lockJournal } from '@lobbystats/message-bus';
import { withdrawSqliteSlots, type Withdrawal, type WithdrawalReport } from '@lobbystats/series-api/admin';
import { OperatorError, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment } from '../command/deployment.ts';
import { identityOf, readStore, standaloneStores } from '../standalone/standalone-stores.ts';

interface WithdrawOptions {
  readonly title?: string;
  readonly dryRun?: boolean;
}

/** Withdraws slots. Returns the exit code: 0 done, 1 it failed or there is none. */
export async function runWithdraw(
  context: CliContext,
  from: string,
  to: string,
  { title, dryRun = false }: WithdrawOptions,
): Promise<number> {
  return runCommand('slots withdraw', context.terminal, async () => {
    const withdrawal = withdrawalOf(from, to, title, Math.floor(context.clock() / 1000));
    return (await withdraw(context, withdrawal, dryRun)) ? 0 : 1;
  });
}

/** Withdraws slots, and publishes those of a file of saved pages in their place. */
export async function runReread(
  context: CliContext,
  from: string,
  to: string,
  { pages, dryRun = false }: { readonly pages: string; readonly dryRun?: boolean },
): Promise<number> {
  return runCommand('slots reread', context.terminal, async () => {
    if (!existsSync(pages)) throw new OperatorError(`${pages} does not exist`);
    const withdrawal = withdrawalOf(from, to, undefined, Math.floor(context.clock() / 1000));
    const found = await withdraw(context, withdrawal, dryRun);
    return dryRun ? (found ? 0 : 1) : runReplay(context, pages);
  });
}

async function withdraw({ env, terminal }: CliContext, withdrawal: Withdrawal, isDryRun: boolean): Promise<boolean> {
  const deployment = readDeployment(env);
  if (deployment.form !== 'standalone') {
    throw new OperatorError('slots can be withdrawn from the data of npm start alone, not from InfluxDB');
  }
  const lock = lockJournal(join(deployment.directory, standaloneStores.bus.file));
  try {
    const path = join(deployment.directory, standaloneStores.series.file);
    const { origin = '' } = await readStore(path, identityOf);
    const report = isDryRun
      ? await onCopy(path, (url) => withdrawSqliteSlots({ url, origin }, withdrawal))
      : await withdrawSqliteSlots({ url: `sqlite:${path}`, origin }, withdrawal);
    terminal.out(reportText(report, isDryRun));
    return report.slots + report.titleSnapshots > 0;
  } finally {
    lock.release();
  }
}

/** Works on a copy, so that the result is that of the command itself. */
async function onCopy<Result>(path: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'lobbystats-'));
  try {
    const copy = join(directory, standaloneStores.series.file);
    const source = new DatabaseSync(path, { readOnly: true });
    try {
      await backup(source, copy);
    } finally {
      source.close();
    }
    return await work(`sqlite:${copy}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function withdrawalOf(from: string, to: string, titleId: string | undefined, now: number): Withdrawal {
  const [fromInclusive, toInclusive] = [instantOf(from), instantOf(to)];
  if (toInclusive < fromInclusive) throw new OperatorError('TO is before FROM');
  const oldest = now - SNAPSHOT_RETENTION_SECONDS + 2 * 86_400;
  if (fromInclusive < oldest) {
    throw new OperatorError(
      `FROM must not be before ${formatInstant(oldest)}: days can't be derived from fewer snapshots`,
    );
  }
  if (titleId !== undefined && !/^[0-9a-f]{8}$/.test(titleId))
    throw new OperatorError('--title is a title ID: 8 hex digits');
  return { fromInclusive, toInclusive, titleId };
}

function instantOf(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms) || ms % (SLOT_SECONDS * 1000) !== 0) {
    throw new OperatorError(`${text} is not the time of a slot, such as 2026-01-31T18:05:00Z`);
  }
  return ms / 1000;
}

function reportText({ slots, titleSnapshots, matchSnapshots, changes }: WithdrawalReport, isDryRun: boolean): string {
  const head = `${isDryRun ? 'Would withdraw' : 'Withdrawn'}: ${slots} slots, ${titleSnapshots} snapshots of titles, ${matchSnapshots} of matches`;
  const lines = changes.map(({ what, before, after }) => `  ${what}: ${before ?? 'none'} -> ${after ?? 'none'}`);
  return `${[head, ...lines].join('\n')}\n`;
}
