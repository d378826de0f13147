import { parseArgs } from 'node:util';
import { serviceNames, type ServiceName } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import { deadLetterTable } from './dead-letter-table.ts';
import { NoJournalError } from './in-process/open-dead-letters.ts';
import type { DeadLetterOffice, DeadLetterSelection } from './message-bus.ts';
import { oneLine } from './one-line.ts';
import { openDeadLetters } from './open.ts';

const HELP = `Messages that could not be handled: what they are, and what becomes of them.

  npm run dlq -- list     show them, the oldest first
  npm run dlq -- requeue  put them back into the queues they came from, with all their attempts
  npm run dlq -- purge    remove them for good

  --queue NAME  only those of this service's queue
  --id ID       only this one; may be given several times
  --all         with purge: all of them
  --json        answer in JSON, bodies included
  --help        this text

BUS_URL says which bus (default: memory: and bus.sqlite in DATA_DIR, ./data). The bus may be in use. For RabbitMQ it is
amqp://dlq:PASSWORD@HOST:PORT/VHOST, with the password of the user dlq; one such command at a time. In a compose deployment
docker compose run --rm dlq list asks the right one.
`;

const commands = ['list', 'requeue', 'purge'] as const;
type Command = (typeof commands)[number];

const DONE = { requeue: 'Requeued', purge: 'Purged' } as const;

interface Request {
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
 * `npm run dlq`. Returns the exit code: 0 done, 1 the bus can't be opened, 2 wrong usage.
 *
 * @param args what stands behind the program's name
 * @returns the exit code: 0 done (there may have been nothing to do), 1 the bus can't be opened, 2 wrong usage
 */
export async function runDlq(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<number> {
  try {
    const request = parseRequest(args);
    terminal.out(request.command === 'help' ? HELP : `${await answer(request.command, request, busUrl(env))}\n`);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.error(`dlq: ${oneLine(messageOf(error), 1000)}${isUsage ? '; see npm run dlq -- --help' : ''}\n`);
    return isUsage ? 2 : 1;
  }
}

async function answer(command: Command, { selection, json }: Request, url: string): Promise<string> {
  const office = await openOffice(url);
  if (office instanceof NoJournalError) {
    return json
      ? emptyJson(command)
      : `No dead letters: ${office.message}. RabbitMQ's: docker compose run --rm dlq list`;
  }
  try {
    if (command === 'list') {
      const letters = await office.list(selection);
      return json ? JSON.stringify(letters, undefined, 2) : deadLetterTable(letters);
    }
    const count = await office[command](selection);
    if (json) return JSON.stringify({ [`${command}d`]: count });
    return count === 0 ? 'No such dead letters.' : `${DONE[command]} ${count} ${count === 1 ? 'message' : 'messages'}.`;
  } finally {
    await office.close();
  }
}

async function openOffice(url: string): Promise<DeadLetterOffice | NoJournalError> {
  try {
    return await openDeadLetters({ url });
  } catch (error) {
    if (error instanceof NoJournalError) return error;
    throw error;
  }
}

function emptyJson(command: Command): string {
  return command === 'list' ? '[]' : JSON.stringify({ [`${command}d`]: 0 });
}

function parseRequest(args: readonly string[]): Request {
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
    throw new UsageError('purge removes for good: say which with --queue or --id, or --all');
  }
  if (all && (queue !== undefined || ids !== undefined))
    throw new UsageError('--all goes with neither --queue nor --id');
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
