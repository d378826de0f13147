/** How a fuzz suite looks: at random, but in a way that can be repeated. */
export interface FuzzRuns {
  /** Where chance begins: `FUZZ_SEED`, else another one each time. */
  readonly seed: number;
  /** How many tries each property gets: `FUZZ_RUNS`, else what the suite can afford each time. */
  readonly numRuns: number;
}

/** @param usual how many tries there are where nobody asks for more */
export function fuzzRuns(usual: number, env: Readonly<Record<string, string | undefined>> = process.env): FuzzRuns {
  const { FUZZ_SEED = String(Date.now() % 2 ** 31), FUZZ_RUNS = String(usual) } = env;
  return { seed: Number(FUZZ_SEED), numRuns: Number(FUZZ_RUNS) };
}
