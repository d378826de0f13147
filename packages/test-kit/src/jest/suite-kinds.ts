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
const SERVERS: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };
const COMPOSE: SuiteKind = { suffix: 'compose', needs: 'a Docker engine', command: 'npm run test:compose' };

export const LONG_SUITES: readonly SuiteKind[] = [SYSTEM, BROWSER, SERVERS, COMPOSE];

/** The suites that `npm run test:system` skips. On CI browser suites are not skipped: they fail without Chromium. */
export function skippedBrowserSuites({ chromium, ci }: { chromium: string | undefined; ci: boolean }): SuiteKind[] {
  return chromium === undefined && !ci ? [{ ...BROWSER, command: 'CHROMIUM_PATH=… npm run test:system' }] : [];
}
