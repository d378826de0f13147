import {
  formatDate,
  formatInstant,
  formatTimestamp,
  SLOT_SECONDS,
  WITHDRAWAL_AGE_MAX_SECONDS,
  WITHDRAWN_SLOTS_MAX,
  type EpochSeconds,
} from '@lobbystats/contracts';
import { OperatorError, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../cli-command.ts';
import { withStores } from './stores.ts';

interface SlotOptions {
  readonly dryRun?: boolean;
  readonly settings?: string;
}

interface SlotRange {
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

type Stores = Parameters<Parameters<typeof withStores>[1]>[0];

/** Withdraws slots. Returns the exit code: 0 done, 1 it failed or there is nothing. */
export async function runWithdraw(
  context: CliContext,
  from: string,
  to: string,
  options: SlotOptions,
): Promise<number> {
  return runCommand('slots withdraw', context.terminal, async () =>
    (await withdraw(context, from, to, options)) ? 0 : 1,
  );
}

async function withdraw(
  { env, clock, terminal }: CliContext,
  from: string,
  to: string,
  { dryRun = false, settings }: SlotOptions,
): Promise<boolean> {
  const now = Math.floor(clock() / 1000);
  const range = rangeOf(from, to, now);
  return withStores({ env, clock, settings }, async (stores) => {
    const lines = await contentsOf(range, stores);
    terminal.out(lines.map((line) => `  ${line}\n`).join(''));
    if (lines.length === 0) terminal.out('There is nothing to withdraw.\n');
    else if (dryRun) terminal.out('This would be withdrawn without --dry-run.\n');
    else {
      const slots = { from: formatInstant(range.from), to: formatInstant(range.to) };
      await (await stores.collected()).withdraw({ withdrawnAt: formatInstant(now), slots, titleIds: [] });
      terminal.out('A running collector has this withdrawn within seconds, one that does not run when it starts.\n');
    }
    return lines.length > 0;
  });
}

/** The lines list what is stored of the slots, and the peaks of days that rest on them. */
async function contentsOf({ from, to }: SlotRange, stores: Stores): Promise<string[]> {
  const { slots, peaks } = await (await stores.series()).contentsOf({ from, to });
  const changes = await (await stores.catalog()).countChanges({ fromInclusive: from, toExclusive: to + SLOT_SECONDS });
  const { users, minutes } = await (await stores.users()).playIn({ from, to });
  return [
    ...slots.map(
      ({ slot, online, lobbies }) => `slot ${formatTimestamp(slot)}: ${online} online, ${lobbies ?? 'unknown'} lobbies`,
    ),
    ...peaks.map(({ what, at, count }) => `peak of ${what} on ${formatDate(at)}: ${count} at ${formatTimestamp(at)}`),
    ...(changes > 0 ? [`changes of leaderboards: ${changes}`] : []),
    ...(users > 0 ? [`play time: ${minutes} minutes of ${users} users`] : []),
  ];
}

function rangeOf(first: string, last: string, now: EpochSeconds): SlotRange {
  const [from, to] = [instantOf(first), instantOf(last)];
  if (to < from) throw new OperatorError('TO is before FROM');
  if (to - from >= WITHDRAWN_SLOTS_MAX * SLOT_SECONDS) {
    throw new OperatorError('FROM and TO are more than a day apart: withdraw one day after the other');
  }
  const oldest = now - WITHDRAWAL_AGE_MAX_SECONDS;
  if (from < oldest) {
    throw new OperatorError(
      `FROM must not be before ${formatInstant(oldest)}: days can't be derived from fewer snapshots`,
    );
  }
  return { from, to };
}

function instantOf(text: string): EpochSeconds {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms) || ms % (SLOT_SECONDS * 1000) !== 0) {
    throw new OperatorError(`${text} is not the time of a slot, such as 2026-01-31T18:05:00Z`);
  }
  return ms / 1000;
}
