import process from 'node:process';

/** Whether all suites run, as in `.ci/full`, and not those of every change alone. */
export function runsAllSuites(): boolean {
  return process.env['ALL_SUITES'] === 'true';
}

/** How often a suite repeats something slow: `full` where all suites run, and `usual` for every change. */
export function repetitions({ usual, full }: Record<'usual' | 'full', number>): number {
  return runsAllSuites() ? full : usual;
}
