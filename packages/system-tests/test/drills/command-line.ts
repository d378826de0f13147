import { parseArgs } from 'node:util';
import { SLOT_SECONDS } from '@lobbystats/contracts';
import type { DrillOptions } from './all-drills.ts';
import type { Drill } from './drill.ts';
import { SOAK_DEFAULTS, type SoakOptions } from './soak/soak-options.ts';

/** The parsed command line. */
export type CommandLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'list'; readonly drills: readonly Drill[] }
  | { readonly kind: 'bad'; readonly error: string }
  | {
      readonly kind: 'run';
      readonly drills: readonly Drill[];
      /** The system for drills that can run on either. */
      readonly on: 'stack' | 'standalone';
      readonly isJson: boolean;
      /** Whether the started stack stays up for later drills. */
      readonly keepRunning: boolean;
    };

const SOAK_NAMES = Object.keys(SOAK_DEFAULTS) as (keyof SoakOptions)[];

export const USAGE = `npm run drills [-- NUMBER|ALERT…]   faults and abuse that must not harm the system, and faults that must raise alerts

  --on standalone   runs the drills that can run on npm start (default: the stack of docker-compose.yml)
  --short           the short set, as with every change
  --broker-away N   duration of the broker outage in drill 3, in minutes (60 recommended)
  --keep            keeps the stack running, and prints how the next run can use it
  --minutes N       duration of the soak, drill 59, which runs only when it is named (${SOAK_DEFAULTS.minutes})
  --rate N          its requests per second (${SOAK_DEFAULTS.rate})
  --titles N        titles of its network (${SOAK_DEFAULTS.titles}); also --collectors N (${SOAK_DEFAULTS.collectors}), --gateways N (${SOAK_DEFAULTS.gateways})
  --kill-every N    seconds between its kills, more or less (${SOAK_DEFAULTS['kill-every']}); 0: none; --seed N repeats their order
  --json            prints the results as JSON, and nothing else on standard output
  --list            names the drills
  --help            this text

Needs a Docker engine with Compose v2, unless it is told --on standalone. Ends with 1 when a drill fails.
`;

/** @param args numbers of drills, ranges such as `15-32`, names of alerts, and options */
export function readCommandLine(
  args: readonly string[],
  drillsOf: (options: DrillOptions) => readonly Drill[],
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
        ...Object.fromEntries(SOAK_NAMES.map((name) => [name, { type: 'string' } as const])),
        json: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const away = values['broker-away'];
    if (away !== undefined && !(/^\d{1,3}$/.test(away) && Number(away) > SLOT_SECONDS / 60))
      throw new Error('--broker-away must be 6 to 999 minutes: in less there may be no slot but the one in hand');
    const soak = { ...SOAK_DEFAULTS, ...Object.fromEntries(SOAK_NAMES.flatMap((name) => numberOf(name, values))) };
    const all = drillsOf({ soak, ...(away !== undefined && { brokerAwayMinutes: Number(away) }) });
    if (values.list) return { kind: 'list', drills: all };
    if (values.on !== 'stack' && values.on !== 'standalone') throw new Error('--on must be stack or standalone');
    const numbers = positionals.flatMap((text) => numbersOf(text, all));
    const unknownNumbers = numbers.filter((number) => !all.some((drill) => drill.number === number));
    if (unknownNumbers.length > 0) throw new Error(`There is no drill ${unknownNumbers.join(', ')}`);
    const isChosen = ({ number, isShort, isAlone }: Drill): boolean => {
      if (numbers.length > 0) return numbers.includes(number);
      return values.short ? isShort === true : isAlone !== true;
    };
    return {
      kind: 'run',
      drills: all.filter(isChosen),
      on: values.on,
      isJson: values.json,
      keepRunning: values.keep,
    };
  } catch (error) {
    return { kind: 'bad', error: error instanceof Error ? error.message : String(error) };
  }
}

function numberOf(name: keyof SoakOptions, values: Readonly<Record<string, unknown>>): [string, number][] {
  const text = values[name];
  if (typeof text !== 'string') return [];
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return [[name, Number(text)]];
}

function numbersOf(text: string, all: readonly Drill[]): number[] {
  const ofAlert = all.find((drill) => drill.on === 'alerts' && drill.alerts.includes(text));
  if (ofAlert !== undefined) return [ofAlert.number];
  const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (first === undefined) throw new Error(`${text} is no number of a drill, and no alert`);
  const length = Math.max(0, Number(last) - Number(first) + 1);
  return Array.from({ length }, (_, index) => Number(first) + index);
}
