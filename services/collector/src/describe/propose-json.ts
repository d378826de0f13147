import type { NetworkSourceName } from '@lobbystats/contracts';
import { sourcesFile } from '../network/source-description.ts';
import { isObject } from '../pages/built-in.ts';
import { readCount } from '../pages/values.ts';
import { FIELDS, POINTERS } from './hints.ts';
import { MAX_SHOWN, shorten, type Proposal } from './proposal.ts';

type SourceName = NetworkSourceName | 'homepage';
/** The pointers of values, with one of each. */
type Values = Map<string, unknown>;
const [MAX_DEPTH, MAX_ELEMENTS] = [4, 20];

/** What stands outside of lists, and the lists of objects by their pointers. */
function partsOf(answer: unknown): { single: Values; lists: Map<string, Values> } {
  const [single, lists] = [new Map<string, unknown>(), new Map<string, Values>()];
  visit(answer, '', single, 0);
  return { single, lists };

  function visit(value: unknown, pointer: string, values: Values, depth: number): void {
    if (Array.isArray(value)) {
      const elements: Values = new Map();
      for (const element of value.slice(0, MAX_ELEMENTS)) visit(element, '', elements, depth + 1);
      if (values === single) lists.set(pointer, elements);
    } else if (isObject(value) && depth < MAX_DEPTH) {
      for (const [name, member] of Object.entries(value)) {
        visit(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, values, depth + 1);
      }
    } else if ((values.get(pointer) ?? null) === null) values.set(pointer, value);
  }
}

/** The source whose members an answer most likely has. */
export function guessJsonSource(answer: unknown): SourceName {
  const scored = Object.keys(FIELDS).map((source) => ({ source, ...guessReading(source, answer) }));
  return (scored.sort((one, other) => other.found - one.found)[0]?.source ?? 'homepage') as SourceName;
}

/** Proposes how an answer is read. */
export function proposeJson(source: SourceName, answer: unknown, url: string): Proposal {
  const { reading } = guessReading(source, answer);
  const described = { url, reading: source === 'events' ? reading['events'] : reading };
  const { data: file = {} } = sourcesFile.safeParse({ [source]: described });
  return { file, decisions: ['whether each pointer is right', `whether "${url}" is the address`] };
}

function guessReading(source: string, answer: unknown) {
  const { single, lists } = partsOf(answer);
  const { '': fields = '', ...members } = FIELDS[source] ?? {};
  const reading: Record<string, unknown> = pointersOf(fields, single);
  let found = Object.keys(reading).length;
  for (const [member, names] of Object.entries(members)) {
    const guesses = [...lists].map(([each, values]) => ({ each, ...pointersOf(names, values) }));
    const fitting = guesses.filter((guess) => (names.split(' ')[0] ?? '') in guess);
    const [best] = fitting.sort((one, other) => Object.keys(other).length - Object.keys(one).length);
    if (best !== undefined) reading[member] = best;
    found += 2 * Object.keys(best ?? {}).length;
  }
  return { reading, found };
}

const COUNTS = 'online registered sessions players maxPlayers rank'.split(' ');

function fits(field: string, value: unknown): boolean {
  const text = JSON.stringify(value).replaceAll('"', '');
  if (field === 'titleId') return /^(?:[0-9a-f]{8}|null)$/i.test(text);
  return !COUNTS.includes(field) || readCount(text) !== undefined;
}

/** A pointer for each field: the one of its name, or the first that its hint fits. */
function pointersOf(fields: string, values: Values): Record<string, string> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9/]/g, '');
  const found: Record<string, string> = {};
  for (const field of fields.split(' ')) {
    const fitting = [...values].flatMap(([pointer, value]) => (fits(field, value) ? [pointer] : []));
    const free = fitting.filter((pointer) => !Object.values(found).includes(pointer));
    const named = free.find((each) => plain(each).endsWith(`/${plain(field)}`));
    const pointer = named ?? free.find((each) => POINTERS[field]?.test(plain(each)));
    if (pointer !== undefined) found[field] = pointer;
  }
  return found;
}

/** The lists of a JSON answer with the pointers of their values, and its other values. */
export function showMembers(answer: unknown): string[] {
  const { single, lists } = partsOf(answer);
  const shown = (values: Values) =>
    [...values].map(([pointer, value]) => `  "${shorten(pointer)}" is ${shorten(JSON.stringify(value))}`);
  const lines = [...lists].flatMap(([pointer, values]) => [`List "${shorten(pointer)}":`, ...shown(values)]);
  return [...shown(single), ...lines].slice(0, MAX_SHOWN);
}
