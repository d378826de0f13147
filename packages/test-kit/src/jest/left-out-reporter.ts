import { join } from 'node:path';
import type { GlobalConfig } from 'jest';
import { describeLeftOut, suitesOf } from './left-out.ts';
import type { SuiteKind } from './suite-kinds.ts';

/** A Jest reporter that lists the requested suites that were skipped. */
export default class LeftOutReporter {
  readonly #config: GlobalConfig;
  readonly #kinds: SuiteKind[];

  constructor(config: GlobalConfig, options: { kinds: SuiteKind[] }) {
    this.#config = config;
    this.#kinds = options.kinds;
  }

  onRunComplete(): void {
    const { rootDir, testPathPatterns } = this.#config;
    const asked = testPathPatterns.toExecutor({ rootDir });
    const filesOf = (kind: SuiteKind): string[] =>
      suitesOf(kind, rootDir).filter((file) => asked.isMatch(join(rootDir, file)));
    const text = describeLeftOut(this.#kinds, filesOf);
    if (text !== '') process.stderr.write(`\n${text}`);
  }
}
