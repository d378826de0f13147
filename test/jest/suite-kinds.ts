/** Suites that need more than Node, told by their file's name: `NAME.SUFFIX.test.ts`. */
export interface SuiteKind {
  suffix: string;
  /** Ends the sentence "N suites that need …". */
  needs: string;
  /** What runs them. */
  command: string;
}

const SERVERS: SuiteKind = { suffix: 'servers', needs: 'a Docker engine', command: 'npm run test:servers' };
const COMPOSE: SuiteKind = { suffix: 'compose', needs: 'a Docker engine', command: 'npm run test:compose' };
const BROWSER: SuiteKind = { suffix: 'browser', needs: 'a Chromium', command: 'CHROMIUM_PATH=… npm test' };

/** What `npm test` leaves out. On CI nothing is left out for want of a Chromium: without one its suites fail. */
export function leftOutKinds({ chromium, ci }: { chromium: string | undefined; ci: boolean }): SuiteKind[] {
  return chromium === undefined && !ci ? [SERVERS, COMPOSE, BROWSER] : [SERVERS, COMPOSE];
}
