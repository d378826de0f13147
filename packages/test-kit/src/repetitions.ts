import process from 'node:process';

/** Returns whether all suites run, as in `.ci/full`, or only those of every change. */
export function runsAllSuites(): boolean {
  return process.env['ALL_SUITES'] === 'true';
}

/** How often a suite repeats something slow: `full` where all suites run, and `usual` for every change. */
export function repetitions({ usual, full }: Record<'usual' | 'full', number>): number {
  return runsAllSuites() ? full : usual;
}
