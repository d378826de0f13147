import { parseArgs } from 'node:util';

/** Options of a soak test. */
export interface SoakOptions {
  readonly minutes: number;
  /** Seed of the random kills. */
  readonly seed: number;
  readonly requestsPerSecond: number;
  readonly collectors: number;
  readonly gateways: number;
  /** Titles of the simulated network; open matches go with them. */
  readonly titles: number;
  /** Mean seconds between kills, varied by ±50%. 0: no kills, and latency must not grow. */
  readonly killEverySeconds: number;
}

export const USAGE = `npm run soak -- --minutes N   the stack at ten times the expected load, with random kills

  --minutes N       how long (30)
  --seed N          seed of the kills (random by default, and printed)
  --rate N          requests per second through the published port (2000)
  --collectors N    collectors, each with ten times the default rate limit (4)
  --gateways N      gateways (2)
  --titles N        titles of the simulated network (2000)
  --kill-every N    seconds between two kills, more or less (45); 0: no kills
  --help            this text

Prints a line a minute. Ends with 1 when a slot is not accounted for, memory or TIME_WAIT sockets grow, a dead letter is found, an
answer was one that may never be, or latency grows although nothing is killed.
`;

/** @throws Error that says which option is wrong */
export function readSoakOptions(args: readonly string[], randomSeed: number): SoakOptions | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ minutes: text, seed: text, rate: text, collectors: text, gateways: text, titles: text, 'kill-every': text },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const number = (name: Exclude<keyof typeof values, 'help'>, usual: number): number => {
    const value = values[name];
    if (value === undefined) return usual;
    if (!/^(0|[1-9]\d{0,9})$/.test(value)) throw new Error(`--${name} must be a whole number`);
    return Number(value);
  };
  return {
    minutes: number('minutes', 30),
    seed: number('seed', randomSeed),
    requestsPerSecond: number('rate', 2000),
    collectors: number('collectors', 4),
    gateways: number('gateways', 2),
    titles: number('titles', 2000),
    killEverySeconds: number('kill-every', 45),
  };
}
