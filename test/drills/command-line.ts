import { parseArgs } from 'node:util';
import { SLOT_SECONDS } from '@lobbystats/contracts';
import type { Drill } from './drill.ts';

/** What is asked for. */
export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'list'; readonly drills: readonly Drill[] }
  | { readonly kind: 'bad'; readonly error: string }
  | {
      readonly kind: 'run';
      readonly drills: readonly Drill[];
      /** Where those are run that can be run on either. */
      readonly on: 'stack' | 'standalone';
      readonly isJson: boolean;
      /** Whether the stack that was brought up stays, for drills that follow. */
      readonly isKept: boolean;
    };

export const USAGE = `npm run drills [-- NUMBER…]   faults and abuse that the system takes without harm

  --on standalone   runs on npm start what can be run there (the stack of docker-compose.yml)
  --short           the short set, as with every change
  --broker-away N   lets drill 3 keep the broker away for so many minutes (60 are what it is meant for)
  --keep            leaves the stack up, and says how the next run takes it
  --json            prints the results as JSON, and nothing else on standard output
  --list            names the drills
  --help            this text

Needs a Docker engine with Compose v2, unless it is told --on standalone. Ends with 1 when a drill fails.
`;

/** @param args what follows the program's name: numbers of drills, `15-32` for all between, and options */
export function readCommandLine(
  args: readonly string[],
  drillsOf: (brokerAwayMinutes: number | undefined) => readonly Drill[],
): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        on: { type: 'string', default: 'stack' },
        'broker-away': { type: 'string' },
        short: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const away = values['broker-away'];
    if (away !== undefined && !(/^\d{1,3}$/.test(away) && Number(away) > SLOT_SECONDS / 60))
      throw new Error('--broker-away must be 6 to 999 minutes: in less there may be no slot but the one in hand');
    const all = drillsOf(away === undefined ? undefined : Number(away));
    if (values.list) return { kind: 'list', drills: all };
    if (values.on !== 'stack' && values.on !== 'standalone') throw new Error('--on must be stack or standalone');
    const numbers = positionals.flatMap(numbersOf);
    const strange = numbers.filter((number) => !all.some((drill) => drill.number === number));
    if (strange.length > 0) throw new Error(`There is no drill ${strange.join(', ')}`);
    const chosen = values.short && numbers.length === 0 ? all.filter(({ isShort }) => isShort === true) : all;
    return {
      kind: 'run',
      drills: numbers.length === 0 ? chosen : chosen.filter(({ number }) => numbers.includes(number)),
      on: values.on,
      isJson: values.json,
      isKept: values.keep,
    };
  } catch (error) {
    return { kind: 'bad', error: error instanceof Error ? error.message : String(error) };
  }
}

function numbersOf(text: string): number[] {
  const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (first === undefined) throw new Error(`${text} is no number of a drill`);
  const length = Math.max(0, Number(last) - Number(first) + 1);
  return Array.from({ length }, (_, index) => Number(first) + index);
}
