import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// Checks what has changed since the branch left `main`, or since the commit that is given: types, lint, format, printed files, tests.
const [since = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'] = process.argv.slice(2);
const changed = [
  ...new Set([...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]),
].filter((path) => existsSync(path));
const sources = changed.filter((path) => /\.[cm]?[jt]s$/.test(path));

run('tsc', '-b', 'packages', 'packages/site/src/islands', 'packages/service-auth/test/browser');
if (sources.length > 0) run('eslint', '--max-warnings', '0', '--no-warn-ignored', ...sources);
if (changed.length > 0) run('prettier', '--check', '--ignore-unknown', ...changed);

/** Suites that fail while a printed file differs from what it is printed from. */
const printed = ['packages/contracts/test/openapi', 'packages/system-tests/test/settings.test.ts'];
const suites = new Set([...relatedSuites(), ...listTests(...printed)]);
run('jest', '--runTestsByPath', ...suites);

/** Suites that import what has changed, of the workspaces that have changed: `npm test` runs those of all. */
function relatedSuites(): string[] {
  if (sources.length === 0) return [];
  const workspaces = new Set(sources.map((path) => `/${path.split('/').slice(0, 2).join('/')}/`));
  return listTests('--findRelatedTests', ...sources).filter((suite) =>
    [...workspaces].some((one) => suite.includes(one)),
  );
}

function listTests(...options: readonly string[]): string[] {
  return linesOf(execFileSync('jest', ['--listTests', ...options], { encoding: 'utf8' }));
}

function git(...options: readonly string[]): string[] {
  return linesOf(execFileSync('git', options, { encoding: 'utf8' }));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function run(command: string, ...options: readonly string[]): void {
  if (spawnSync(command, options, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
