/** Suites that need more than Node, by file name: `NAME.SUFFIX.test.ts`. */
export interface SuiteKind {
  suffix: string;
  /** Ends the sentence "N suites that need …". */
  needs: string;
  /** The command that runs them. */
  command: string;
}

const SERVERS: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };
const COMPOSE: SuiteKind = { suffix: 'compose', needs: 'a Docker engine', command: 'npm run test:compose' };
const BROWSER: SuiteKind = { suffix: 'browser', needs: 'a Chromium', command: 'CHROMIUM_PATH=… npm test' };

/** The suites that `npm test` skips. On CI browser suites are not skipped: they fail without Chromium. */
export function leftOutKinds({ chromium, ci }: { chromium: string | undefined; ci: boolean }): SuiteKind[] {
  return chromium === undefined && !ci ? [SERVERS, COMPOSE, BROWSER] : [SERVERS, COMPOSE];
}
