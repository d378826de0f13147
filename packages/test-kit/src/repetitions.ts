import process from 'node:process';

/** How often a suite repeats something slow: `full` in `.ci/full`, which sets ALL_SUITES, and `usual` for every change. */
export function repetitions({ usual, full }: Record<'usual' | 'full', number>): number {
  return process.env['ALL_SUITES'] === 'true' ? full : usual;
}
