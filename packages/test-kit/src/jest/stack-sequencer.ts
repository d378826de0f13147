/** Part of the path of the suite that begins with an empty stack. It comes first: the others find its stack, and the history in it. */
const EMPTY_STACK_SUITE = '/same-bytes.compose.';

/** Jest's order of the suites on the whole stack: the same in every run. */
export default class StackSequencer {
  sort<Suite extends { path: string }>(suites: readonly Suite[]): Suite[] {
    const place = ({ path }: Suite): string => `${path.includes(EMPTY_STACK_SUITE) ? 0 : 1} ${path}`;
    return suites.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  }

  /** Remembers nothing: Jest's own one remembers durations, and begins with the longest suite. */
  cacheResults(): void {
    return;
  }
}
