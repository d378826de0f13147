/** Options of a soak, by the names that the command line gives them. */
export const SOAK_DEFAULTS = {
  minutes: 30,
  /** Seed of the random kills; 0: a random one. */
  seed: 0,
  /** Requests per second. */
  rate: 2000,
  /** Each has ten times the default rate limit. */
  collectors: 4,
  gateways: 2,
  /** Titles of the simulated network; open matches go with them. */
  titles: 2000,
  /** Mean seconds between kills, varied by ±50%. 0: no kills, and latency must not grow. */
  'kill-every': 45,
};

export type SoakOptions = Readonly<typeof SOAK_DEFAULTS>;
