import { formatInstant, SLOT_SECONDS, SNAPSHOT_RETENTION_SECONDS } from '@lobbystats/contracts';
import type { Withdrawal } from '@lobbystats/series-api/admin';
import { OperatorError, runCommand } from '@lobbystats/service-kit';
import type { CliContext } from '../../cli-command.ts';
import { readDeployment, withSettings } from '../command/deployment.ts';
import { withdraw, type Extent } from './withdraw.ts';

interface SlotOptions extends Partial<Extent> {
  readonly dryRun?: boolean;
  readonly settings?: string;
}

/** Withdraws slots. Returns the exit code: 0 done, 1 it failed or there is none. */
export async function runWithdraw(
  context: CliContext,
  from: string,
  to: string,
  { title, ...options }: SlotOptions & { readonly title?: string },
): Promise<number> {
  return runCommand('slots withdraw', context.terminal, async () => {
    const withdrawal = withdrawalOf(from, to, title, Math.floor(context.clock() / 1000));
    return (await withdrawAsAsked(context, withdrawal, options)) ? 0 : 1;
  });
}

async function withdrawAsAsked(
  context: CliContext,
  withdrawal: Withdrawal,
  { dryRun = false, settings, changes = false, playTime = false, unlocks = false }: SlotOptions,
): Promise<boolean> {
  const { clock, terminal } = context;
  const extent = { changes, playTime, unlocks };
  const deployment = readDeployment(withSettings(context.env, settings));
  return withdraw(deployment, { withdrawal, extent, isDryRun: dryRun, clock, terminal });
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
