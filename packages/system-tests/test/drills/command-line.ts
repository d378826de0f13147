import { parseArgs } from 'node:util';
import { SLOT_SECONDS } from '@lobbystats/contracts';
import type { Drill } from './drill.ts';

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

export const USAGE = `npm run drills [-- NUMBER|ALERT…]   faults and abuse that must not harm the system, and faults that must raise alerts

  --on standalone   runs the drills that can run on npm start (default: the stack of docker-compose.yml)
  --short           the short set, as with every change
  --broker-away N   duration of the broker outage in drill 3, in minutes (60 recommended)
  --keep            keeps the stack running, and prints how the next run can use it
  --json            prints the results as JSON, and nothing else on standard output
  --list            names the drills
  --help            this text

Needs a Docker engine with Compose v2, unless it is told --on standalone. Ends with 1 when a drill fails.
`;

/** @param args numbers of drills, ranges such as `15-32`, names of alerts, and options */
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
    const numbers = positionals.flatMap((text) => numbersOf(text, all));
    const unknownNumbers = numbers.filter((number) => !all.some((drill) => drill.number === number));
    if (unknownNumbers.length > 0) throw new Error(`There is no drill ${unknownNumbers.join(', ')}`);
    const chosen = values.short && numbers.length === 0 ? all.filter(({ isShort }) => isShort === true) : all;
    return {
      kind: 'run',
      drills: numbers.length === 0 ? chosen : chosen.filter(({ number }) => numbers.includes(number)),
      on: values.on,
      isJson: values.json,
      keepRunning: values.keep,
    };
  } catch (error) {
    return { kind: 'bad', error: error instanceof Error ? error.message : String(error) };
  }
}

function numbersOf(text: string, all: readonly Drill[]): number[] {
  const ofAlert = all.find((drill) => drill.on === 'alerts' && drill.alerts.includes(text));
  if (ofAlert !== undefined) return [ofAlert.number];
  const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  if (first === undefined) throw new Error(`${text} is no number of a drill, and no alert`);
  const length = Math.max(0, Number(last) - Number(first) + 1);
  return Array.from({ length }, (_, index) => Number(first) + index);
}
