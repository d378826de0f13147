import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { openCatalogRemoval } from '@lobbystats/catalog-api/admin';
import { formatTimestamp, SLOT_SECONDS } from '@lobbystats/contracts';
import { lockJournal } from '@lobbystats/service-kit/bus';
import {
  verifyAdminToken,
  withdrawInfluxSlots,
  withdrawSqliteSlots,
  type Withdrawal,
  type WithdrawalReport,
} from '@lobbystats/series-api/admin';
import type { Terminal } from '@lobbystats/service-kit';
import { openUserModeration, type WithdrawnPlay } from '@lobbystats/user-api/admin';
import type { Deployment, Servers, Standalone } from '../command/deployment.ts';
import { ensureStopped, influxAdmin, mongoUrl, originOf } from '../servers/servers.ts';
import { identityOf, readStore, standaloneStores } from '../standalone/standalone-stores.ts';

/** Data that is withdrawn besides slots and all that is derived from them. */
export interface Extent {
  readonly changes: boolean;
  readonly playTime: boolean;
  readonly unlocks: boolean;
}

export interface WithdrawalTask {
  readonly withdrawal: Withdrawal;
  readonly extent: Extent;
  readonly isDryRun: boolean;
  readonly clock: () => number;
  readonly terminal: Terminal;
}

/** The stores besides that of the series. */
export interface StoreUrls {
  readonly origin: string;
  readonly catalog: string;
  readonly users: string;
}

/**
 * Withdraws and prints what changes. Returns whether there was anything.
 *
 * @throws OperatorError when a writer of the series runs
 */
export async function withdraw(deployment: Deployment, task: WithdrawalTask): Promise<boolean> {
  return deployment.form === 'servers' ? withdrawFromServers(deployment, task) : withdrawFromFiles(deployment, task);
}

async function withdrawFromFiles({ directory }: Standalone, task: WithdrawalTask): Promise<boolean> {
  const pathOf = (store: keyof typeof standaloneStores) => join(directory, standaloneStores[store].file);
  const lock = lockJournal(pathOf('bus'));
  try {
    const path = pathOf('series');
    const { origin = '' } = await readStore(path, identityOf);
    const report = task.isDryRun
      ? await onCopy(path, (url) => withdrawSqliteSlots({ url, origin }, task.withdrawal))
      : await withdrawSqliteSlots({ url: `sqlite:${path}`, origin }, task.withdrawal);
    task.terminal.out(reportText(report, task.isDryRun));
    const urls = { origin, catalog: `sqlite:${pathOf('catalog')}`, users: `sqlite:${pathOf('users')}` };
    return (await withdrawRest(urls, task)) || isAnything(report);
  } finally {
    lock.release();
  }
}

export async function withdrawFromServers(servers: Servers, task: WithdrawalTask, at?: StoreUrls): Promise<boolean> {
  const { withdrawal, isDryRun, terminal } = task;
  const admin = influxAdmin(servers);
  await verifyAdminToken(admin);
  await ensureStopped(servers, 'series-api');
  const report = await withdrawInfluxSlots(admin, withdrawal, { isDryRun });
  terminal.out(reportText(report, isDryRun));
  const urlsOf = async (): Promise<StoreUrls> => ({
    origin: await originOf(servers),
    catalog: mongoUrl(servers, 'catalog'),
    users: mongoUrl(servers, 'users'),
  });
  return (await withdrawRest(at ?? (await urlsOf()), task)) || isAnything(report);
}

async function withdrawRest(urls: StoreUrls, { extent, ...task }: WithdrawalTask): Promise<boolean> {
  const changes = extent.changes ? await withdrawChanges(urls, task) : 0;
  if (!extent.playTime && !extent.unlocks) return changes > 0;
  const users = await withdrawPlay(urls, { ...task, extent });
  return users > 0 || changes > 0;
}

async function withdrawChanges(
  { catalog: url, origin }: StoreUrls,
  { withdrawal, isDryRun, clock, terminal }: Omit<WithdrawalTask, 'extent'>,
): Promise<number> {
  const { fromInclusive, toInclusive, titleId } = withdrawal;
  const range = { fromInclusive, toExclusive: toInclusive + SLOT_SECONDS, titleId };
  const catalog = await openCatalogRemoval({ url, origin, clock });
  try {
    const count = await (isDryRun ? catalog.countChanges(range) : catalog.removeChanges(range));
    terminal.out(`  changes of leaderboards: ${count}\n`);
    return count;
  } finally {
    await catalog.close();
  }
}

async function withdrawPlay(
  { users: url, origin }: StoreUrls,
  { withdrawal, extent: { playTime, unlocks }, isDryRun, clock, terminal }: WithdrawalTask,
): Promise<number> {
  const { fromInclusive, toInclusive, titleId } = withdrawal;
  const moderation = await openUserModeration({ url, origin, erasureKey: undefined, clock });
  try {
    const range = { fromInclusive, toInclusive, titleId, playTime, unlocks, isDryRun };
    const users = await moderation.withdrawPlay(range);
    for (const user of users) terminal.out(playText(user));
    return users.length;
  } finally {
    await moderation.close();
  }
}

function playText({ username, minutesBefore, minutesAfter, unlocks }: WithdrawnPlay): string {
  const play =
    minutesBefore === minutesAfter ? [] : [`  play time of ${username}: ${minutesBefore} -> ${minutesAfter} minutes\n`];
  const lost = unlocks.map(
    ({ key, unlockedAt }) => `  unlock of ${username}: ${key} at ${formatTimestamp(unlockedAt)}\n`,
  );
  return [...play, ...lost].join('');
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

function isAnything({ slots, titleSnapshots }: WithdrawalReport): boolean {
  return slots + titleSnapshots > 0;
}

function reportText({ slots, titleSnapshots, matchSnapshots, changes }: WithdrawalReport, isDryRun: boolean): string {
  const head = `${isDryRun ? 'Would withdraw' : 'Withdrawn'}: ${slots} slots, ${titleSnapshots} snapshots of titles, ${matchSnapshots} of matches`;
  const lines = changes.map(({ what, before, after }) => `  ${what}: ${before ?? 'none'} -> ${after ?? 'none'}`);
  return `${[head, ...lines].join('\n')}\n`;
}
