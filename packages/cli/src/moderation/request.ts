import { parseArgs } from 'node:util';
import { isValidUsername, normalizeUsername } from '@lobbystats/contracts';
import { messageOf } from '@lobbystats/errors';
import { UsageError } from '@lobbystats/service-kit';

export type Request =
  | { readonly command: 'help' }
  | { readonly command: 'hide' | 'show'; readonly rater: string; readonly profile: string }
  | { readonly command: 'bar'; readonly name: string }
  | { readonly command: 'erase'; readonly name: string }
  | { readonly command: 'republish' };

export type ModerationRequest = Exclude<Request, { command: 'help' | 'republish' }>;

/** @throws UsageError */
export function parseRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArguments(args);
  const [command, ...names] = positionals;
  if (values.help === true || command === undefined) return { command: 'help' };
  switch (command) {
    case 'hide':
    case 'show': {
      const [rater, profile] = expectNames(command, names, ['RATER', 'PROFILE']);
      return { command, rater, profile };
    }
    case 'bar':
    case 'erase': {
      const [name] = expectNames(command, names, ['NAME']);
      return { command, name };
    }
    case 'republish':
      expectNames(command, names, []);
      return { command };
    default:
      throw new UsageError(`expected one of hide, show, bar, erase, republish, not "${command}"`);
  }
}

type Names<Expected extends readonly string[]> = { [Index in keyof Expected]: string };

function expectNames<const Expected extends readonly string[]>(
  command: string,
  names: readonly string[],
  expected: Expected,
): Names<Expected> {
  if (names.length !== expected.length)
    throw new UsageError(`${command} takes ${expected.length === 0 ? 'no names' : expected.join(' ')}`);
  const faulty = names.find((name) => !isValidUsername(name));
  if (faulty !== undefined) throw new UsageError(`"${faulty}" is not a valid username`);
  return names.map(normalizeUsername) as Names<Expected>;
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
