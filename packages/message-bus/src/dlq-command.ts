import { parseArgs } from 'node:util';
import { serviceNames, type ServiceName } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import { formatDeadLetters } from './format-dead-letters.ts';
import { NoJournalError } from './in-process/journal-dead-letter-store.ts';
import type { DeadLetterStore, DeadLetterSelection } from './message-bus.ts';
import { oneLine } from './one-line.ts';
import { openDeadLetterStore } from './open.ts';

const HELP = `Lists, requeues or purges dead letters: messages that could not be handled.

  npm run dlq -- list     print dead letters, the oldest first
  npm run dlq -- requeue  return dead letters to their queues, with all attempts
  npm run dlq -- purge    delete dead letters permanently

  --queue NAME  only dead letters of this service's queue
  --id ID       only the dead letter with this ID; repeatable
  --all         with purge: all dead letters
  --json        print JSON, including message bodies
  --help        print this text

BUS_URL selects the bus (default: memory: and bus.sqlite in DATA_DIR, ./data). The bus may be in use. For RabbitMQ it is
amqp://dlq:PASSWORD@HOST:PORT/VHOST, with the password of the user dlq; run one command at a time. In a compose deployment run
docker compose run --rm dlq list.
`;

const commands = ['list', 'requeue', 'purge'] as const;
type Command = (typeof commands)[number];

const RESULT_LABELS = { requeue: 'Requeued', purge: 'Purged' } as const;

interface DlqArguments {
  readonly command: Command | 'help';
  readonly selection: DeadLetterSelection;
  readonly json: boolean;
}

export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

class UsageError extends Error {}

/**
 * Runs `npm run dlq`.
 *
 * @param args the command line arguments after the program name
 * @returns the exit code: 0 done, even if nothing matched, 1 the bus can't be opened, 2 wrong usage
 */
export async function runDlq(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  try {
    const request = parseArguments(args);
    terminal.out(request.command === 'help' ? HELP : `${await runCommand(request.command, request, busUrl(env))}\n`);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`dlq: ${oneLine(messageOf(error), 1000)}${isUsage ? '; see npm run dlq -- --help' : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

async function runCommand(command: Command, { selection, json }: DlqArguments, url: string): Promise<string> {
  const store = await openStore(url);
  if (store instanceof NoJournalError) {
    return json
      ? emptyJson(command)
      : `No dead letters: ${store.message}. RabbitMQ's: docker compose run --rm dlq list`;
  }
  try {
    if (command === 'list') {
      const letters = await store.list(selection);
      return json ? JSON.stringify(letters, undefined, 2) : formatDeadLetters(letters);
    }
    const count = await store[command](selection);
    if (json) return JSON.stringify({ [`${command}d`]: count });
    return count === 0
      ? 'No matching dead letters.'
      : `${RESULT_LABELS[command]} ${count} ${count === 1 ? 'message' : 'messages'}.`;
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

function emptyJson(command: Command): string {
  return command === 'list' ? '[]' : JSON.stringify({ [`${command}d`]: 0 });
}

function parseArguments(args: readonly string[]): DlqArguments {
  const { values, positionals } = parse(args);
  const { queue, id: ids, all = false, json = false } = values;
  if (values.help === true || args.length === 0) return { command: 'help', selection: {}, json };
  const command = commands.find((name) => name === positionals[0]);
  if (command === undefined || positionals.length > 1) {
    throw new UsageError(`expected one of ${commands.join(', ')}, not "${positionals.join(' ')}"`);
  }
  if (queue !== undefined && !isServiceName(queue)) {
    throw new UsageError(`there is no queue ${queue}; queues are ${serviceNames.join(', ')}`);
  }
  const faulty = ids?.find((id) => !/^\d{1,15}$/.test(id));
  if (faulty !== undefined) throw new UsageError(`"${faulty}" is not the id of a dead letter`);
  if (command === 'purge' && !all && queue === undefined && ids === undefined) {
    throw new UsageError('purge is permanent: select dead letters with --queue, --id or --all');
  }
  if (all && (queue !== undefined || ids !== undefined))
    throw new UsageError('--all cannot be combined with --queue or --id');
  return {
    command,
    selection: { ...(queue === undefined ? {} : { queue }), ...(ids === undefined ? {} : { ids }) },
    json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        queue: { type: 'string' },
        id: { type: 'string', multiple: true },
        all: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}

function busUrl(env: Readonly<Record<string, string | undefined>>): string {
  const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
  const url = env['BUS_URL'];
  const directory = env['DATA_DIR'];
  return isSet(url) ? url : `memory:${isSet(directory) ? directory : './data'}/bus.sqlite`;
}

function isServiceName(name: string): name is ServiceName {
  return (serviceNames as readonly string[]).includes(name);
}
