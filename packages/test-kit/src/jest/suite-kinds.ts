import { runsAllSuites } from '../repetitions.ts';

/** Suites that `npm test` does not run, by file name: `NAME.SUFFIX.test.ts`. */
export interface SuiteKind {
  suffix: string;
  /** Ends the sentence "N suites that need …". */
  needs: string;
  /** The command that runs them. */
  command: string;
}

const SYSTEM: SuiteKind = { suffix: 'system', needs: 'several minutes', command: 'npm run test:system' };
const BROWSER: SuiteKind = { suffix: 'browser', needs: 'a Chromium', command: 'npm run test:system' };
const CLIENTS: SuiteKind = {
  suffix: 'clients',
  needs: 'Node 20 and 22, Chromium, and generators of clients',
  command: 'npm run tools:clients && npm run test:system',
};
const SERVERS: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };
const COMPOSE: SuiteKind = { suffix: 'compose', needs: 'a Docker engine', command: 'npm run test:compose' };

export const LONG_SUITES: readonly SuiteKind[] = [SYSTEM, BROWSER, CLIENTS, SERVERS, COMPOSE];

/** Suites that take minutes each and fail rarely: patterns of their paths. */
const SLOW_SUITES = [
  '/(analysts|faults|panels|plots|rolling-restart|scaling)[.]compose[.]',
  '/(kill-boards|kill-users)[.]system[.]',
];

/** Part of the path of the suite that begins with an empty stack. It comes first: the others find its stack, and the history in it. */
export const EMPTY_STACK_SUITE = '/same-bytes.compose.';

/** Patterns of the suites that run only in `.ci/full`, which sets ALL_SUITES, and when a suite on containers is named. */
export function slowSuites(): readonly string[] {
  return runsAllSuites() ? [] : SLOW_SUITES;
}

/** The suites that `npm run test:system` skips. On CI those in a browser are not skipped: they fail without one. */
export function skippedSystemSuites(found: {
  chromium: string | undefined;
  clientTools: boolean;
  ci: boolean;
}): SuiteKind[] {
  const isChromiumMissing = found.chromium === undefined && !found.ci;
  const browser = isChromiumMissing ? [{ ...BROWSER, command: 'CHROMIUM_PATH=… npm run test:system' }] : [];
  return isChromiumMissing || !found.clientTools ? [...browser, CLIENTS] : browser;
}
