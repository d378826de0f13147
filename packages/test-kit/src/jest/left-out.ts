import { globSync } from 'node:fs';
import type { SuiteKind } from './suite-kinds.ts';

/** Describes the skipped suites by kind, with the reason and one line per file. Empty if there are none. */
export function describeLeftOut(kinds: SuiteKind[], filesOf: (kind: SuiteKind) => string[]): string {
  const paragraphs = kinds.flatMap((kind) => {
    const files = filesOf(kind);
    if (files.length === 0) return [];
    const suites = files.length === 1 ? '1 suite that needs' : `${files.length} suites that need`;
    return [`Left out: ${suites} ${kind.needs} (${kind.command})\n${files.map((file) => `  ${file}\n`).join('')}`];
  });
  return paragraphs.join('\n');
}

/** Sorted relative paths of the suites of a kind. */
export function suitesOf({ suffix }: SuiteKind, rootDir: string): string[] {
  return globSync(`{packages,services}/*/test/**/*.${suffix}.test.ts`, { cwd: rootDir }).sort();
}
