import { serviceNames, type ServiceName } from '@lobbystats/contracts';
import { describeFileError } from '../file-errors.ts';
import { NoJournalError } from './in-process/journal-dead-letter-store.ts';
import type { DeadLetter, DeadLetterSelection, DeadLetterStore } from './message-bus.ts';
import { oneLine } from './one-line.ts';
import { openDeadLetterStore } from './open.ts';

const HEADER = ['ID', 'QUEUE', 'TYPE', 'ATTEMPTS', 'DIED AT', 'REASON'] as const;
const RESULT_LABELS = { requeue: 'Requeued', purge: 'Purged' } as const;

/** `list` prints dead letters, `requeue` returns them to their queues, `purge` deletes them permanently. */
export type DlqAction = 'list' | 'requeue' | 'purge';

export interface DlqOptions {
  /** Only dead letters of this queue. */
  readonly queue?: string;
  /** Only dead letters with these IDs. */
  readonly id?: readonly string[];
  /** With purge: all dead letters. */
  readonly all?: boolean;
  /** Print JSON, including message bodies. */
  readonly json?: boolean;
}

interface DlqContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: { out(text: string): void; error(text: string): void };
}

class UsageError extends Error {}

/**
 * Runs `npx lobbystats dlq`.
 *
 * @returns the exit code: 0 done, even if nothing matched, 1 the bus can't be opened, 2 wrong usage
 */
export async function runDlq({ env, terminal }: DlqContext, action: DlqAction, options: DlqOptions): Promise<number> {
  try {
    const selection = selectionOf(action, options);
    terminal.out(`${await run(action, { selection, json: options.json ?? false }, busUrl(env))}\n`);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(
      `dlq: ${oneLine(describeFileError(error), 1000)}${isUsage ? '; see npx lobbystats dlq --help' : ''}\n`,
    );
    return isUsage ? 2 : 1;
  }
}

/** @throws UsageError */
function selectionOf(action: DlqAction, { queue, id: ids, all = false }: DlqOptions): DeadLetterSelection {
  if (queue !== undefined && !isQueueName(queue)) {
    throw new UsageError(`there is no queue ${queue}; queues are ${serviceNames.join(', ')}`);
  }
  const faulty = ids?.find((id) => !/^\d{1,15}$/.test(id));
  if (faulty !== undefined) throw new UsageError(`"${faulty}" is not the id of a dead letter`);
  const isEverything = queue === undefined && ids === undefined;
  if (action === 'purge' && !all && isEverything) {
    throw new UsageError('purge is permanent: select dead letters with --queue, --id or --all');
  }
  if (all && !isEverything) throw new UsageError('--all cannot be combined with --queue or --id');
  return { ...(queue === undefined ? {} : { queue }), ...(ids === undefined ? {} : { ids }) };
}

async function run(
  action: DlqAction,
  { selection, json }: { selection: DeadLetterSelection; json: boolean },
  url: string,
): Promise<string> {
  const store = await openStore(url);
  if (store instanceof NoJournalError) {
    if (json) return action === 'list' ? '[]' : JSON.stringify({ [`${action}d`]: 0 });
    return `No dead letters: ${store.message}. RabbitMQ's: docker compose run --rm dlq list`;
  }
  try {
    if (action === 'list') {
      const letters = await store.list(selection);
      return json ? JSON.stringify(letters, undefined, 2) : formatDeadLetters(letters);
    }
    const count = await store[action](selection);
    if (json) return JSON.stringify({ [`${action}d`]: count });
    return count === 0
      ? 'No matching dead letters.'
      : `${RESULT_LABELS[action]} ${count} ${count === 1 ? 'message' : 'messages'}.`;
  } finally {
    await store.close();
  }
}

async function openStore(url: string): Promise<DeadLetterStore | NoJournalError> {
  try {
    return await openDeadLetterStore({ url });
  } catch (error) {
    if (error instanceof NoJournalError) return error;
    throw error;
  }
}

function busUrl(env: DlqContext['env']): string {
  const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
  const url = env['BUS_URL'];
  const directory = env['DATA_DIR'];
  return isSet(url) ? url : `memory:${isSet(directory) ? directory : './data'}/bus.sqlite`;
}

function isQueueName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}

function formatDeadLetters(letters: readonly DeadLetter[]): string {
  if (letters.length === 0) return 'No dead letters.';
  const rows = [HEADER, ...letters.map(toCells)];
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells({ id, queue, body, attempts, diedAt, reason }: DeadLetter): string[] {
  return [id, queue, claimedType(body), String(attempts), diedAt, oneLine(reason, 160)];
}

function claimedType(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && 'type' in parsed && typeof parsed.type === 'string') {
      return oneLine(parsed.type, 40) || '?';
    }
  } catch {
    // Bodies that are not JSON are dead letters for that reason.
  }
  return '?';
}
