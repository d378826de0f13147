import { parseArgs } from 'node:util';

const DEFAULTS = {
  /** Duration of the soak. */
  minutes: 30,
  /** Seed of the random kills; 0: a random one. */
  seed: 0,
  /** Requests per second. */
  rate: 2000,
  collectors: 4,
  gateways: 2,
  /** Titles of the simulated network; open matches go with them. */
  titles: 2000,
  /** Mean seconds between kills, varied by ±50%. 0: no kills, and latency must not grow. */
  'kill-every': 45,
};

/** Options of a soak test. */
export type SoakOptions = Readonly<typeof DEFAULTS>;

export const USAGE = `npm run soak -- --minutes N   the stack at ten times the expected load, with random kills

  --minutes N       how long (${DEFAULTS.minutes})
  --seed N          seed of the kills (random by default, and printed)
  --rate N          requests per second through the published port (${DEFAULTS.rate})
  --collectors N    collectors, each with ten times the default rate limit (${DEFAULTS.collectors})
  --gateways N      gateways (${DEFAULTS.gateways})
  --titles N        titles of the simulated network (${DEFAULTS.titles})
  --kill-every N    seconds between two kills, more or less (${DEFAULTS['kill-every']}); 0: no kills
  --help            this text

Prints a line a minute. Ends with 1 when a slot is not accounted for, memory or TIME_WAIT sockets grow, a dead letter is found, an
answer was one that may never be, or latency grows although nothing is killed.
`;

/** @returns undefined when help is asked for @throws Error that says which option is wrong */
export function readSoakOptions(args: readonly string[]): SoakOptions | undefined {
  const names = Object.keys(DEFAULTS) as (keyof SoakOptions)[];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) return undefined;
  const given = Object.entries(values).map(([name, text]) => {
    if (!/^(0|[1-9]\d{0,9})$/.test(String(text))) throw new Error(`--${name} must be a whole number`);
    return [name, Number(text)];
  });
  return { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<SoakOptions>) };
}
