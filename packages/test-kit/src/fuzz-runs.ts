export interface FuzzRuns {
  readonly seed: number;
  readonly numRuns: number;
}

export function fuzzRuns(usual: number, env: Readonly<Record<string, string | undefined>> = process.env): FuzzRuns {
  const { FUZZ_SEED = String(Date.now() % 2 ** 31), FUZZ_RUNS = String(usual) } = env;
  return { seed: Number(FUZZ_SEED), numRuns: Number(FUZZ_RUNS) };
}
